// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/anchor_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "reports/writers/sighting_text.h"

namespace gpufeed {
namespace {

constexpr std::size_t kShown = 4;  ///< of a list of numbers
constexpr double kFar = 3;         ///< own deviations beyond which a value is surprising

std::string quantity(const AnchorNumber& number, double value) {
  constexpr int kDigits = 4;
  if (number.unit == "B/s") return text(Bandwidth{value}, kDigits);
  if (number.unit == "/s") return text(Rate{value}, kDigits);
  if (number.unit == "B") return text(Bytes{value}, kDigits);
  if (number.unit == "s") return text(Seconds{value}, kDigits);
  return text(Ratio{value}, kDigits);
}

std::string row(const Sighting& before, const Sighting& after) {
  if (!before.seen || !before.predicted || !after.predicted) return "";
  return fmt::format("  {:<20}{:>14}{:>14}{:>14} +- {}\n", label_of_sighting(before.name),
                     sighting_text(before, *before.predicted),
                     sighting_text(after, *after.predicted), sighting_text(before, *before.seen),
                     sighting_text(before, before.spread));
}

/// How much of its own deviation a value takes.
double strain(const AnchorNumber& number) {
  return number.stated
             ? std::abs(std::log(*number.value / *number.stated)) / number.stated_deviation
             : 0;
}

/// "read_bandwidth of nas (datasheet): 5.2 GB/s +- 4.1 %; stated: 20 GB/s".
std::string number_text(const AnchorNumber& number) {
  const std::string stated = number.stated ? "stated: " + quantity(number, *number.stated)
                                           : std::string("the scenario states none");
  return fmt::format("{} ({}): {} +- {}; {}", number.name, number.basis,
                     quantity(number, *number.value), percent(*number.deviation), stated);
}

std::string sets_text(const AnchorNumber& number) {
  std::string out;
  for (const std::string& set : number.set)
    out += fmt::format("{}--set '{}'", out.empty() ? "" : " ", set);
  return out;
}

std::string number_rows(const Anchor& anchor) {
  const AnchorNumber& number = anchor.number;
  std::string out = item("This run sets", number_text(number)) + item("", sets_text(number));
  if (strain(number) > kFar)
    out += item("", fmt::format("{} times what is stated, {} of the deviations that values of this "
                                "basis have: look whether the run is that of the scenario",
                                text_number(*number.value / *number.stated, 2),
                                text_number(strain(number), 2)));
  if (anchor.tie) out += item("", "it is a tie: the first of the numbers below is about as likely");
  for (const Sighting& one : anchor.left)
    out += item("Not explained",
                fmt::format("{}, which this number does not move; set another with --key by the "
                            "scenario that --output writes",
                            label_of_sighting(one.name)));
  return out;
}

std::string others(const Anchor& anchor) {
  if (anchor.as_well.empty()) return "";
  std::string out = "\nWhat would explain the run in its place, the likeliest first\n";
  const std::size_t shown = std::min(kShown, anchor.as_well.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const AnchorNumber& one = anchor.as_well[i];
    out += labeled(fmt::format("{:>2}  ", i + 1), number_text(one), kNumbers) +
           labeled("", sets_text(one), kNumbers) + labeled("", "check: " + one.check, kNumbers);
  }
  if (anchor.as_well.size() > shown)
    out += fmt::format("    and {} more (--json has all)\n", anchor.as_well.size() - shown);
  const auto value = [&](const AnchorNumber& number) {
    for (const Sighting& one : number.predictions)
      if (one.name == anchor.telling && one.predicted) return sighting_text(one, *one.predicted);
    return std::string("-");
  };
  if (anchor.telling.empty())
    return out + labeled("",
                         "Nothing else that may be observed of this run tells these apart; their "
                         "checks do.",
                         0);
  std::string telling = value(anchor.number) + " if the run sets " + anchor.number.name;
  for (std::size_t i = 0; i < shown; ++i)
    telling += fmt::format("; {} if number {}", value(anchor.as_well[i]), i + 1);
  return out +
         item("Measure next", fmt::format("{}: {}", label_of_sighting(anchor.telling), telling));
}

std::string names(const std::vector<std::string>& all) {
  constexpr std::size_t kNames = 12;
  const std::vector<std::string> shown(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(kNames, all.size())));
  return fmt::format("{}{}", fmt::join(shown, "; "),
                     all.size() > kNames
                         ? fmt::format("; and {} more (--json has all)", all.size() - kNames)
                         : "");
}

std::string undetermined(const Anchor& anchor) {
  std::string out = "\nWhat this run does not determine\n";
  std::vector<std::string> bounds;
  for (const AnchorNumber& one : anchor.bounded)
    bounds.push_back(one.at_least
                         ? fmt::format("{} at least {}", one.name, quantity(one, *one.at_least))
                         : fmt::format("{} at most {}", one.name, quantity(one, *one.at_most)));
  if (!bounds.empty()) out += item("  only a bound", names(bounds));
  if (!anchor.too_weak.empty()) out += item("  moves it too little", names(anchor.too_weak));
  if (!anchor.unmoved.empty()) out += item("  moves nothing", names(anchor.unmoved));
  if (bounds.empty() && anchor.too_weak.empty() && anchor.unmoved.empty())
    out += item("  else", "nothing that is open");
  return out;
}

}  // namespace

std::string to_text(const Anchor& anchor) {
  std::string out = labeled("", anchor.title, 0);
  if (!anchor.run.empty()) out += labeled("", "anchored at: " + anchor.run, 0);
  out += "\n" + fmt::format("  {:<20}{:>14}{:>14}{:>14}\n", "", "before", "after", "seen");
  for (std::size_t i = 0; i < anchor.before.size(); ++i)
    out += row(anchor.before[i], anchor.number.predictions[i]);
  return out + "\n" + number_rows(anchor) + others(anchor) + undetermined(anchor);
}

}  // namespace gpufeed
