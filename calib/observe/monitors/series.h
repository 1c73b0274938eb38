// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calib/observe/monitors/monitors.h"

namespace gpufeed {

enum class Watched {
  gpu_use,        ///< 0 to 1, of any kernel, those that wait for others too
  computing,      ///< 0 to 1, of kernels that are no collectives
  read_Bps,       ///< from drives or a store
  reads_per_s,    ///< requests of these
  received_Bps,   ///< by a network card
  cores,          ///< busy ones
  steps_per_s,    ///< of training
  samples_per_s,  ///< of all GPUs
};

/// What one part of one node does: a GPU, a drive, a card, a rank.
struct SeriesKey {
  Watched what = Watched::gpu_use;
  std::string node;  ///< empty where it is not told
  std::string part;

  auto operator<=>(const SeriesKey&) const = default;
};

/// A look: at a rate over the time before, or at a counter. NaN: the time is not told.
struct Look {
  double time_s = 0;
  double value = 0;
};

/// What texts tell, before it is put together.
struct MonitorFacts {
  std::map<SeriesKey, std::vector<Look>> rates;
  std::map<SeriesKey, std::vector<Look>> counters;
  std::map<SeriesKey, std::string> told_by;  ///< the first text to tell of it
  std::optional<double> time_s;              ///< of what has no times of its own
  std::vector<std::string> sources;
  std::vector<std::string> notes;
  std::vector<std::string> left_out;

  void watched_for(double seconds);
};

/// One text, by lines, and what it adds to the facts. Of a series that another text told already,
/// the first stays.
class MonitorReader {
 public:
  MonitorReader(const MonitorText& text, MonitorFacts& facts);

  const std::vector<std::string>& lines() const { return lines_; }
  const std::string& text() const { return text_.text; }
  const std::string& name() const { return text_.name; }  ///< of the file, for messages
  MonitorFacts& facts() { return facts_; }

  void rate(const SeriesKey& key, double time_s, double value);
  void counter(const SeriesKey& key, double time_s, double value);
  /// \param what  "nvidia-smi dmon"; told with the name of the file
  void source(const std::string& what);
  void note(const std::string& what);
  void left_out(const std::string& what);  ///< each once
  [[noreturn]] void fail(std::size_t line, const std::string& message) const;

 private:
  bool is_ours(const SeriesKey& key);

  const MonitorText& text_;
  std::vector<std::string> lines_;
  MonitorFacts& facts_;
};

// Each reads one kind of text. \return false where it is another kind
bool read_smi(MonitorReader& in);           ///< nvidia-smi dmon, --query-gpu; dcgmi dmon
bool read_sysstat(MonitorReader& in);       ///< iostat -x
bool read_sysstat_json(MonitorReader& in);  ///< iostat -o JSON, sadf -j
bool read_stores(MonitorReader& in);        ///< nfsiostat, Lustre
bool read_prometheus(MonitorReader& in);    ///< text exposition
bool read_range_query(MonitorReader& in);
bool read_trace(MonitorReader& in);  ///< of PyTorch's profiler
bool read_seen(MonitorReader& in);   ///< files of gpufeed observe, one a node
bool read_steps(MonitorReader& in);  ///< CSV of steps

/// One value of an exporter. \param time_s  NaN: not told
void take_metric(MonitorReader& in, const std::string& metric,
                 const std::map<std::string, std::string>& labels, double time_s, double value);

bool is_made_disk(const std::string& name);  ///< of others: loop, md, dm; or a partition
bool is_made_card(const std::string& name);  ///< of software: lo, docker, veth

// Of text.
std::vector<std::string> words_in(const std::string& line);
/// The number a text is, with or without a unit behind it ("87 %"); nothing where it is none.
std::optional<double> number_at(std::string_view text);
/// Seconds of a date and time as monitors write them: "2024/01/15 10:00:00.123",
/// "2024-01-15T10:00:00Z", "10:00:00", "10:00:00 AM". Nothing where it is none.
std::optional<double> seconds_in(std::string_view text);

}  // namespace gpufeed
