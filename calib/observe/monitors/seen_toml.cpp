// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "calib/observe/monitors/series.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

struct SeenKey {
  std::string_view name;
  Watched what;
  std::optional<double> (*number)(const std::string&);
};

template <class Q>
std::optional<double> in_unit(const std::string& text) {
  return parse_in(units_of<Q>(), text);
}
std::optional<double> plain(const std::string& text) { return number_at(text); }

/// Keys of Observed (sim/model/study/observed.h) that a node of many sees.
constexpr std::array<SeenKey, 6> kKeys{
    {{"gpu_utilization", Watched::gpu_use, in_unit<Ratio>},
     {"read_bandwidth", Watched::read_Bps, in_unit<Bandwidth>},
     {"read_rate", Watched::reads_per_s, in_unit<Rate>},
     {"network_bandwidth", Watched::received_Bps, in_unit<Bandwidth>},
     {"cores_busy", Watched::cores, plain},
     {"samples_per_s", Watched::samples_per_s, in_unit<Rate>}}};

/// Behind "value = ", with or without quotation marks.
std::string value_in(const std::string& line) {
  const std::size_t at = line.find("value = ");
  if (at == std::string::npos) return "";
  const std::size_t from = at + 8;
  if (line[from] == '"') return line.substr(from + 1, line.find('"', from + 1) - from - 1);
  return line.substr(from, line.find_first_of(",} ", from) - from);
}

}  // namespace

bool read_seen(MonitorReader& in) {
  bool any = false;
  for (std::size_t i = 0; i < in.lines().size(); ++i) {
    const std::string& line = in.lines()[i];
    const std::size_t equals = line.find(" = {");
    if (equals == std::string::npos || line.starts_with('#')) continue;
    const std::string key = line.substr(0, equals);
    bool known = false;
    for (const SeenKey& one : kKeys) {
      if (one.name != key) continue;
      known = any = true;
      const auto value = one.number(value_in(line));
      if (!value) in.fail(i, fmt::format("{}: \"{}\" is no quantity", key, value_in(line)));
      const bool job = one.what == Watched::samples_per_s;
      in.rate({one.what, job ? "" : in.name(), ""}, NAN, *value);
    }
    if (!known) in.left_out(key);
  }
  if (any) in.source("gpufeed observe");
  return any;
}

}  // namespace gpufeed
