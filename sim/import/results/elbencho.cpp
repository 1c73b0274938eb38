// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/files/paste.h"
#include "sim/base/printable.h"
#include "sim/import/results/json_text.h"
#include "sim/import/results/parts.h"
#include "sim/load/csv/csv.h"

namespace gpufeed {
namespace {

/// How a phase was run, and what the slowest thread's end ("last done") says of it.
/// \source  elbencho, docs/result-columns; source/Statistics.cpp
struct Phase {
  std::string name;                         ///< "READ"
  std::map<std::string, std::string> told;  ///< by elbencho's own names of columns
  std::size_t line = 0;
};

/// Columns of --csvfile, and what --jsonfile calls them.
constexpr std::array<std::pair<const char*, const char*>, 7> kConfig{{{"hosts", "hosts"},
                                                                      {"threads", "threads"},
                                                                      {"file size", "file_size"},
                                                                      {"block size", "block_size"},
                                                                      {"direct IO", "direct_io"},
                                                                      {"random", "random_offsets"},
                                                                      {"IO depth", "io_depth"}}};

class ElbenchoReader {
 public:
  explicit ElbenchoReader(const std::string& name) : name_(name) {
    out_.kind = "io";
    out_.mechanism = "reading and writing";
  }

  void take(const Phase& phase) {
    const bool reads = phase.name == "READ";
    if (!reads && phase.name != "WRITE") {
      leave_out(phase, phase.name.starts_with("RWMIX") ? "what of a mix was read is not told apart"
                                                       : "it moves no bytes of files");
      return;
    }
    const auto rate = number(phase, "MiB/s");
    if (!rate || *rate <= 0) return leave_out(phase, "no throughput is told; is the text cut?");
    IoRun run;
    run.writes = !reads;
    run.line = phase.line;
    run.hosts = whole(phase, "hosts", 1);
    run.io.jobs = whole(phase, "threads", 1);
    run.io.queue_depth = whole(phase, "IO depth", 1);
    run.io.engine = run.io.queue_depth > 1 ? IoEngine::libaio : IoEngine::psync;
    run.io.direct = truth(phase, "direct IO");
    run.io.pattern = truth(phase, "random") ? AccessPattern::random : AccessPattern::sequential;
    constexpr double kMebi = 1048576;
    run.Bps = *rate * kMebi;
    run.iops = number(phase, "IOPS");
    run.io.block_size = {size(phase, "block size").value_or(0)};
    if (run.io.block_size.value <= 0)
      refuse_results(name_, phase.line,
                     fmt::format("how {} was run is not told: the line \"COMMAND LINE:\" of "
                                 "--resfile, or the command itself, stands above its results; "
                                 "--csvfile and --jsonfile tell it, too",
                                 phase.name));
    if (const auto file = size(phase, "file size"); file && *file >= run.io.block_size.value)
      run.io.file_size = Bytes{*file};
    add_run(out_, run, name_);
  }

  void leave_out(std::string what) { out_.left_out.push_back(std::move(what)); }

  ToolResults finish(Names unread = {}) {
    std::ranges::move(unread, std::back_inserter(out_.left_out));
    return std::move(out_);
  }

 private:
  void leave_out(const Phase& phase, const std::string& why) {
    out_.left_out.push_back(fmt::format("{} of line {}: {}", phase.name, phase.line, why));
  }

  static const std::string* text_of(const Phase& phase, const std::string& key) {
    const auto found = phase.told.find(key);
    return found == phase.told.end() || found->second.empty() ? nullptr : &found->second;
  }

  std::optional<double> number(const Phase& phase, const std::string& key) const {
    const std::string* const text = text_of(phase, key);
    if (!text) return {};
    const auto value = whole_number_text(*text);
    if (!value || *value < 0)
      refuse_results(name_, phase.line,
                     fmt::format("{} of {} must be a number; found \"{}\"", key, phase.name,
                                 printable(*text)));
    return value;
  }
  std::int64_t whole(const Phase& phase, const std::string& key, std::int64_t standard) const {
    constexpr double kMost = 1e9;
    const auto value = number(phase, key);
    return value ? static_cast<std::int64_t>(std::clamp(*value, 0.0, kMost)) : standard;
  }
  static bool truth(const Phase& phase, const std::string& key) {
    const std::string* const text = text_of(phase, key);
    return text && *text != "0" && *text != "false";
  }
  std::optional<double> size(const Phase& phase, const std::string& key) const {
    const std::string* const text = text_of(phase, key);
    if (!text) return {};
    const auto value = size_text_bytes(*text);
    if (!value)
      refuse_results(
          name_, phase.line,
          fmt::format("{} of {} must be a size; found \"{}\"", key, phase.name, printable(*text)));
    return value;
  }

  const std::string& name_;
  ToolResults out_;
};

/// How many "node[1-8,12],other" are.
std::int64_t hosts_in(const std::string& list) {
  std::int64_t count = 0;
  bool within = false;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find_first_of(",[]", at), list.size());
    const std::string_view one = std::string_view(list).substr(at, end - at);
    const bool opens = end < list.size() && list[end] == '[';
    const std::size_t dash = one.find('-');
    const auto first = whole_number_text(one.substr(0, dash));
    const auto last =
        within && dash != std::string_view::npos ? whole_number_text(one.substr(dash + 1)) : first;
    if (!one.empty() && !opens)
      count += within && first && last ? static_cast<std::int64_t>(*last - *first) + 1 : 1;
    if (end < list.size() && list[end] != ',') within = opens;
    at = end + 1;
  }
  return std::max<std::int64_t>(count, 1);
}

/// What options of a command line say, by the names of the columns. \source  elbencho --help-all
std::map<std::string, std::string> options_in(const std::string& line) {
  std::map<std::string, std::string> out;
  auto words = split_words(line);
  for (std::string& word : words) std::erase(word, '"');
  constexpr std::array<std::pair<const char*, const char*>, 9> kValues{{{"-t", "threads"},
                                                                        {"--threads", "threads"},
                                                                        {"-b", "block size"},
                                                                        {"--block", "block size"},
                                                                        {"-s", "file size"},
                                                                        {"--size", "file size"},
                                                                        {"--iodepth", "IO depth"},
                                                                        {"--hosts", "hosts"},
                                                                        {"--hostsfile", "hosts"}}};
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    std::optional<std::string> value;
    if (const auto equal = word.find('='); word.starts_with("--") && equal != std::string::npos) {
      value = word.substr(equal + 1);
      word.resize(equal);
    } else if (word.size() > 2 && word[0] == '-' && word[1] != '-') {  // "-t8"
      value = word.substr(2);
      word.resize(2);
    } else if (i + 1 < words.size()) {
      value = words[i + 1];
    }
    if (word == "--direct") out["direct IO"] = "1";
    if (word == "--rand") out["random"] = "1";
    for (const auto& [option, column] : kValues)
      if (word == option && value)
        out[column] = word == "--hosts" ? std::to_string(hosts_in(*value)) : *value;
  }
  if (!out.contains("threads")) out["threads"] = "1";
  if (!out.contains("block size")) out["block size"] = "1m";
  return out;
}

/// "WRITE       Elapsed time     :     4.250s      4.371s", and rows of it without the name.
ToolResults elbencho_screen(std::string_view text, const std::string& name) {
  ReportLines lines(text, name);
  ElbenchoReader reader(name);
  std::map<std::string, std::string> options;
  std::optional<Phase> open;
  const auto close = [&] {
    if (open) reader.take(*open);
    open.reset();
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const bool command =
        line.starts_with("COMMAND LINE") ||
        (line.find("elbencho ") != std::string::npos && line.find(" -") != std::string::npos &&
         line.find(" : ") == std::string::npos);
    if (command) {
      close();
      options = options_in(line);
    }
    if (command || line.starts_with("ISO DATE") || line.starts_with("OPERATION") ||
        line.starts_with("===") || line.starts_with("---"))
      lines.use(i);
    const std::size_t colon = line.find(" : ");
    if (colon == std::string::npos) continue;
    auto left = split_words(std::string_view(line).substr(0, colon));
    const auto right = split_words(std::string_view(line).substr(colon + 3));
    const bool begins = !line.starts_with(' ') && left.size() > 1 && left[1] == "Elapsed";
    if (!begins && (!open || left.empty() || !line.starts_with(' '))) continue;
    lines.use(i);
    if (begins) {
      close();
      open = Phase{left.front(), options, i + 1};
      continue;
    }
    if (right.empty() || right.front() == "[") continue;  // latencies
    if (right.size() < 2 || is_cut(text, lines, i)) {
      reader.leave_out(told_as_cut(lines, i));
      continue;
    }
    if (left.front() == "Throughput") open->told["MiB/s"] = right.back();
    if (left.front() == "IOPS") open->told["IOPS"] = right.back();
  }
  close();
  return reader.finish(unread_in_words(lines));
}

ToolResults elbencho_csv(std::string_view text, const std::string& name) {
  ElbenchoReader reader(name);
  CsvLines lines(text);
  std::vector<std::string> heading;
  while (lines.next()) {
    std::vector<std::string> fields;
    for (const CsvField& field : lines.fields()) fields.emplace_back(field.text);
    if (std::ranges::count(fields, "MiB/s [last]") > 0) {
      heading = fields;
      continue;
    }
    Phase phase;
    phase.line = static_cast<std::size_t>(lines.line());
    if (heading.empty())
      refuse_results(name, phase.line, "the heading of its columns must stand above this line");
    if (fields.size() < heading.size())
      refuse_results(name, phase.line,
                     fmt::format("{} columns are named, and {} are in this line: is it cut?",
                                 heading.size(), fields.size()));
    for (std::size_t i = 0; i < heading.size(); ++i) phase.told[heading[i]] = fields[i];
    phase.name = phase.told["operation"];
    phase.told["MiB/s"] = phase.told["MiB/s [last]"];
    phase.told["IOPS"] = phase.told["IOPS [last]"];
    reader.take(phase);
  }
  return reader.finish();
}

/// One object a line, a phase each.
ToolResults elbencho_json(std::string_view text, const std::string& name) {
  ElbenchoReader reader(name);
  ReportLines lines(text, name);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with('{')) continue;
    const nlohmann::json root = nlohmann::json::parse(lines[i], nullptr, false);
    if (root.is_discarded() || !root.contains("phase_type") || !root["phase_type"].is_string())
      refuse_results(name, i + 1, "this is not JSON of a phase of elbencho: is the line cut?");
    lines.use(i);
    Phase phase{root["phase_type"].get<std::string>(), {}, i + 1};
    const nlohmann::json config = root.value("config", nlohmann::json::object());
    const nlohmann::json done = root.value("last_done", nlohmann::json::object());
    for (const auto& [column, key] : kConfig)
      if (config.is_object() && config.contains(key)) phase.told[column] = plain_text(config[key]);
    if (done.is_object() && done.contains("iops")) phase.told["IOPS"] = plain_text(done["iops"]);
    constexpr double kMebi = 1048576;
    if (done.is_object() && done.contains("bytes/s")) {
      const auto bytes = whole_number_text(plain_text(done["bytes/s"]));
      phase.told["MiB/s"] = bytes ? fmt::format("{}", *bytes / kMebi) : plain_text(done["bytes/s"]);
    }
    reader.take(phase);
  }
  return reader.finish(unread_in_words(lines));
}

}  // namespace

ToolResults read_elbencho(std::string_view text, const std::string& name) {
  if (text.find("\"phase_type\"") != std::string_view::npos) return elbencho_json(text, name);
  if (text.find("MiB/s [last]") != std::string_view::npos) return elbencho_csv(text, name);
  return elbencho_screen(text, name);
}

}  // namespace gpufeed
