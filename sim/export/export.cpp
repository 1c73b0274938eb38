// SPDX-License-Identifier: Apache-2.0
#include "sim/export/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "sim/base/diagnostics.h"
#include "sim/base/printable.h"
#include "sim/export/parts.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// How a tool is called, as its users call it.
std::string_view called(ExportTool tool) {
  switch (tool) {
    case ExportTool::dlio:
      return "DLIO";
    case ExportTool::ior:
      return "IOR";
    case ExportTool::pytorch:
      return "PyTorch's DataLoader";
    default:
      return name_of(tool);
  }
}

ToolText text_of_tool(ExportTool tool, const ExportSource& source,
                      const std::optional<ExportPattern>& pattern) {
  switch (tool) {
    case ExportTool::fio:
      return fio_text(source, pattern);
    case ExportTool::dlio:
      return dlio_text(source, pattern);
    case ExportTool::elbencho:
      return elbencho_text(source);
    case ExportTool::ior:
      return ior_text(source);
    case ExportTool::nccl_tests:
      return nccl_tests_text(source);
    case ExportTool::pytorch:
      break;
  }
  return pytorch_text(source);
}

/// Whether `path` is `key`, or lies in the table or array that stands there.
bool is_within(std::string_view path, std::string_view key) {
  if (!path.starts_with(key)) return false;
  return path.size() == key.size() || path[key.size()] == '.' || path[key.size()] == '[';
}

bool is_in_one_of(std::string_view path, const Names& keys) {
  return std::ranges::any_of(keys, [&](const std::string& key) { return is_within(path, key); });
}

/// What describes the file or steers gpufeed's own simulation is no part of the job.
bool is_of_no_job(std::string_view path) {
  static const Names kOwn{"schema", "run", "cost", "workload.learn_from"};
  const std::string_view last = path.substr(path.rfind('.') + 1);
  return is_in_one_of(path, kOwn) || last == "title" || last == "source" || last == "basis" ||
         last == "description";
}

/// The table of a key that lies deeper than `section.key`; empty for others, which stand alone.
std::string table_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const bool deep = dot != std::string::npos && path.find('.') < dot;
  return deep ? path.substr(0, dot) : "";
}

/// What of the given keys nobody says: the machine's tables by their names, others with values.
Names unsaid(const ExportSource& source, const Names& said) {
  static const Names kMachine{"system", "nodes", "fabric", "store", "replace", "own", "data.at"};
  std::set<std::string> machine;
  Names out;
  for (const auto& [path, value] : source.given) {
    if (is_in_one_of(path, said) || is_of_no_job(path)) continue;
    if (is_in_one_of(path, kMachine))
      machine.insert(path == "data.at" ? path : path.substr(0, path.find_first_of(".[")));
    else if (const std::string table = table_of(path); table.empty())
      out.push_back(fmt::format("{} = {}", path, value));
    else if (!out.empty() && out.back().starts_with(table + ": "))
      out.back() += fmt::format(", {} = {}", path.substr(table.size() + 1), value);
    else
      out.push_back(fmt::format("{}: {} = {}", table, path.substr(table.size() + 1), value));
  }
  if (!machine.empty())
    out.insert(out.begin(),
               fmt::format("the machine and its place for data ({}): it runs on the one it is "
                           "started on",
                           fmt::join(machine, ", ")));
  return out;
}

/// A comment of lines of at most 100 columns.
std::string comment(const std::string& label, const std::string& what) {
  constexpr std::size_t kMost = 100;
  std::string out;
  std::string line = "# " + label;
  std::istringstream words(printable(what));
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > kMost) {
      out += line + "\n";
      line = "#  ";
    }
    line += " " + word;
  }
  return out + line + "\n";
}

std::string heading(ExportTool tool, const ExportSource& source, const Exported& made) {
  std::string out =
      fmt::format("# {}; for {}, by gpufeed export {}.\n",
                  printable(source.scenario.title.empty() ? source.name : source.scenario.title),
                  called(tool), name_of(tool));
  for (const auto& one : made.left_out) out += comment("Left out:", one);
  for (const auto& one : made.chosen) out += comment("Not in the scenario, chosen here:", one);
  return out;
}

}  // namespace

void refuse_kind(ExportTool tool, const ExportSource& source, const std::string& takes) {
  const Workload& workload = source.scenario.workload;
  throw InputError({{workload.where,
                     fmt::format("workload.kind is \"{}\", and {} has nothing for it: {}",
                                 name_of(workload.kind()), called(tool), takes),
                     ProblemCode::conflict, KeyPath("workload.kind")}});
}

std::string whole_bytes(double bytes) { return fmt::format("{:.0f}", std::round(bytes)); }

Exported export_scenario(ExportTool tool, const ExportSource& source,
                         const std::optional<ExportPattern>& pattern) {
  ToolText of_tool = text_of_tool(tool, source, pattern);
  Exported made;
  made.left_out = std::move(of_tool.left_out);
  std::ranges::move(unsaid(source, of_tool.said), std::back_inserter(made.left_out));
  made.chosen = std::move(of_tool.chosen);
  made.text = heading(tool, source, made) + of_tool.text;
  return made;
}

}  // namespace gpufeed
