// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "calib/observe/monitors/series.h"
#include "sim/base/printable.h"
#include "sim/load/csv/csv.h"

namespace gpufeed {
namespace {

constexpr double kPercent = 0.01;

/// nvidia-smi dmon: "# gpu pwr gtemp sm mem", "# Idx W C % %", then a row a GPU; with -o DT a date
/// and a time before. dcgmi dmon: "#Entity GPUTL", "ID", "GPU 0 87".
class DeviceMonitor {
 public:
  explicit DeviceMonitor(MonitorReader& in) : in_(in) {}

  bool read() {
    for (const std::string& line : in_.lines()) {
      const auto words = words_in(line);
      if (words.empty()) continue;
      if (words[0].starts_with('#'))
        read_head(words);
      else if (!columns_.empty())
        read_row(words);
    }
    if (columns_.empty()) return false;
    in_.source(fmt::format("{}, {} GPUs", tool_, gpus_.size()));
    tell_columns();
    return true;
  }

 private:
  void read_head(std::vector<std::string> words) {
    if (words[0] == "#") words.erase(words.begin());
    if (words.empty()) return;
    if (words[0].starts_with('#')) words[0].erase(0, 1);
    const auto is = [&](const char* name) { return std::ranges::count(words, name) > 0; };
    if (is("gpu") && !is("Idx")) {
      columns_ = words;
      tool_ = "nvidia-smi dmon";
    } else if (words[0] == "Entity") {
      columns_ = words;
      tool_ = "dcgmi dmon";
    }
  }

  void read_row(std::vector<std::string> words) {
    if (tool_ == "dcgmi dmon") {
      if (words[0] == "ID") return;
      if (words.size() < 2 || words[0] != "GPU")
        return in_.left_out(fmt::format("lines that begin with {}", printable(words[0])));
      words.erase(words.begin());
    }
    std::string gpu;
    std::string time;
    std::optional<double> use;
    for (std::size_t i = 0; i < std::min(words.size(), columns_.size()); ++i) {
      const std::string& column = columns_[i];
      if (column == "Date") time = dashed(words[i]);
      if (column == "Time") time += (time.empty() ? "" : " ") + words[i];
      if (column == "gpu" || column == "Entity") gpu = words[i];
      const auto value = number_at(words[i]);
      if (!value) continue;
      if (column == "sm" || column == "GPUTL") use = *value * kPercent;
      if (column == "GRACT" && !use) use = *value;
    }
    if (gpu.empty() || !number_at(gpu)) return;
    if (words.size() < columns_.size())
      return in_.left_out(fmt::format("GPU {}: a row that is cut", gpu));
    gpus_.insert(gpu);
    if (!use) return in_.left_out(fmt::format("GPU {}: its use is not told", gpu));
    in_.rate({Watched::gpu_use, "", "GPU " + gpu}, seconds_in(time).value_or(NAN), *use);
  }

  /// "20240115" as "2024-01-15".
  static std::string dashed(const std::string& date) {
    if (date.size() != 8) return date;
    return date.substr(0, 4) + "-" + date.substr(4, 2) + "-" + date.substr(6);
  }

  void tell_columns() {
    const std::set<std::string> taken{"gpu", "Idx", "sm", "GPUTL", "Entity", "Date", "Time"};
    std::string others;
    for (const std::string& column : columns_)
      if (!taken.contains(column)) others += (others.empty() ? "" : ", ") + column;
    if (!others.empty()) in_.left_out(fmt::format("columns {} of {}", others, tool_));
  }

  MonitorReader& in_;
  std::vector<std::string> columns_;
  std::string tool_;
  std::set<std::string> gpus_;
};

/// nvidia-smi --query-gpu=timestamp,index,utilization.gpu --format=csv.
class GpuQueryCsv {
 public:
  explicit GpuQueryCsv(MonitorReader& in) : in_(in) {}

  bool read() {
    std::string text;
    for (const std::string& line : in_.lines()) text += line + "\n";
    CsvLines lines(text);
    while (lines.next()) {
      std::vector<std::string> fields;
      for (const CsvField& field : lines.fields()) fields.emplace_back(field.text);
      if (is_head(fields)) {
        columns_ = fields;
        for (std::string& column : columns_) column = column.substr(0, column.find(" ["));
      } else if (!columns_.empty()) {
        read_row(fields);
      }
    }
    if (columns_.empty()) return false;
    in_.source(fmt::format("nvidia-smi --query-gpu, {} GPUs", gpus_.size()));
    tell_columns();
    return true;
  }

 private:
  static bool is_head(const std::vector<std::string>& fields) {
    return std::ranges::any_of(fields, [](const std::string& one) {
      return one.starts_with("utilization.gpu") || one.starts_with("utilization.memory");
    });
  }

  void read_row(const std::vector<std::string>& fields) {
    std::string gpu = "0";
    std::string time;
    std::optional<double> use;
    for (std::size_t i = 0; i < std::min(fields.size(), columns_.size()); ++i) {
      const std::string& column = columns_[i];
      if (column == "timestamp") time = fields[i];
      if (column == "index" || column == "gpu_bus_id" || column == "pci.bus_id" ||
          column == "uuid" || column == "gpu_uuid")
        if (gpu == "0" || column == "index") gpu = fields[i];
      if (column == "utilization.gpu") use = number_at(fields[i]);
    }
    gpus_.insert(gpu);
    if (!use) return in_.left_out(fmt::format("GPU {}: its use is not told", gpu));
    in_.rate({Watched::gpu_use, "", "GPU " + gpu}, seconds_in(time).value_or(NAN), *use * kPercent);
  }

  void tell_columns() {
    std::string others;
    const std::set<std::string> taken{"timestamp", "index", "utilization.gpu",
                                      "name",      "uuid",  "pci.bus_id"};
    for (const std::string& column : columns_)
      if (!taken.contains(column)) others += (others.empty() ? "" : ", ") + column;
    if (!others.empty()) in_.left_out(fmt::format("columns {}", others));
  }

  MonitorReader& in_;
  std::vector<std::string> columns_;
  std::set<std::string> gpus_;
};

}  // namespace

bool read_smi(MonitorReader& in) { return DeviceMonitor(in).read() || GpuQueryCsv(in).read(); }

}  // namespace gpufeed
