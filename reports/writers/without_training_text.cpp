// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/without_training_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "reports/writers/pipeline_text.h"
#include "reports/writers/serving_text.h"
#include "sim/base/units.h"
#include "sim/model/workload.h"

namespace gpufeed {
namespace {

/// "lat (usec): avg=83.40". fio picks the unit by the least and the largest latency; the mean
/// stands for both here.
std::string fio_latency(double seconds) {
  const double ns = seconds * 1e9;
  if (ns > 99'999'999) return fmt::format("lat (msec): avg={:5.2f}", ns / 1e6);
  if (ns > 2000) return fmt::format("lat (usec): avg={:5.2f}", ns / 1e3);
  return fmt::format("lat (nsec): avg={:5.2f}", ns);
}

/// fio prints more of them, one below another.
std::string fio_percentiles(const IoLine& line) {
  const bool ms = line.latency_p99_s > 0.1;
  const double unit = ms ? 1e3 : 1e6;
  const auto one = [&](const char* name, double seconds) {
    return fmt::format("{}=[{:.{}f}]", name, seconds * unit, ms ? 1 : 2);
  };
  return fmt::format("lat percentiles ({}): {}, {}, {}", ms ? "msec" : "usec",
                     one("50.00th", line.latency_p50_s), one("95.00th", line.latency_p95_s),
                     one("99.00th", line.latency_p99_s));
}

std::string replay_rows(const LogReplaySummary& replay) {
  const double longer = replay.replay_s - replay.log_s;
  return "\n" +
         item("Replay", fmt::format("the log's {} took {}, {} longer", time_text(replay.log_s),
                                    time_text(replay.replay_s, replay.log_s), time_text(longer))) +
         item("Page cache", replay.hit_rate > 0
                                ? fmt::format("held {} of the bytes read", percent(replay.hit_rate))
                                : "held nothing of what was read") +
         item("Storage", fmt::format("{} read, {} written", text(Bytes{replay.read_B}, 4),
                                     text(Bytes{replay.written_B}, 4)));
}

std::string upper(std::string word) {
  for (char& c : word) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return word;
}

std::string lifetime_text(double seconds) {
  constexpr double kYear = 365.25 * 86400;
  constexpr double kDay = 86400;
  return seconds >= kYear ? text_number(seconds / kYear, 2) + " years"
                          : text_number(seconds / kDay, 2) + " days";
}

std::string io_lines(const Result& result) {
  std::string out;
  for (const auto& line : result.io) {
    out += fmt::format("  {}: IOPS={}, BW={}\n", line.direction, fio_number(line.iops, false),
                       fio_rate(line.bandwidth_Bps));
    if (std::isfinite(line.latency_mean_s))
      out += fmt::format("     {}\n", fio_latency(line.latency_mean_s));
    if (std::isfinite(line.latency_p99_s)) out += fmt::format("     {}\n", fio_percentiles(line));
  }
  out += "\nRun status group 0 (all jobs):\n";
  for (const auto& line : result.io)
    out += fmt::format("{:>7}: bw={}\n", upper(line.direction), fio_rate(line.bandwidth_Bps));
  if (result.replay) out += replay_rows(*result.replay);
  for (const auto& line : result.io)
    if (std::isfinite(line.drive_lifetime_s))
      out += "\n" +
             item("Drive lifetime", lifetime_text(line.drive_lifetime_s) +
                                        " of such writes, by the endurance that the maker states");
  return out;
}

std::string in_GBps(double bytes_per_s) {
  return std::isfinite(bytes_per_s) ? fmt::format("{:.2f}", bytes_per_s / 1e9) : "N/A";
}

std::string matrix_text(const TransferMatrix& matrix) {
  std::string out = matrix.title + "\n  ";
  const std::size_t columns = matrix.bandwidth_Bps.empty() ? 0 : matrix.bandwidth_Bps[0].size();
  for (std::size_t column = 0; column < columns; ++column) out += fmt::format("{:>10}", column);
  out += "\n";
  for (std::size_t row = 0; row < matrix.bandwidth_Bps.size(); ++row) {
    out += fmt::format("{:>2}", row);
    for (const double rate : matrix.bandwidth_Bps[row]) out += fmt::format("{:>10}", in_GBps(rate));
    out += "\n";
  }
  return out + fmt::format("\nSUM {} {}\n\n", matrix.test, in_GBps(matrix.sum_Bps));
}

std::string matrices(const Result& result) {
  std::string out;
  for (const auto& matrix : result.transfers) {
    if (!matrix.begins.empty()) out += fmt::format("Running {}.\n", matrix.begins);
    out += matrix_text(matrix);
  }
  if (!out.empty()) out.pop_back();  // nvbandwidth's empty line at the end
  return out;
}

std::string copy_row(std::string_view name, double rate, std::string_view limit) {
  std::string row = fmt::format("  {:<52}{:>10}  {}", clipped(name, 51), in_GBps(rate),
                                clipped(limit, kScreenWidth - 66));
  row.resize(row.find_last_not_of(' ') + 1);
  return row + "\n";
}

std::string copy_rows(const Result& result) {
  if (result.copies.empty()) return "";
  std::string out =
      fmt::format("{:<54}{:>10}  {}\n", "Copies at the same time", "GB/s", "limited by");
  double sum = 0;
  for (const auto& copy : result.copies) {
    std::string name = copy.from + " -> " + copy.to;
    if (!copy.via.empty()) name += " via " + copy.via;
    if (copy.streams > 1) name += fmt::format(", {} streams", copy.streams);
    out += copy_row(name, copy.bandwidth_Bps, in_words(copy.limit));
    sum += copy.bandwidth_Bps;
  }
  return out + copy_row("sum", sum, "");
}

/// The columns of nccl-tests that an answer fills.
std::string collective_rows(const Result& result) {
  std::string out, operation;
  for (const auto& line : result.collectives) {
    if (std::exchange(operation, line.operation) != line.operation)
      out += fmt::format("{}{:<16}{:>13}{:>12}{:>10}{:>10}  {}\n", out.empty() ? "" : "\n",
                         line.operation, "size (B)", "time (us)", "algbw", "busbw", "GB/s");
    out += fmt::format("{:>29.0f}{:>12.2f}{:>10}{:>10}  {}\n", line.size_B, line.time_s * 1e6,
                       in_GBps(line.algorithm_Bps), in_GBps(line.bus_Bps),
                       line.algorithm + (line.protocol.empty() ? "" : ", " + line.protocol));
  }
  return out;
}

/// Of products that hardly compute, no digits behind those that a column has.
std::string at_least(double value, double least, const std::string& shown,
                     const std::string& shown_least) {
  return value < least ? "<" + shown_least : shown;
}

std::string product_rows(const Result& result) {
  constexpr double kLeastTera = 0.001;
  constexpr double kLeastShare = 0.0001;
  std::string out = fmt::format("{:>9}{:>9}{:>9}{:>13}{:>11}{:>8}  {}\n", "m", "n", "k",
                                "time (us)", "TFLOP/s", "peak", "limited by");
  for (const auto& line : result.products)
    out += fmt::format(
        "{:>9}{:>9}{:>9}{:>13.2f}{:>11}{:>8}  {}\n", line.m, line.n, line.k, line.time_s * 1e6,
        at_least(line.flop_per_s / 1e12, kLeastTera, text_number(line.flop_per_s / 1e12, 3),
                 "0.001"),
        at_least(line.share_of_peak, kLeastShare, text(Ratio{line.share_of_peak}, 2), "0.01 %"),
        in_words(line.limit));
  return out;
}

std::string phase_row(std::string_view name, const CheckpointPhase& phase) {
  return fmt::format("{:<8}{:>12}{:>13}{:>12}{:>13}  {}\n", name, time_text(phase.rank0_s),
                     text(Bandwidth{phase.rank0_Bps}, 4), time_text(phase.slowest_s),
                     text(Bandwidth{phase.slowest_Bps}, 4), in_words(phase.limit));
}

std::string checkpointing_rows(const Result& result) {
  if (!result.checkpointing) return "";
  return fmt::format("{:<8}{:>25}{:>25}  {}\n", "", "rank 0", "slowest rank", "limited by") +
         phase_row("save", result.checkpointing->save) +
         phase_row("load", result.checkpointing->load);
}

/// Resources that do the same share a row.
struct Row {
  const ResourceUse* first;
  int like_it = 0;
};

std::vector<Row> rows_of(const Result& result) {
  std::vector<Row> rows;
  for (const auto& resource : result.resources) {
    const auto same = std::ranges::find_if(rows, [&](const Row& row) {
      const ResourceUse& other = *row.first;
      return other.kind == resource.kind && other.capacity == resource.capacity &&
             other.basis == resource.basis &&
             std::abs(other.utilization - resource.utilization) < 1e-6;
    });
    if (same == rows.end())
      rows.push_back({&resource});
    else
      ++same->like_it;
  }
  std::ranges::stable_sort(rows, std::greater{},
                           [](const Row& row) { return std::round(row.first->utilization * 1e6); });
  return rows;
}

std::string resource_rows(const Result& result) {
  constexpr std::size_t kShown = 6;
  constexpr std::size_t kNames = 32;
  auto rows = rows_of(result);
  rows.resize(std::min(rows.size(), kShown));
  std::string out = fmt::format("\n{:<{}}{:>9}{:>12}  {}\n", "What it takes", kNames + 22, "load",
                                "of at most", "known by");
  for (const Row& row : rows) {
    const ResourceUse& use = *row.first;
    const std::string more = row.like_it > 0 ? fmt::format(" and {} like it", row.like_it) : "";
    const std::string name = "  " + clipped(use.id, kNames - 3 - more.size()) + more;
    const double load = use.utilization > 1 - 1e-6 ? 1 : use.utilization;
    out += fmt::format("{:<{}}{}{:>9}{:>12}  {}\n", name, kNames, bar({load}, "#"), percent(load),
                       text(Bandwidth{use.capacity}, 3), use.basis);
  }
  return out;
}

}  // namespace

bool trains_nothing(const Result& result) {
  return result.kind != kind_of<kind::Training> && result.kind != kind_of<kind::Emulated> &&
         result.kind != kind_of<kind::Loader>;
}

std::string text_without_training(const Result& result) {
  std::string familiar = result.io.empty() ? "" : io_lines(result);
  familiar += matrices(result);
  if (!result.transfers.empty() && !result.copies.empty()) familiar += "\n";
  familiar +=
      copy_rows(result) + pipeline_rows(result) + serving_rows(result) + checkpointing_rows(result);
  if (!result.collectives.empty())
    return familiar + collective_rows(result) + limit_lines(result.bottleneck);
  if (!result.products.empty())
    return familiar + product_rows(result) + limit_lines(result.bottleneck);
  return familiar + resource_rows(result) + limit_lines(result.bottleneck);
}

std::string fio_number(double value, bool binary) {
  constexpr std::array<std::string_view, 6> kPrefixes{"", "k", "M", "G", "T", "P"};
  constexpr std::array<std::string_view, 6> kBinary{"", "Ki", "Mi", "Gi", "Ti", "Pi"};
  constexpr std::size_t kWidth = 4;
  const auto step = static_cast<std::uint64_t>(binary ? 1024 : 1000);
  auto number = static_cast<std::uint64_t>(std::llround(value));
  std::uint64_t rest = 0;
  std::size_t prefix = 0;
  for (; std::to_string(number).size() > kWidth && prefix + 1 < kPrefixes.size(); ++prefix) {
    rest = number % step;
    number /= step;
  }
  const std::string_view name = binary ? kBinary[prefix] : kPrefixes[prefix];
  const std::size_t digits = std::to_string(number).size();
  if (prefix == 0) return fmt::format("{}", number);
  if (digits + 1 >= kWidth) return fmt::format("{}{}", number + (rest >= step / 2 ? 1 : 0), name);
  const double exact =
      static_cast<double>(number) + static_cast<double>(rest) / static_cast<double>(step);
  std::string text = fmt::format("{:.{}f}", exact, kWidth - digits - 1);
  text.resize(std::min(text.size(), kWidth));  // 9.996 becomes 10.00, 99.96 100.0
  if (text.back() == '.') text.pop_back();
  return text + std::string(name);
}

std::string fio_rate(double bytes_per_s) {
  return fmt::format("{}B/s ({}B/s)", fio_number(bytes_per_s, true),
                     fio_number(bytes_per_s, false));
}

}  // namespace gpufeed
