// SPDX-License-Identifier: Apache-2.0
#include "reports/study/result_value.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "reports/writers/phrase_book.h"
#include "sim/base/nearest.h"
#include "sim/model/workload.h"

namespace gpufeed {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end) return {};
  return value;
}

/// Follows a path through structs by their `fields()`.
class Walk {
 public:
  Walk(std::string_view path, const Location& where) : path_(path), rest_(path), where_(where) {}

  template <HasFields T>
  double in(const T& value) {
    const std::string_view name = rest_.substr(0, rest_.find_first_of(".["));
    rest_.remove_prefix(name.size());
    std::optional<double> found;
    Names known;
    for_each_field<T>([&](const auto& field) {
      known.emplace_back(field.name);
      if (field.name == name) found = in_member(value.*field.member);
    });
    if (!found) refuse(fmt::format("there is no \"{}\"; {}", name, suggestion(name, known)));
    return *found;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError({{where_, fmt::format("the result's \"{}\": {}", path_, why)}});
  }

  double leaf(double value) const {
    if (!rest_.empty()) refuse("it has no parts");
    return value;
  }
  double in(const double& value) { return leaf(value); }
  double in(const std::int64_t& value) { return leaf(static_cast<double>(value)); }
  double in(const bool& value) { return leaf(value ? 1 : 0); }
  double in(const std::string&) { refuse("it is text"); }
  template <FactCode Code>
  double in(const Fact<Code>&) {
    refuse("it is text");
  }
  double in(const Evidence&) { refuse("it is text"); }
  double in(const KeyPath&) { refuse("it is text"); }
  template <NamedEnum E>
  double in(const E&) {
    refuse("it is text");
  }
  template <class M>
  double in(const std::optional<M>& value) {
    return value ? in_member(*value) : kNoNumber;
  }
  template <HasFields T>
  double in_member(const T& value) {
    if (!rest_.starts_with('.')) refuse("name one of its parts after a dot");
    rest_.remove_prefix(1);
    return in(value);
  }
  template <class M>
  double in_member(const M& value) {
    return in(value);
  }
  template <class M>
  double in(const std::vector<M>& list) {
    const std::size_t end = rest_.find(']');
    if (!rest_.starts_with('[') || end == std::string_view::npos)
      refuse("name one of the list's elements, as in [0]");
    const std::string_view name = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (name == std::to_string(i) || name == name_of_element(list[i])) return in_member(list[i]);
    refuse(fmt::format("the list of {} has no \"{}\"", list.size(), name));
  }

  /// The first text of a struct.
  template <class M>
  static std::string name_of_element(const M& element) {
    std::string name;
    if constexpr (HasFields<M>)
      for_each_field<M>([&]<class F>(const F& field) {
        if constexpr (kIsTold<F>) {
          if constexpr (std::same_as<decltype(in_words(element.*field.member)), std::string>)
            if (name.empty()) name = in_words(element.*field.member);
        } else if constexpr (std::same_as<typename F::Member, std::string>) {
          if (name.empty()) name = element.*field.member;
        }
      });
    return name;
  }

  std::string_view path_;
  std::string_view rest_;
  const Location& where_;
};

}  // namespace

double result_value(const Result& result, const std::string& expression, const Location& where) {
  double value = 1;
  std::string_view rest = expression;
  bool divides = false;
  while (true) {
    const std::size_t end = std::min(rest.find(" * "), rest.find(" / "));
    const std::string_view factor = rest.substr(0, end);
    const double one = number_in(factor).value_or(kNoNumber);
    const double number = std::isnan(one) ? Walk(factor, where).in(result) : one;
    if (!std::isfinite(number))
      throw InputError(
          {{where, fmt::format("the result's \"{}\" is not known for this workload{}{}", factor,
                               result.warnings.empty() ? "" : ": ",
                               fmt::join(in_words(result.warnings), "; "))}});
    value = divides ? value / number : value * number;
    if (end == std::string_view::npos) return value;
    divides = rest[end + 1] == '/';
    rest.remove_prefix(end + 3);
  }
}

}  // namespace gpufeed
