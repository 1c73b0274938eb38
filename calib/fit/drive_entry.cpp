// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/drive_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/base/numbers/statistics.h"
#include "sim/load/entry_toml.h"
#include "sim/load/read/forms.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/catalog/parts.h"

namespace gpufeed {
namespace {

/// One key of the entry as fitted.
struct FittedKey {
  std::string key;
  std::string value;  ///< as text of a catalog has it
  const Known* known;
  std::string bound;  ///< "at least 3 GB/s" where the points tell no more; else empty
};

template <class Q>
FittedKey fitted(const std::string& key, Q value, const DriveFit& fit, std::string_view parameter) {
  const Known* const known = fit.what_is_known_of(parameter);
  std::string bound;
  if (known && known->open())
    bound = known->low == 0 ? "at most " + text(Q{known->high}, 3)
                            : "at least " + text(Q{known->low}, 3);
  return {key, text(value, 3), known, bound};
}

FittedKey sharpness(const std::string& key, const DriveFit& fit) {
  const Known* const known = fit.what_is_known_of("sharpness");
  return {key, fmt::format("{:.0f} %", fit.law.sharpness * 100), known, ""};
}

/// Where the points tell of none, the largest of their blocks: up to there the law is the same.
FittedKey largest_request(const std::string& key, const DriveSide& side) {
  const DriveFit& fit = side.fit;
  if (fit.what_is_known_of("largest_request"))
    return fitted(key, fit.law.largest_request, fit, "largest_request");
  Bytes largest{};
  for (const FioPoint& point : side.points) largest = std::max(largest, point.block_size);
  return {key, text(largest, 12), nullptr, ""};
}

/// \param way   what the keys begin with that either direction has: "read_"
/// \param also  and those that writes have only where they differ from reads: "", "write_"
void add_keys(const DriveSide& side, const std::string& way, const std::string& also,
              std::vector<FittedKey>& keys) {
  const DriveFit& fit = side.fit;
  const DriveLaw& law = fit.law;
  keys.push_back(fitted(way + "bandwidth", law.bandwidth, fit, "bandwidth"));
  keys.push_back(fitted(way + "rate", law.request_rate, fit, "request_rate"));
  keys.push_back(fitted(way + "latency", law.latency, fit, "latency"));
  keys.push_back(
      fitted(also + "request_bandwidth", law.request_bandwidth, fit, "request_bandwidth"));
  keys.push_back(largest_request(also + "largest_request", side));
  keys.push_back(sharpness(also + "sharpness", fit));
}

std::vector<FittedKey> fitted_keys(const DriveSide* reads, const DriveSide* writes) {
  std::vector<FittedKey> keys;
  if (reads) add_keys(*reads, "read_", "", keys);
  if (writes) add_keys(*writes, "write_", "write_", keys);
  return keys;
}

/// The SI value of a quantity's text, whatever its unit; -1 where it is none.
double si_value(const std::string& text) {
  for (const UnitTable* units :
       {&units_of<Bandwidth>(), &units_of<Rate>(), &units_of<Seconds>(), &units_of<Bytes>()})
    if (const auto value = parse_in(*units, text)) return *value;
  return -1;
}

const EntryLine* line_of(const std::optional<EntryText>& like, std::string_view key) {
  return like ? known_line(*like, key) : nullptr;
}

/// Whether a drive may have it: points that no such limit held say no value of it, or any.
template <class Field>
bool may_be(const Field& field, const std::string& value) {
  using Bound = typename Field::Bound;
  if constexpr (requires(Bound bound) { bound.value; }) {
    const double si = si_value(value);
    return si < 0 || field.allows(Bound{si});
  }
  return true;
}

std::string fitted_line(const FittedKey& fitted, const DriveEntry& entry) {
  std::string out;
  if (!fitted.bound.empty()) {
    const EntryLine* const other = line_of(entry.like, fitted.key);
    const double value = other ? si_value(other->value) : -1;
    out = fmt::format("# {}: {}; the measurements never came to that limit.\n", fitted.key,
                      fitted.bound);
    if (value >= fitted.known->low && value <= fitted.known->high)
      return out + taken_line(*entry.like, *other);
  }
  return out + fmt::format("{} = {}\n", fitted.key, toml_of_shown(fitted.value));
}

}  // namespace

std::vector<FioPoint> points_of(const std::vector<FioPoint>& all, bool writes) {
  std::vector<FioPoint> found;
  std::ranges::copy_if(all, std::back_inserter(found), [&](const FioPoint& point) {
    return point.writes == writes && !point.mixed;
  });
  return found;
}

DriveSide fit_side(std::vector<FioPoint> points, const std::string& name,
                   std::optional<double> sharpness) {
  std::vector<DrivePoint> fitted;
  fitted.reserve(points.size());
  for (const FioPoint& p : points) fitted.push_back({p.block_size, p.outstanding(), p.bandwidth});
  DriveFit fit = fit_drive(fitted, name, sharpness);
  return {std::move(points), std::move(fit)};
}

double scatter(const std::vector<FioPoint>& points) {
  std::map<std::tuple<double, std::int64_t, std::int64_t>, std::vector<double>> settings;
  for (const FioPoint& p : points)
    settings[{p.block_size.value, p.iodepth, p.numjobs}].push_back(p.bandwidth.value);
  std::vector<double> distances;
  for (const auto& [setting, values] : settings) {
    if (values.size() < 2) continue;
    const double middle = median(values);
    for (const double value : values) distances.push_back(std::abs(value / middle - 1));
  }
  return median(std::move(distances));
}

std::string drive_toml(const DriveEntry& entry, const DriveSide* reads, const DriveSide* writes) {
  std::string out = fmt::format("title = {}\nsource = {}\nbasis = \"calibrated\"\n",
                                toml_string(entry.title), toml_string(entry.source));
  const std::vector<FittedKey> keys = fitted_keys(reads, writes);
  std::string missing;
  for_each_field<Drive>([&](const auto& field) {
    using Member = typename std::decay_t<decltype(field)>::Member;
    if (field.name == "title" || IsVector<Member>::value) return;
    const auto own = std::ranges::find(keys, field.name, &FittedKey::key);
    const EntryLine* const taken = line_of(entry.like, field.name);
    const bool told = own != keys.end() && may_be(field, own->value);
    if (own != keys.end() && !told)
      out += fmt::format("# {}: the measurements never came to that limit.\n", own->key);
    if (told)
      out += fitted_line(*own, entry);
    else if (taken && IsRef<Member>::value)
      out += fmt::format("{} = {}\n", taken->key, toml_string(taken->value));
    else if (taken)
      out += taken_line(*entry.like, *taken);
    else if (field.required)
      missing += fmt::format("# {} = ...  # {}\n", field.name, field.help);
  });
  if (!missing.empty())
    out +=
        "# Still missing, because the measurements do not tell it; --like DRIVE takes it from "
        "the catalog:\n" +
        missing;
  return out;
}

}  // namespace gpufeed
