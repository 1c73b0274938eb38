// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "calib/discover/report/report.h"
#include "calib/fit/fio_json.h"
#include "reports/writers/json.h"
#include "sim/base/files/transient_folder.h"
#include "sim/base/files/write_whole.h"
#include "sim/import/dlio.h"
#include "sim/import/fio/fio_file.h"
#include "sim/import/fio/fio_job.h"
#include "sim/import/model_config.h"
#include "sim/import/networks/network_config.h"
#include "sim/import/results/results.h"
#include "sim/load/csv/access_log.h"
#include "sim/load/csv/price_list.h"
#include "sim/load/load.h"
#include "sim/load/read/front_door.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/serving/request_log.h"
#include "sim/load/study/parameters.h"
#include "sim/load/study/validation.h"
#include "sim/model/catalog/system.h"
#include "ui/cli/known_files.h"
#include "ui/cli/numbers.h"
#include "ui/cli/written_files.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

/// The kind of an entry: its folder's name, that of the only entry that it is like, or the one kind
/// that has all of its keys.
std::string kind_of_entry(const Names& keys, const std::string& like, const std::string& file,
                          const Catalog& catalog) {
  std::string folder = fs::absolute(file).parent_path().filename().string();
  if (std::ranges::count(catalog_kinds(), folder) > 0) return folder;
  Names kinds;
  for (const std::string& kind : catalog_kinds()) {
    const Names known = keys_of_kind(kind);
    if (std::ranges::all_of(keys,
                            [&](const std::string& key) {
                              return std::ranges::count(known, key) > 0 || key == "like" ||
                                     key == "schema";
                            }) &&
        (like.empty() || std::ranges::count(catalog.names(kind), like) > 0))
      kinds.push_back(kind);
  }
  if (kinds.size() == 1) return kinds.front();
  return "";
}

/// \throws InputError  where the entry of that kind is wrong
void read_entry_in(const fs::path& folder, const std::string& kind, const std::string& name) {
  const Catalog own = catalog_with({folder.string()});
  Diagnostics problems;
  entries_of_kind(own, kind, {}, problems);
  const std::string end = fmt::format("{}/{}.toml", kind, name);
  std::vector<Problem> of_it;
  for (const Problem& one : problems.problems())
    if (one.where.file.ends_with(end)) of_it.push_back(one);
  if (!of_it.empty()) throw InputError(std::move(of_it));
}

/// The same of a file that lies in no folder of its kind: of a copy in one, told at its own place.
void check_elsewhere(const std::string& text, const std::string& file, const std::string& kind) {
  const TransientFolder folder;
  const std::string name = fs::path(file).stem().string();
  fs::create_directory(folder.path() / kind);
  write_new(folder.path() / kind / (name + ".toml"), text);
  try {
    read_entry_in(folder.path(), kind, name);
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& one : problems) one.where.file = file;
    throw InputError(std::move(problems));
  }
}

std::string checked_entry(const std::string& text, const std::string& file,
                          const Catalog& catalog) {
  Diagnostics problems;
  const auto table = parse_toml(text, file, problems);
  problems.throw_if_any();
  const std::string kind =
      kind_of_entry(keys_of(*table), (*table)["like"].value_or(std::string()), file, catalog);
  if (kind.empty())
    throw InputError({{{file, 1, 1},
                       "this is an entry of a catalog, of which kind its keys do not tell: put it "
                       "into a folder of that name, such as drive or gpu"}});
  const fs::path path = fs::absolute(file);
  if (kind == path.parent_path().filename().string())
    read_entry_in(path.parent_path().parent_path(), kind, path.stem().string());
  else
    check_elsewhere(text, file, kind);
  return fmt::format(
      "an entry of the catalog, of kind {}, which --catalog FOLDER takes as FOLDER/{}"
      "/{}",
      kind, kind, path.filename().string());
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

std::string checked_requests(const std::string& text, const std::string& file) {
  Diagnostics problems;
  const auto requests = parse_request_log(text, file, problems);
  problems.throw_if_any();
  return fmt::format("a log of {} to a language model, which log of [serving.requests] names",
                     counted(requests.size(), "request"));
}

/// Of every job.
std::string checked_fio_job(const std::string& text, const std::string& file) {
  Diagnostics problems;
  std::size_t jobs = 0;
  for (const FioSection& section : parse_fio_file(text, file).sections) {
    if (section.name == "global") continue;
    ++jobs;
    try {
      parse_fio_job(text, file, section.name);
    } catch (const InputError& error) {
      problems.add(error.problems());
    }
  }
  problems.throw_if_any();
  return fmt::format("{} of fio; gpufeed import fio {} reads one", counted(jobs, "job"), file);
}

/// One result, or several in a list. \throws InputError  at the file's place
std::string checked_results(const std::string& text, const std::string& file) try {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '[') return "results of several scenarios";
  const Result result = result_from_json(text);
  return fmt::format("a result of \"{}\", by gpufeed {}", result.title, result.version);
} catch (const InputError& error) {
  std::vector<Problem> problems = error.problems();
  for (Problem& one : problems) one.where.file = file;
  throw InputError(std::move(problems));
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
      if (parse_network_config(text, file, {}))
        return "a network that sees, hears or draws; gpufeed import model reads it";
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
      return checked_entry(text, file, catalog);
    case KnownFile::fio_job:
      return checked_fio_job(text, file);
    case KnownFile::result:
      return checked_results(text, file);
    case KnownFile::written:
      return written_in_words(text).value_or(file_in_words(kind));
    case KnownFile::bars:
      return counted(load_bars(file, catalog).bars.size(), "bar") + " of mechanisms";
    case KnownFile::request_log:
      return checked_requests(text, file);
    case KnownFile::results: {
      const ToolResults results = read_results(text, file);
      return fmt::format("{} of {}, which gpufeed import results reads",
                         counted(results.runs.size(), "run"), name_of(results.tool));
    }
    case KnownFile::raw:
    case KnownFile::job_log:
      return file_in_words(kind);
  }
  return "";
}

}  // namespace gpufeed::cli
