// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "calib/observe/monitors/json.h"
#include "calib/observe/monitors/series.h"

namespace gpufeed {
namespace {

using Labels = std::map<std::string, std::string>;

std::string label(const Labels& labels, const char* name) {
  const auto at = labels.find(name);
  return at == labels.end() ? "" : at->second;
}

/// "node1:9100" is node1.
std::string node_of(const Labels& labels) {
  for (const char* name : {"Hostname", "hostname", "node", "nodename", "instance"})
    if (const std::string value = label(labels, name); !value.empty())
      return value.substr(0, value.find(':'));
  return "";
}

/// A gauge or counter of which a share or sum is taken, and the label that names its part.
struct Metric {
  const char* name;
  Watched what;
  bool counter;
  double unit;
  const char* part;
};

// DCGM: dcgm_fields.h and dcgm-exporter's default-counters.csv. Node exporter: its README's
// collectors cpu, diskstats, netdev, infiniband, mountstats. nvidia_gpu_exporter: its README.
constexpr Metric kMetrics[] = {
    {"DCGM_FI_DEV_GPU_UTIL", Watched::gpu_use, false, 0.01, "gpu"},
    {"dcgm_gpu_utilization", Watched::gpu_use, false, 0.01, "gpu"},
    {"nvidia_smi_utilization_gpu_ratio", Watched::gpu_use, false, 1, "uuid"},
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", Watched::gpu_use, false, 1, "gpu"},
    {"node_disk_read_bytes_total", Watched::read_Bps, true, 1, "device"},
    {"node_disk_reads_completed_total", Watched::reads_per_s, true, 1, "device"},
    {"node_mountstats_nfs_total_read_bytes_total", Watched::read_Bps, true, 1, "export"},
    {"node_network_receive_bytes_total", Watched::received_Bps, true, 1, "device"},
    {"node_infiniband_port_data_received_bytes_total", Watched::received_Bps, true, 1, "device"},
    {"node_cpu_seconds_total", Watched::cores, true, 1, "cpu"}};

bool is_busy(const std::string& mode) {
  static const std::set<std::string> kBusy{"user", "nice", "system", "irq", "softirq"};
  return kBusy.contains(mode);
}

/// "name{a="1",b="2"} 0.5 1700000000000".
class Exposition {
 public:
  explicit Exposition(std::string_view line) : rest_(line) {}

  bool read() {
    skip_blanks();
    std::size_t end = 0;
    while (end < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[end])) != 0 ||
                                  rest_[end] == '_' || rest_[end] == ':'))
      ++end;
    if (end == 0 || std::isdigit(static_cast<unsigned char>(rest_[0])) != 0) return false;
    metric = std::string(rest_.substr(0, end));
    rest_.remove_prefix(end);
    skip_blanks();
    if (rest_.starts_with('{') && !read_labels()) return false;
    const auto words = words_in(std::string(rest_));
    if (words.empty() || words.size() > 2) return false;
    const auto number = number_at(words[0]);
    if (!number && words[0] != "NaN" && words[0] != "+Inf" && words[0] != "-Inf") return false;
    value = number.value_or(NAN);
    constexpr double kMilli = 1e-3;
    if (words.size() == 2) {
      const auto stamp = number_at(words[1]);
      if (!stamp) return false;
      time_s = *stamp * kMilli;
    }
    return true;
  }

  std::string metric;
  Labels labels;
  double value = NAN;
  double time_s = NAN;

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }

  bool read_labels() {
    rest_.remove_prefix(1);
    while (!rest_.empty() && rest_.front() != '}') {
      const std::size_t equals = rest_.find("=\"");
      if (equals == std::string_view::npos) return false;
      std::string name(rest_.substr(0, equals));
      std::erase(name, ' ');
      rest_.remove_prefix(equals + 2);
      std::string text;
      while (!rest_.empty() && rest_.front() != '"') {
        if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
        text += rest_.front();
        rest_.remove_prefix(1);
      }
      if (rest_.empty()) return false;
      rest_.remove_prefix(1);
      labels[name] = text;
      if (rest_.starts_with(',')) rest_.remove_prefix(1);
      skip_blanks();
    }
    if (rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
};

}  // namespace

void take_metric(MonitorReader& in, const std::string& metric, const Labels& labels, double time_s,
                 double value) {
  const auto* const known =
      std::ranges::find_if(kMetrics, [&](const Metric& one) { return one.name == metric; });
  if (known == std::end(kMetrics)) return in.left_out(metric);
  std::string part = label(labels, known->part);
  const std::string node = node_of(labels);
  if (known->what == Watched::cores) {
    const std::string mode = label(labels, "mode");
    if (!is_busy(mode)) return;
    part += " " + mode;
  }
  if (known->what == Watched::gpu_use) part = "GPU " + part;
  const bool disk = std::string_view(known->part) == "device" &&
                    (known->what == Watched::read_Bps || known->what == Watched::reads_per_s);
  if (disk && is_made_disk(part))
    return in.left_out(fmt::format("{}: made of other drives, or a part of one", part));
  if (known->what == Watched::received_Bps && is_made_card(part))
    return in.left_out(fmt::format("{}: a card of software", part));
  const SeriesKey key{known->what, node, part};
  if (known->counter)
    in.counter(key, time_s, value * known->unit);
  else
    in.rate(key, time_s, value * known->unit);
}

bool read_prometheus(MonitorReader& in) {
  std::vector<Exposition> values;
  std::size_t others = 0;
  std::size_t first_other = 0;
  double clock = NAN;
  for (std::size_t i = 0; i < in.lines().size(); ++i) {
    const std::string& line = in.lines()[i];
    if (line.empty() || line.starts_with('#') || words_in(line).empty()) continue;
    Exposition one(line);
    if (!one.read()) {
      if (others++ == 0) first_other = i;
      continue;
    }
    if (one.metric == "node_time_seconds") clock = one.value;  // the exporter's own clock
    values.push_back(std::move(one));
  }
  const bool any = std::ranges::any_of(
      values, [](const Exposition& one) { return one.metric.find('_') != std::string::npos; });
  if (!any || others > values.size()) return false;
  if (others > 0)
    in.left_out(
        fmt::format("{} lines from line {} on that are no metrics", others, first_other + 1));
  for (const Exposition& one : values)
    if (one.metric != "node_time_seconds")
      take_metric(in, one.metric, one.labels, std::isnan(one.time_s) ? clock : one.time_s,
                  one.value);
  in.source("metrics of Prometheus");
  return true;
}

bool read_range_query(MonitorReader& in) {
  if (in.text().find("\"resultType\"") == std::string::npos) return false;
  const Json json = json_of(in);
  const auto data = json.is_object() ? json.find("data") : json.end();
  if (data == json.end()) return false;
  for (const Json& series : list_in(*data, "result")) {
    Labels labels;
    if (const auto metric = series.is_object() ? series.find("metric") : series.end();
        metric != series.end() && metric->is_object())
      for (const auto& [name, value] : metric->items())
        if (value.is_string()) labels[name] = value.get<std::string>();
    const std::string name = label(labels, "__name__");
    if (name.empty()) {
      in.left_out("a series without a name, as rate(...) gives it: query the counter itself");
      continue;
    }
    const auto take = [&](const Json& pair) {
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_string())
        return in.left_out(fmt::format("a value of {} that is no pair of time and text", name));
      take_metric(in, name, labels, pair[0].get<double>(),
                  number_at(pair[1].get<std::string>()).value_or(NAN));
    };
    for (const Json& pair : list_in(series, "values")) take(pair);
    if (series.contains("value")) take(series["value"]);
  }
  in.source("range query of Prometheus");
  return true;
}

}  // namespace gpufeed
