// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "calib/discover/hwloc_xml.h"
#include "calib/discover/nccl_xml.h"
#include "calib/discover/report/archive.h"
#include "calib/discover/report/parts_of_report.h"
#include "calib/discover/topo_matrix.h"

namespace gpufeed {
namespace {

void set(std::optional<MachineFrame>& frame, FoundMachine machine, const std::string& what,
         const ReportLines& lines, std::size_t from) {
  const std::string where = fmt::format("{}:{}", lines.name(), from + 1);
  if (frame)
    throw InputError({{{lines.name(), static_cast<int>(from) + 1, 1},
                       fmt::format("this is a second {}; the first is {}: give discover one "
                                   "machine at a time",
                                   what, frame->where)}});
  frame = MachineFrame{std::move(machine), what, where};
}

bool begins_xml(std::string_view line) {
  return line.starts_with("<?xml") || line.starts_with("<!DOCTYPE") ||
         line.starts_with("<topology") || line.starts_with("<system") ||
         line.starts_with("<graphs") || line.starts_with("<!--");
}

/// Behind the line that closes it; the end of the text where none does.
std::size_t end_of_xml(const ReportLines& lines, std::size_t from) {
  for (std::size_t i = from; i < lines.size(); ++i)
    for (const char* end : {"</topology>", "</system>", "</graphs>"})
      if (lines[i].find(end) != std::string::npos) return i + 1;
  return lines.size();
}

/// A declaration may stand only where a text begins: blanks take its place.
std::string without_declaration(std::string text) {
  const std::size_t from = text.find("<?xml");
  const std::size_t end = text.find("?>", from == std::string::npos ? 0 : from);
  if (from != std::string::npos && end != std::string::npos)
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(from),
              text.begin() + static_cast<std::ptrdiff_t>(end) + 2, ' ');
  return text;
}

/// A terminal breaks lines at its width, within words too: what follows a line of full width and
/// begins no tag goes on with it.
std::string unwrapped(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  std::size_t width = 0;
  for (std::string line; std::getline(in, line); lines.push_back(line))
    width = std::max(width, line.size());
  std::string out;
  std::size_t joined = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += lines[i];
    const bool full = lines[i].size() == width && i + 1 < lines.size();
    if (full && !trimmed(lines[i + 1]).starts_with('<')) ++joined;
    if (!full) out += '\n';
  }
  constexpr std::size_t kFewest = 2;  // one may be chance
  return joined < kFewest ? text : out;
}

void read_xml(ReportLines& lines, std::size_t from, std::size_t to, MachineFrames& frames) {
  const auto root = parse_xml(unwrapped(without_declaration(lines.text(from, to))), lines.name());
  lines.use(from, to);
  if (root->name == "topology")
    return set(frames.hwloc, machine_of_hwloc(*root), "XML of lstopo", lines, from);
  if (root->name == "system")
    return set(frames.nccl, machine_of_nccl(*root), "topology of NCCL", lines, from);
  throw InputError({{root->where,
                     "this is an NCCL graph (NCCL_GRAPH_DUMP_FILE): rings and trees, no machine; "
                     "NCCL_TOPO_DUMP_FILE writes the machine"}});
}

/// Behind the line on which the bracket that `from` begins with is closed; `from` where none does.
std::size_t end_of_json(const ReportLines& lines, std::size_t from) {
  std::int64_t depth = 0;
  bool quoted = false;
  for (std::size_t i = from; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    for (std::size_t at = 0; at < line.size(); ++at) {
      const char c = line[at];
      if (quoted && c == '\\') ++at;
      if (c == '"') quoted = !quoted;
      if (quoted) continue;
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
    }
    if (depth <= 0) return i + 1;
  }
  return from;
}

void read_matrix(ReportLines& lines, MachineFrames& frames) {
  const std::string text = lines.text(0, lines.size());
  if (!has_topo_table(text)) return;
  const TopoTable table = read_topo_table(text, lines.name());
  const auto first = static_cast<std::size_t>(table.first_line) - 1;
  lines.use(first, static_cast<std::size_t>(std::max(table.last_line, table.first_line)));
  set(frames.matrix, machine_of_topo_matrix(table), "matrix of nvidia-smi topo -m", lines, first);
  if (table.second_line > 0)
    lines.use(static_cast<std::size_t>(table.second_line) - 1, lines.size());
}

}  // namespace

void read_blocks(ReportLines& lines, MachineFrames& frames, ReportFacts& facts) {
  if (auto machine = machine_of_archive(lines))
    set(frames.files, std::move(*machine), "collection of /sys", lines, 0);
  for (std::size_t i = 0; i < lines.size();) {
    std::string_view line = trimmed(lines[i]);
    if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    std::size_t end = i + 1;
    if (begins_xml(line)) {
      end = end_of_xml(lines, i);
      read_xml(lines, i, end, frames);
    } else if (lines[i].starts_with('{') || lines[i] == "[" || lines[i].starts_with("[{")) {
      const std::size_t last = end_of_json(lines, i);
      if (last > i && read_json(lines.text(i, last).substr(i), facts)) {
        lines.use(i, last);
        end = last;
      }
    }
    i = end;
  }
  read_matrix(lines, frames);
}

}  // namespace gpufeed
