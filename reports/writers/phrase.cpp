// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/phrase.h"

#include <fmt/format.h>

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

std::string with_unit(std::string_view name, double value) {
  if (name.ends_with("_Bps")) return text(Bandwidth{value}, 3);
  if (name.ends_with("_bps")) return text_number(value / 1e12, 4) + " Tb/s";
  if (name.ends_with("_B")) return text(Bytes{value}, 3);
  if (name.ends_with("_s") && !name.ends_with("_per_s")) return text(Seconds{value}, 3);
  return text_number(value);
}

/// \param nouns  "core|cores"
std::string counted(std::string_view nouns, double count) {
  const std::size_t bar = nouns.find('|');
  return fmt::format("{} {}", text_number(count, 6),
                     count == 1 ? nouns.substr(0, bar) : nouns.substr(bar + 1));
}

std::string shown(std::string_view name, std::string_view form, double value) {
  if (form == "%") return in_percent(value);
  if (form.find('|') != std::string_view::npos) return counted(form, value);
  if (form == "faster")
    return fmt::format("{} % {}", text_number(std::abs(value) * 100, 2),
                       value > 0 ? "faster" : "slower");
  return with_unit(name, value);
}

struct Shown {
  std::string_view name;
  std::string_view form;

  std::string operator()(std::int64_t value) const {
    const auto number = static_cast<double>(value);
    return form.empty() ? text_number(number, 15) : shown(name, form, number);
  }
  std::string operator()(double value) const { return shown(name, form, value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::string>& value) const { return join_ids(value); }
};

}  // namespace

std::string filled(std::string_view text, const ArgumentNames& names,
                   const std::vector<FactValue>& arguments) {
  std::string out;
  while (true) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = text.find('}', open);
    const std::string_view inner = text.substr(open + 1, close - open - 1);
    const std::size_t colon = inner.find(':');
    const std::string_view name = inner.substr(0, colon);
    const auto place = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    GPUFEED_ASSERT(place < arguments.size(), "a fact has all arguments of its code");
    out += std::visit(Shown{name, colon == std::string_view::npos ? "" : inner.substr(colon + 1)},
                      arguments[place]);
    text.remove_prefix(close + 1);
  }
}

}  // namespace gpufeed
