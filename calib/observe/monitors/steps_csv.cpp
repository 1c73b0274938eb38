// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "calib/observe/monitors/series.h"
#include "sim/load/csv/csv.h"

namespace gpufeed {
namespace {

std::string low(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

/// TensorBoard's download ("Wall time,Step,Value"), and logs of a loop of one's own: a step, and a
/// time or a rate of samples.
class StepsCsv {
 public:
  explicit StepsCsv(MonitorReader& in) : in_(in) {}

  bool read() {
    std::string text;
    for (const std::string& line : in_.lines()) text += line + "\n";
    CsvLines lines(text);
    if (!lines.next() || !read_head(lines.fields())) return false;
    while (lines.next()) read_row(lines);
    if (rows_ == 0) in_.fail(0, "no step is below this heading");
    in_.source(fmt::format("CSV of steps, {} rows", rows_));
    return true;
  }

 private:
  static bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
    return std::ranges::any_of(words, [&](const char* one) { return word == one; });
  }

  bool read_head(const std::vector<CsvField>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::string name = low(fields[i].text);
      if (is_one_of(name, {"step", "global_step", "iteration", "iter"})) step_ = i;
      if (is_one_of(name, {"wall time", "wall_time", "time", "timestamp", "time_s", "elapsed"}))
        time_ = i;
      if (is_one_of(name, {"samples_per_s", "samples_per_sec", "samples/s", "samples/sec",
                           "images_per_sec", "images/sec", "img/s", "throughput",
                           "samples_per_second", "train_samples_per_second"}))
        rate_ = i;
      if (is_one_of(name, {"step_time", "step_time_s", "step_s", "iteration_time", "iter_time"}))
        length_ = i;
      names_.emplace_back(fields[i].text);
    }
    if (rate_) return true;
    return step_ && (time_ || length_);
  }

  void read_row(const CsvLines& lines) {
    const auto& fields = lines.fields();
    const auto value = [&](const std::optional<std::size_t>& column) -> std::optional<double> {
      if (!column || *column >= fields.size()) return {};
      const auto number = number_at(fields[*column].text);
      return number ? number : seconds_in(fields[*column].text);
    };
    const auto at = value(time_);
    const auto step = value(step_);
    const auto samples = value(rate_);
    const auto length = value(length_);
    if ((rate_ && !samples) || (!rate_ && (!step || (time_ && !at) || (length_ && !length))))
      return in_.left_out(fmt::format("line {}: a cell is missing or no number", lines.line()));
    ++rows_;
    if (samples) return in_.rate({Watched::samples_per_s, "", ""}, at.value_or(NAN), *samples);
    const SeriesKey key{Watched::steps_per_s, "", in_.name()};
    if (length && *length > 0) return in_.rate(key, at.value_or(NAN), 1 / *length);
    in_.counter(key, *at, *step);
  }

  MonitorReader& in_;
  std::vector<std::string> names_;
  std::optional<std::size_t> step_;
  std::optional<std::size_t> time_;
  std::optional<std::size_t> rate_;
  std::optional<std::size_t> length_;
  std::size_t rows_ = 0;
};

}  // namespace

bool read_steps(MonitorReader& in) { return StepsCsv(in).read(); }

}  // namespace gpufeed
