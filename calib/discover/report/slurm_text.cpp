// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "calib/discover/report/facts.h"
#include "sim/base/printable.h"

namespace gpufeed {
namespace {

constexpr std::size_t kMostNodes = 100000;

std::int64_t whole_number(const std::string& text) {
  constexpr double kMost = 1e12;
  return static_cast<std::int64_t>(std::clamp(leading_number(text), 0.0, kMost));
}

/// "gpu[01-03,7]": its nodes, each once. \source  Slurm, scontrol show hostnames
void add_names(const std::string& list, std::set<std::string>& out) {
  std::size_t from = 0;
  while (from < list.size() && out.size() < kMostNodes) {
    std::size_t end = from;
    for (int depth = 0; end < list.size() && (depth > 0 || list[end] != ','); ++end)
      depth += list[end] == '[' ? 1 : list[end] == ']' ? -1 : 0;
    const std::string one = list.substr(from, end - from);
    from = end + 1;
    const std::size_t open = one.find('[');
    const std::size_t close = one.find(']');
    if (open == std::string::npos || close == std::string::npos || close < open) {
      if (!one.empty()) out.insert(one);
      continue;
    }
    std::string ranges = one.substr(open + 1, close - open - 1) + ",";
    for (std::size_t at = 0, comma; (comma = ranges.find(',', at)) != std::string::npos;
         at = comma + 1) {
      const std::string range = ranges.substr(at, comma - at);
      const std::size_t dash = range.find('-');
      const std::int64_t first = whole_number(range);
      const std::int64_t last =
          dash == std::string::npos ? first : whole_number(range.substr(dash + 1));
      const std::size_t width = dash == std::string::npos ? range.size() : dash;
      for (std::int64_t i = first; i <= last && out.size() < kMostNodes; ++i)
        out.insert(fmt::format("{}{:0{}}{}", one.substr(0, open), i, width, one.substr(close + 1)));
    }
  }
}

/// GPUs of "gpu:h100:8(S:0-1)", "gpu:8" and "gpu:a100:4,gpu:v100:2", by type.
std::map<std::string, std::int64_t> gpus_of(const std::string& gres) {
  std::map<std::string, std::int64_t> out;
  std::string rest = gres + ",";
  int depth = 0;
  std::string one;
  for (const char c : rest) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ',' || depth > 0) {
      one += c;
      continue;
    }
    one.resize(std::min(one.size(), one.find('(')));
    if (one.starts_with("gpu:")) {
      const std::size_t last = one.rfind(':');
      const std::string type = last > 3 ? one.substr(4, last - 4) : "";
      out[type] += std::min<std::int64_t>(whole_number(one.substr(last + 1)), 1024);
    }
    one.clear();
  }
  return out;
}

/// What another line tells beside.
void complete(SlurmNode& node, const SlurmNode& more) {
  if (node.gres.empty()) node.gres = more.gres;
  for (const auto part :
       {&SlurmNode::sockets, &SlurmNode::cores, &SlurmNode::threads, &SlurmNode::memory})
    if (node.*part == 0) node.*part = more.*part;
}

class Slurm {
 public:
  Slurm(ReportLines& lines, std::map<std::string, SlurmNode>& nodes)
      : lines_(lines), nodes_(nodes) {}

  void read() {
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i].starts_with("NodeName="))
        read_node(i);
      else if (is_heading(i))
        read_table(i);
  }

 private:
  /// A paragraph of scontrol show node, or one line of its -o.
  void read_node(std::size_t line) {
    SlurmNode node;
    std::string name;
    for (std::size_t i = line; i < lines_.size(); ++i) {
      if (i > line && (trimmed(lines_[i]).empty() || lines_[i].starts_with("NodeName="))) break;
      if (i > line && !lines_[i].starts_with(' ') && !lines_[i].starts_with('\t')) break;
      lines_.use(i);
      for (const std::string& word : split_words(lines_[i])) {
        const std::size_t equal = word.find('=');
        if (equal == std::string::npos) continue;
        set(node, name, word.substr(0, equal), word.substr(equal + 1));
      }
    }
    take(name, node);
  }

  static void set(SlurmNode& node, std::string& name, const std::string& key,
                  const std::string& value) {
    if (key == "NodeName") name = value;
    if (key == "Gres" && value != "(null)") node.gres = value;
    if (key == "Sockets") node.sockets = whole_number(value);
    if (key == "CoresPerSocket") node.cores = whole_number(value);
    if (key == "ThreadsPerCore") node.threads = whole_number(value);
    if (key == "RealMemory") node.memory = whole_number(value);
  }

  bool is_heading(std::size_t line) const {
    const auto words = split_words(lines_[line]);
    const auto has = [&](const char* word) { return std::ranges::count(words, word) > 0; };
    return has("NODELIST") && words.size() > 1 &&
           (has("STATE") || has("PARTITION") || has("NODES") || has("GRES"));
  }

  /// sinfo: rows until one has another number of words, for reasons of down nodes stand last.
  void read_table(std::size_t heading) {
    const auto names = split_words(lines_[heading]);
    lines_.use(heading);
    for (std::size_t i = heading + 1; i < lines_.size(); ++i) {
      const auto words = split_words(lines_[i]);
      if (words.size() < names.size()) break;
      lines_.use(i);
      SlurmNode node;
      std::string list;
      for (std::size_t at = 0; at < names.size(); ++at) {
        if (names[at] == "NODELIST") list = words[at];
        if (names[at] == "GRES" && words[at] != "(null)") node.gres = words[at];
        if (names[at] == "MEMORY") node.memory = whole_number(words[at]);
        if (names[at] == "S:C:T") set_shape(node, words[at]);
      }
      take(list, node);
    }
  }

  /// Each node once, whatever tells of it how often.
  void take(const std::string& names, const SlurmNode& node) {
    std::set<std::string> all;
    add_names(names, all);
    for (const auto& name : all)
      if (nodes_.size() < kMostNodes) complete(nodes_[name], node);
  }

  static void set_shape(SlurmNode& node, const std::string& shape) {
    const std::size_t first = shape.find(':');
    const std::size_t second = shape.find(':', first + 1);
    if (second == std::string::npos) return;
    node.sockets = whole_number(shape);
    node.cores = whole_number(shape.substr(first + 1));
    node.threads = whole_number(shape.substr(second + 1));
  }

  ReportLines& lines_;
  std::map<std::string, SlurmNode>& nodes_;
};

std::string told(const SlurmNode& node, const std::set<std::string>& names, bool taken,
                 bool several) {
  std::string what;
  for (const auto& gpus : gpus_of(node.gres))
    what += fmt::format(", each with {} GPUs{}", gpus.second,
                        gpus.first.empty() ? "" : " (" + printable(gpus.first) + ")");
  std::string out = fmt::format("{} machine{} of Slurm{} ({}{})", names.size(),
                                names.size() == 1 ? "" : "s", what, printable(*names.begin()),
                                names.size() == 1 ? "" : " to " + printable(*names.rbegin()));
  if (!taken) return out + ": unlike those of which there are most; discover one of them apart";
  return out +
         fmt::format(": a scenario of {} says nodes = {}", several ? "these" : "all", names.size());
}

/// Fills in what no other source tells.
void take(const SlurmNode& node, ReportFacts& facts) {
  constexpr std::int64_t kMostSockets = 64;
  if (facts.processor.cores_per_socket == 0 && node.cores > 0) {
    facts.processor.sockets = std::clamp<std::int64_t>(node.sockets, 1, kMostSockets);
    facts.processor.cores_per_socket = node.cores;
    facts.processor.threads_per_core = std::max<std::int64_t>(1, node.threads);
  }
  if (facts.memory.value <= 0 && node.memory > 0)
    facts.memory = {static_cast<double>(node.memory) * 1048576};
  if (!facts.gpus.empty()) return;
  std::int64_t number = 0;
  for (const auto& gpus : gpus_of(node.gres)) {
    for (std::int64_t i = 0; i < gpus.second; ++i) facts.gpus[number++].product = gpus.first;
    if (!gpus.first.empty())
      facts.questions.push_back(
          fmt::format("which product is the GPU that Slurm calls \"{}\"? Its name tells neither "
                      "plug nor memory; --gpu names it",
                      printable(gpus.first)));
  }
}

}  // namespace

void read_slurm(ReportLines& lines, ReportFacts& facts) { Slurm(lines, facts.slurm).read(); }

void count_slurm(ReportFacts& facts) {
  if (facts.slurm.empty()) return;
  std::map<SlurmNode, std::set<std::string>> kinds;
  for (const auto& one : facts.slurm) kinds[one.second].insert(one.first);
  const auto most =
      std::ranges::max_element(kinds, {}, [](const auto& one) { return one.second.size(); });
  for (const auto& one : kinds)
    facts.left_out.push_back(told(one.first, one.second, one == *most, kinds.size() > 1));
  take(most->first, facts);
  facts.machines = facts.slurm.size();
}

}  // namespace gpufeed
