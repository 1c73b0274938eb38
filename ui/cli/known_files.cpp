// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/known_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "calib/discover/report/report.h"
#include "calib/discover/topo_table.h"
#include "calib/fit/fio_json.h"
#include "calib/requests/job_log.h"
#include "sim/base/files/read_file.h"
#include "sim/import/dlio.h"
#include "sim/import/model_config.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/csv/access_log.h"
#include "sim/load/csv/csv.h"
#include "sim/load/csv/price_list.h"
#include "sim/load/csv/tool_logs.h"
#include "sim/load/load.h"
#include "sim/load/read/front_door.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/study/parameters.h"
#include "sim/model/catalog/system.h"
#include "ui/places/places.h"

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
  if (has(text, "\"fio version\"")) return KnownFile::fio;
  if (has(text, "\"schema_version\"") && has(text, "\"engine\"")) return KnownFile::result;
  if (has(text, "\"model_type\"") || has(text, "\"hidden_size\"")) return KnownFile::model_config;
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
  if (names.contains("command")) return KnownFile::job_log;
  return {};
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
  if (one("parameter")) return KnownFile::parameters;
  if (one("socket")) return KnownFile::system;
  if (one("title") && one("source") && one("basis")) return KnownFile::entry;
  return {};
}

/// The kind of an entry: its folder's name, or the one kind that has all of its keys.
std::string kind_of_entry(const Names& keys, const std::string& file) {
  std::string folder = fs::absolute(file).parent_path().filename().string();
  if (std::ranges::count(catalog_kinds(), folder) > 0) return folder;
  Names kinds;
  for (const std::string& kind : catalog_kinds()) {
    const Names known = keys_of_kind(kind);
    if (std::ranges::all_of(keys, [&](const std::string& key) {
          return std::ranges::count(known, key) > 0 || key == "like" || key == "schema";
        }))
      kinds.push_back(kind);
  }
  if (kinds.size() == 1) return kinds.front();
  return "";
}

std::string checked_entry(const std::string& text, const std::string& file) {
  Diagnostics problems;
  const auto table = parse_toml(text, file, problems);
  problems.throw_if_any();
  const std::string kind = kind_of_entry(keys_of(*table), file);
  const fs::path path = fs::absolute(file);
  if (kind != path.parent_path().filename().string())
    throw InputError(
        {{{file, 1, 1},
          fmt::format("this is an entry of a catalog{}: it is checked as FOLDER/{}/{}, where "
                      "--catalog FOLDER takes it",
                      kind.empty() ? "" : " of kind " + kind, kind.empty() ? "KIND" : kind,
                      path.filename().string())}});
  const Catalog own = catalog_with({path.parent_path().parent_path().string()});
  for (const EntryText& entry : describe_entry(own, path.stem().string()))
    if (entry.kind == kind) return fmt::format("an entry of the catalog, of kind {}", kind);
  return "an entry of the catalog";
}

/// "1 socket", "2 sockets".
std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string checked_machine(const std::string& text, const std::string& file) {
  const FoundMachine machine = machine_of_report({{file, text}});
  const auto count = [&](FoundKind kind) {
    return static_cast<std::size_t>(std::ranges::count(machine.devices, kind, &FoundDevice::kind));
  };
  return fmt::format(
      "a machine with {}, {} and {}; gpufeed discover --from {} makes a system of it",
      counted(machine.sockets.size(), "socket"), counted(count(FoundKind::gpu), "GPU"),
      counted(count(FoundKind::nic), "network card"), file);
}

std::string checked_prices(const std::string& text, const std::string& file,
                           const Catalog& catalog) {
  Names known;
  for (const char* const kind : {"system", "chassis", "gpu", "cpu", "memory", "drive", "array",
                                 "nic", "switch", "network-switch", "cable"})
    for (const auto& name : catalog.names(kind)) known.push_back(name);
  Diagnostics problems;
  const PriceList prices = parse_prices(text, file, known, problems);
  problems.throw_if_any();
  return fmt::format("{}, which --prices {} takes", counted(prices.size(), "price"), file);
}

std::string checked_log(const std::string& text, const std::string& file) {
  Diagnostics problems;
  const auto log = parse_access_log(text, file, problems);
  problems.throw_if_any();
  return fmt::format("a log of {} to {}, which gpufeed import log reads",
                     counted(log->requests.size(), "request"),
                     counted(static_cast<std::size_t>(log->files), "file"));
}

}  // namespace

std::optional<KnownFile> known_file(std::string_view text, const std::string& name) {
  const std::string_view begin = without_space(text);
  if (begin.starts_with('<')) return KnownFile::machine;
  if (begin.starts_with("{") || begin.starts_with("[{") || begin.starts_with("[\n"))
    return json_file(text);
  if (has(text, "\"fio version\"")) return KnownFile::fio;
  if (has_topo_table(text) || has(text, "==> /sys/") || has(text, "Socket(s):") ||
      has(text, "(UUID: GPU-"))
    return KnownFile::machine;
  Diagnostics not_this;
  if (const auto table = parse_toml(text, name, not_this); table && !table->empty())
    return toml_file(keys_of(*table));
  if (is_dlio(begin)) return KnownFile::dlio;
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
    case KnownFile::result:
      return "a result, which gpufeed simulate wrote";
    case KnownFile::model_config:
      return "the configuration of a language model, which gpufeed import model FILE reads";
    case KnownFile::prices:
      return "a list of prices, which --prices FILE takes";
    case KnownFile::access_log:
      return "a log of requests, which gpufeed import log FILE reads";
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

std::string checked_file(KnownFile kind, const std::string& text, const std::string& file,
                         const Catalog& catalog) {
  switch (kind) {
    case KnownFile::machine:
      return checked_machine(text, file);
    case KnownFile::dlio:
      return parse_dlio(text, file).checkpointed
                 ? "a workload of DLIO that saves checkpoints"
                 : "a workload of DLIO; gpufeed import dlio reads it";
    case KnownFile::fio:
      return fmt::format("fio's JSON with {} points; gpufeed calibrate reads it",
                         parse_fio(text, file).size());
    case KnownFile::model_config:
      parse_model_config(text, file);
      return "a language model; gpufeed import model reads it";
    case KnownFile::prices:
      return checked_prices(text, file, catalog);
    case KnownFile::access_log:
      return checked_log(text, file);
    case KnownFile::parameters:
      return fmt::format("{} parameters, which --params {} takes",
                         load_parameters(file, catalog).parameters.size(), file);
    case KnownFile::system: {
      const auto system = parse_system(
          fmt::format("system = {}\n", toml_string(fs::absolute(file).string())), file, catalog);
      return fmt::format("a machine with {} and {}", counted(system->sockets.size(), "socket"),
                         counted(system->gpus.size(), "GPU"));
    }
    case KnownFile::entry:
      return checked_entry(text, file);
    case KnownFile::result:
    case KnownFile::job_log:
      return file_in_words(kind);
  }
  return "";
}

std::string right_verbs(const std::vector<Problem>& problems,
                        const std::vector<std::string>& arguments) {
  constexpr std::uintmax_t kLargest = 64 << 20;
  constexpr std::array kOfNoVerb{KnownFile::prices, KnownFile::parameters, KnownFile::system,
                                 KnownFile::entry};
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
    const auto kind = text ? known_file(*text, file) : std::nullopt;
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
