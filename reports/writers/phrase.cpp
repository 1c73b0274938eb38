// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/phrase.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <variant>

#include "sim/base/assert.h"
#include "sim/base/join_ids.h"

namespace gpufeed {
namespace {

std::string in_percent(double share) {
  constexpr double kTenPercent = 0.0995;  // what is rounded to 10.0 % or more has a digit more
  return text_number(share * 100, share < kTenPercent ? 2 : 3) + " %";
}

std::string shown(const FactQuantity& quantity) {
  switch (quantity.unit) {
    case FactUnit::bytes:
      return text(Bytes{quantity.value}, 3);
    case FactUnit::seconds:
      return text(Seconds{quantity.value}, 3);
    case FactUnit::bytes_per_s:
      return text(Bandwidth{quantity.value}, 3);
    case FactUnit::bits_per_s:
      return text_number(quantity.value / 1e12, 4) + " Tb/s";
    case FactUnit::none:
      break;
  }
  return text_number(quantity.value);
}

/// \param nouns  "core|cores"
std::string counted(std::string_view nouns, double count) {
  const std::size_t bar = nouns.find('|');
  return fmt::format("{} {}", text_number(count, 6),
                     count == 1 ? nouns.substr(0, bar) : nouns.substr(bar + 1));
}

std::string shown(std::string_view form, double value) {
  if (form == "%") return in_percent(value);
  if (form.find('|') != std::string_view::npos) return counted(form, value);
  if (form == "faster")
    return fmt::format("{} % {}", text_number(std::abs(value) * 100, 2),
                       value > 0 ? "faster" : "slower");
  return text_number(value);
}

struct Shown {
  std::string_view form;

  std::string operator()(std::int64_t value) const {
    const auto number = static_cast<double>(value);
    return form.empty() ? text_number(number, 15) : shown(form, number);
  }
  std::string operator()(double value) const { return shown(form, value); }
  std::string operator()(const FactQuantity& value) const { return shown(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::string>& value) const {
    if (form == "with") return fmt::format("{}", fmt::join(value, " with "));
    return form == "unseen" ? unseen_in_words(value) : join_ids(value);
  }
};

}  // namespace

std::string filled(std::string_view text, const Arguments& arguments,
                   const std::vector<FactValue>& values) {
  std::string out;
  while (true) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = text.find('}', open);
    const std::string_view inner = text.substr(open + 1, close - open - 1);
    const std::size_t colon = inner.find(':');
    const std::string_view name = inner.substr(0, colon);
    const auto place = static_cast<std::size_t>(
        std::ranges::find(arguments, name, &Argument::name) - arguments.begin());
    GPUFEED_ASSERT(place < values.size(), "a fact has all arguments of its code");
    const std::string_view form =
        colon == std::string_view::npos ? std::string_view() : inner.substr(colon + 1);
    const auto* const list = std::get_if<std::vector<std::string>>(&values[place]);
    out += form == "beyond" && list ? filled(beyond_in_words(*list), arguments, values)
                                    : std::visit(Shown{form}, values[place]);
    text.remove_prefix(close + 1);
  }
}

}  // namespace gpufeed
