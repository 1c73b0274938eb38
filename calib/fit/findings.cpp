// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/findings.h"

#include <cmath>

#include "sim/base/numbers/statistics.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {

std::string percent_of(double part) {
  constexpr double kTwoDigits = 0.995;
  if (part >= kTwoDigits) return fmt::format("{:.0f} %", 100 * part);
  return fmt::format("{:.2g} %", 100 * part);
}

void Findings::take(FoundValue value) {
  const std::string known =
      value.limit.empty() ? " +- " + percent_of(value.deviation) : ", " + value.limit;
  tell(fmt::format("{} = {}{} ({}: {} measurements, departing by {})", value.path, value.value,
                   known, value.law, value.points, percent_of(value.residual)));
  values_.push_back(std::move(value));
}

void Findings::refuse(const std::string& what, const std::string& why) {
  out_.refused.push_back(fmt::format("{}: {}", what, why));
}

bool Findings::take_middle(const std::string& path, const std::vector<double>& values,
                           std::string middle, const std::string& law) {
  constexpr std::size_t kFewest = 3;
  if (values.size() < kFewest) {
    refuse(path, "measured less than three times");
    return false;
  }
  const double of_all = median(values);
  double squares = 0;
  std::vector<double> departures;
  departures.reserve(values.size());
  for (const double value : values) {
    squares += (value / of_all - 1) * (value / of_all - 1);
    departures.push_back(std::abs(value / of_all - 1));
  }
  const double count = static_cast<double>(values.size());
  const double deviation = std::sqrt(squares / (count - 1) / count);
  if (deviation > kLargestDeviation) {
    refuse(path, fmt::format("{} measurements differ too much to tell: {} +- {}", values.size(),
                             middle, percent_of(deviation)));
    return false;
  }
  take({path, std::move(middle), deviation, median(departures), values.size(), law});
  return true;
}

Calibration Findings::finish(const std::string& title, const std::string& catalog) {
  std::string out = fmt::format("schema = 1\ntitle = {}\nsource = {}\n", toml_string(title),
                                toml_string(source_));
  if (!out_.entries.empty() && !catalog.empty())
    out += fmt::format("catalog = {}\n", toml_string(catalog));
  if (catalog.empty())
    for (const auto& [name, text] : out_.entries)
      out += fmt::format("# Only written with --output FILE, beside it: {}\n", name);
  for (const auto& line : out_.refused) out += "# Not determined: " + line + "\n";
  for (const FoundValue& one : values_)
    out += fmt::format(
        "\n[[parameter]]\npath = {}\nvalue = {}\ndeviation = \"{}\"\nresidual = \"{}\"\npoints = "
        "{}\nlaw = {}\n",
        toml_string(one.path), toml_string(one.value), percent_of(one.deviation),
        percent_of(one.residual), one.points, toml_string(one.law));
  out_.parameters = std::move(out);
  return std::move(out_);
}

}  // namespace gpufeed
