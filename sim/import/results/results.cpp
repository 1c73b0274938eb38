// SPDX-License-Identifier: Apache-2.0
#include "sim/import/results/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/base/diagnostics.h"
#include "sim/base/files/paste.h"
#include "sim/import/fio/fio_file.h"
#include "sim/import/results/parts.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

/// A quantity in digits enough for what tools print.
std::string digits(double value) { return fmt::format("{:.7g}", value); }

std::int64_t within(std::int64_t value, std::int64_t most, const char* what, const IoRun& run,
                    const std::string& name) {
  if (value < 1 || value > most)
    refuse_results(name, run.line,
                   fmt::format("{} from 1 to {} can be simulated; found {}", what, most, value));
  return value;
}

std::string row_of(const MeasuredValue& one) {
  std::string out = fmt::format("  {{ key = {}, value = {}, unit = {}", toml_string(one.key),
                                digits(one.value), toml_string(one.unit));
  if (one.spread) out += fmt::format(", spread = {}", digits(*one.spread));
  if (!one.mechanism.empty()) out += fmt::format(", mechanism = {}", toml_string(one.mechanism));
  return out + " },\n";
}

/// Each host's share of what was measured.
MeasuredRun measured_run(const IoRun& run, const std::string& name) {
  const IoJob& io = run.io;
  constexpr std::int64_t kMostJobs = 4096;
  constexpr std::int64_t kMostDepth = 65536;
  within(io.jobs, kMostJobs, "threads", run, name);
  within(io.queue_depth, kMostDepth, "requests under way", run, name);
  if (io.block_size.value < 512 || io.block_size.value > 1e9)
    refuse_results(
        name, run.line,
        fmt::format("blocks of 512 B to 1 GB can be simulated; found {}", text(io.block_size)));
  const std::string_view way = run.writes ? "write" : "read";
  MeasuredRun out;
  out.title = fmt::format("{}: {} threads, {}, depth {}, {}{}{}", way, io.jobs,
                          binary_size(io.block_size.value), io.queue_depth, name_of(io.pattern),
                          io.direct ? ", direct" : "",
                          run.hosts > 1 ? fmt::format(", one of {} hosts", run.hosts) : "");
  out.set = {fmt::format("workload.io.block_size={:.0f} B", io.block_size.value),
             fmt::format("workload.io.queue_depth={}", io.queue_depth),
             fmt::format("workload.io.jobs={}", io.jobs),
             fmt::format("workload.io.pattern={}", name_of(io.pattern)),
             fmt::format("workload.io.read_share={} %", run.writes ? 0 : 100),
             fmt::format("workload.io.direct={}", io.direct),
             fmt::format("workload.io.engine={}", name_of(io.engine))};
  constexpr double kMega = 1e6;
  const auto hosts = static_cast<double>(run.hosts);
  MeasuredValue bytes{fmt::format("io[{}].bandwidth_Bps", way), run.Bps / hosts / kMega, "MB/s"};
  if (run.spread_Bps) bytes.spread = *run.spread_Bps / hosts / kMega;
  out.values.push_back(bytes);
  if (run.iops && *run.iops > 0)
    out.values.push_back({fmt::format("io[{}].iops", way), *run.iops / hosts, "/s"});
  return out;
}

}  // namespace

void refuse_results(const std::string& name, std::size_t line, const std::string& why) {
  const int at = static_cast<int>(line);
  throw InputError({{{name, at, at > 0 ? 1 : 0}, why, ProblemCode::unusable_file}});
}

bool is_cut(std::string_view text, const ReportLines& lines, std::size_t line) {
  return line + 1 == lines.size() && !text.ends_with('\n');
}

std::string told_as_cut(const ReportLines& lines, std::size_t line) {
  return fmt::format("{}, line {}: it is cut", lines.name(), line + 1);
}

std::optional<double> whole_number_text(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc{} || rest != end || !std::isfinite(value)) return {};
  return value;
}

std::optional<double> size_text_bytes(std::string_view text) {
  std::string plain(text);
  std::erase(plain, ' ');
  if (plain.ends_with("bytes")) plain.resize(plain.size() - 5);
  return fio_size(plain);
}

void assume(ToolResults& results, const std::string& what) {
  if (std::ranges::count(results.assumed, what) == 0) results.assumed.push_back(what);
}

void add_run(ToolResults& results, const IoRun& run, const std::string& name) {
  results.runs.push_back(measured_run(run, name));
  if (run.hosts > 1)
    assume(results, fmt::format("what each of {} hosts had is held against one host alone, with "
                                "whom nobody shares the storage",
                                run.hosts));
  if (!run.writes && !run.io.direct)
    assume(results, "nothing of what was read lay in the page cache");
  if (run.io.file_size)
    assume(results, fmt::format("files have no end; of a store with a protocol, "
                                "workload.io.file_size says that they are of {}",
                                binary_size(run.io.file_size->value)));
}

std::string binary_size(double bytes) {
  constexpr std::array<std::pair<double, const char*>, 3> kUnits{
      {{1073741824, "GiB"}, {1048576, "MiB"}, {1024, "KiB"}}};
  for (const auto& [unit, called] : kUnits)
    if (bytes >= unit && std::fmod(bytes, unit) == 0)
      return fmt::format("{:.0f} {}", bytes / unit, called);
  return fmt::format("{:.0f} B", bytes);
}

std::optional<ResultTool> tool_of_results(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (has("\"nvbandwidth\"") || (has("memcpy") && has("bandwidth (GB/s)")))
    return ResultTool::nvbandwidth;
  if ((has("algbw") && has("busbw")) || (has("# nThread ") && has(" nGpus ")))
    return ResultTool::nccl_tests;
  if (has("# darshan log version") || has("\tPOSIX_BYTES_READ\t") || has("total_POSIX_BYTES_READ"))
    return has("X_POSIX") ? std::nullopt : std::optional(ResultTool::darshan);
  if (has("\"bwMiB\"") || has(" bw(MiB/s) ") || has("MPI Coordinated Test of Parallel I/O"))
    return ResultTool::ior;
  if ((has("\"phase_type\"") && has("\"last_done\"")) || has("MiB/s [last]") ||
      has("Throughput MiB/s") || (has("OPERATION") && has("RESULT TYPE")))
    return ResultTool::elbencho;
  return {};
}

ToolResults read_results(std::string_view text, const std::string& name) {
  const auto tool = tool_of_results(text);
  if (!tool)
    refuse_results(name, 1,
                   "this is no output of elbencho, IOR, nvbandwidth, nccl-tests, rccl-tests or "
                   "darshan-parser: a heading is missing, or it is of another program");
  constexpr std::array kReaders{read_elbencho, read_ior, read_nvbandwidth, read_nccl_tests,
                                read_darshan};
  ToolResults out = kReaders.at(static_cast<std::size_t>(*tool))(text, name);
  out.tool = *tool;
  if (out.runs.empty())
    refuse_results(name, 0,
                   fmt::format("nothing that can be simulated was measured{}{}",
                               out.left_out.empty() ? "" : ": ",
                               printable(fmt::format("{}", fmt::join(out.left_out, "; ")))));
  return out;
}

std::string results_scenario(const ToolResults& results, const std::string& system,
                             const std::optional<std::string>& at, const std::string& before) {
  std::string out = before.empty() ? "" : "[" + before.substr(0, before.size() - 1) + "]\n";
  out += fmt::format("system = {}\n\n[{}workload]\nkind = \"{}\"\n", toml_string(system), before,
                     results.kind);
  if (results.kind == "io")
    out += fmt::format("\n[{0}workload.io]\n\n[{0}data]\n{1}", before,
                       at ? fmt::format("at = {}\n", toml_string(*at)) : "");
  return out;
}

std::string results_cases(const ToolResults& results, const std::string& source,
                          const std::string& system, const std::optional<std::string>& at) {
  const std::string tool(name_of(results.tool));
  std::string out = fmt::format(
      "# What {} measured, by gpufeed import results: gpufeed validate "
      "FILE predicts it.\n",
      tool);
  for (const auto& one : results.left_out) out += fmt::format("# Not taken: {}\n", printable(one));
  for (const auto& one : results.assumed) out += fmt::format("# Assumed: {}\n", printable(one));
  out += fmt::format("schema = 1\ntitle = {}\nsource = {}\nmechanism = {}\n\n",
                     toml_string(source + ", by " + tool), toml_string(source),
                     toml_string(results.mechanism));
  out += results_scenario(results, system, at, "scenario.");
  for (const MeasuredRun& run : results.runs) {
    out += fmt::format("\n[[case]]\ntitle = {}\nset = {}\nmeasured = [\n", toml_string(run.title),
                       toml_value(run.set));
    for (const MeasuredValue& one : run.values) out += row_of(one);
    out += "]\n";
  }
  return out;
}

}  // namespace gpufeed
