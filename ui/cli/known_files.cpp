// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/known_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "calib/discover/report/report.h"
#include "calib/discover/topo_table.h"
#include "calib/requests/job_log.h"
#include "sim/base/files/read_file.h"
#include "sim/import/results/results.h"
#include "sim/load/csv/csv.h"
#include "sim/load/csv/tool_logs.h"
#include "sim/load/read/front_door.h"
#include "ui/cli/written_files.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view without_space(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::optional<KnownFile> json_file(std::string_view text) {
  if (has(text, "\"gpufeed_raw\"")) return KnownFile::raw;
  if (has(text, "\"fio version\"")) return KnownFile::fio;
  if (has(text, "\"input_length\"") && has(text, "\"output_length\""))
    return KnownFile::request_log;
  if (has(text, "\"schema_version\"") && has(text, "\"engine\"")) return KnownFile::result;
  if (has(text, "\"model_type\"") || has(text, "\"hidden_size\"") || has(text, "\"_class_name\""))
    return KnownFile::model_config;
  for (const char* of : {"\"lscpu\"", "\"blockdevices\"", "\"ifname\"", "\"DevicePath\""})
    if (has(text, of)) return KnownFile::machine;
  return {};
}

std::optional<KnownFile> csv_file(std::string_view text) {
  CsvLines lines(text);
  while (lines.next())
    if (!lines.fields().front().text.starts_with('#')) break;
  std::set<std::string> names;
  for (const CsvField& field : lines.fields()) {
    const std::string name = lower(field.text);
    names.insert(name.substr(0, name.find_first_of(" (")));
  }
  if (names.size() < 2) return {};
  if (names.contains("name") && names.contains("price")) return KnownFile::prices;
  const bool place = names.contains("offset") || names.contains("bytes") || names.contains("size");
  const bool file = names.contains("file") || names.contains("filename") || names.contains("path");
  if (place && file) return KnownFile::access_log;
  if (names.contains("input_length") && names.contains("output_length"))
    return KnownFile::request_log;
  if (names.contains("command")) return KnownFile::job_log;
  return {};
}

/// Sections of which one has what every job of fio says.
bool is_fio_job(std::string_view text) {
  const bool section = text.starts_with('[') || has(text, "\n[");
  return section && (has(text, "\nrw=") || has(text, "\nreadwrite=") || has(text, "\nioengine=") ||
                     has(text, "\nrw =") || has(text, "\nioengine ="));
}

/// The heading of Slurm's sinfo.
bool is_node_list(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return has(first, "NODELIST") && (has(first, "STATE") || has(first, "NODES"));
}

/// A section of DLIO's YAML at the beginning of a line.
bool is_dlio(std::string_view text) {
  int sections = 0;
  for (const std::string_view section :
       {"model:", "framework:", "workflow:", "dataset:", "reader:", "data_reader:", "train:",
        "checkpoint:", "metric:", "workload:"})
    if (text.starts_with(section) || has(text, "\n" + std::string(section))) ++sections;
  return sections > 1;
}

std::optional<KnownFile> toml_file(const Names& keys) {
  const auto one = [&](std::string_view key) { return std::ranges::count(keys, key) > 0; };
  for (const char* scenario : {"workload", "axis", "case", "cluster"})
    if (one(scenario)) return {};
  if (one("bar")) return KnownFile::bars;
  if (one("parameter")) return KnownFile::parameters;
  if (one("socket")) return KnownFile::system;
  if (one("title") && one("source") && one("basis")) return KnownFile::entry;
  return {};
}

/// Whole lines: what a file is shows early.
std::string_view head_of(std::string_view text) {
  constexpr std::size_t kEnough = 1 << 20;
  return text.size() <= kEnough ? text : text.substr(0, text.rfind('\n', kEnough));
}

}  // namespace

std::optional<KnownFile> known_file(std::string_view text, const std::string& name) {
  const std::string_view begin = without_space(text);
  const bool json = begin.starts_with("{") || begin.starts_with("[");
  if (!json && written_in_words(begin)) return KnownFile::written;
  if (begin.starts_with("<!DOCTYPE html") || begin.starts_with("<html")) return {};
  if (begin.starts_with('<')) return KnownFile::machine;
  if (begin.starts_with("{") || begin.starts_with("[{") || begin.starts_with("[\n")) {
    if (const auto kind = json_file(text)) return kind;
    if (tool_of_results(text)) return KnownFile::results;
    return written_in_words(begin) ? std::optional(KnownFile::written) : std::nullopt;
  }
  if (has(text, "\"fio version\"")) return KnownFile::fio;
  if (tool_of_results(text)) return KnownFile::results;
  if (has_topo_table(text) || has(text, "==> /sys/") || has(text, "Socket(s):") ||
      text.starts_with("NodeName=") || has(text, "\nNodeName=") || is_node_list(begin) ||
      has(text, "(UUID: GPU-"))
    return KnownFile::machine;
  Diagnostics not_this;
  if (const auto table = parse_toml(text, name, not_this); table && !table->empty())
    return toml_file(keys_of(*table));
  if (is_dlio(begin)) return KnownFile::dlio;
  if (is_fio_job(begin)) return KnownFile::fio_job;
  if (csv_of_tool_log(text)) return KnownFile::access_log;
  if (const auto csv = csv_file(text)) return csv;
  try {
    machine_of_report({{name, std::string(text)}});
    return KnownFile::machine;
  } catch (const InputError&) {
    return {};
  }
}

std::string file_in_words(KnownFile kind) {
  switch (kind) {
    case KnownFile::machine:
      return "what a program printed of a machine, which gpufeed discover --from FILE reads";
    case KnownFile::dlio:
      return "a workload of DLIO, which gpufeed import dlio FILE reads";
    case KnownFile::fio:
      return "the JSON of fio, which gpufeed calibrate FILE reads";
    case KnownFile::fio_job:
      return "a job file of fio, which gpufeed import fio FILE reads";
    case KnownFile::result:
      return "a result, which gpufeed simulate wrote";
    case KnownFile::written:
      return "what gpufeed wrote";
    case KnownFile::raw:
      return "raw measurements, which gpufeed calibrate --raw FILE reads";
    case KnownFile::model_config:
      return "the configuration of a network, which gpufeed import model FILE reads";
    case KnownFile::prices:
      return "a list of prices, which --prices FILE takes";
    case KnownFile::access_log:
      return "a log of requests, which gpufeed import log FILE reads";
    case KnownFile::results:
      return "what a benchmark measured, which gpufeed import results FILE reads";
    case KnownFile::bars:
      return "bars of mechanisms, which gpufeed validate FOLDER reads in its folder";
    case KnownFile::request_log:
      return "a log of requests to a language model, which log of [serving.requests] names";
    case KnownFile::job_log:
      return "a log of jobs, which gpufeed requests FILE reads";
    case KnownFile::parameters:
      return "parameters, which --params FILE takes";
    case KnownFile::system:
      return "a machine, which system = \"FILE\" of a scenario names";
    case KnownFile::entry:
      return "an entry of a catalog, whose folder --catalog takes";
  }
  return "";
}

std::string right_verbs(const std::vector<Problem>& problems,
                        const std::vector<std::string>& arguments) {
  constexpr std::uintmax_t kLargest = 64 << 20;
  constexpr std::array kOfNoVerb{KnownFile::written, KnownFile::prices, KnownFile::parameters,
                                 KnownFile::system, KnownFile::entry};
  std::set<std::string> seen;
  std::string out;
  for (const Problem& problem : problems) {
    const std::string& file = problem.where.file;
    std::error_code none;
    if (std::ranges::count(arguments, file) == 0 || !seen.insert(file).second ||
        !fs::is_regular_file(file, none))
      continue;
    Diagnostics unread;
    const auto text = read_text_file(file, kLargest, unread);
    const auto kind = text ? known_file(head_of(*text), file) : std::nullopt;
    if (!kind || std::ranges::count(kOfNoVerb, *kind) > 0) continue;
    const std::string words = file_in_words(*kind);
    if (!has(words, fmt::format("gpufeed {} ", arguments.front())) ||
        (arguments.front() == "import" && arguments.size() > 1 &&
         !has(words, fmt::format("gpufeed import {} ", arguments[1]))))
      out += fmt::format("{} looks like {}\n", file, words);
  }
  return out;
}

}  // namespace gpufeed::cli
