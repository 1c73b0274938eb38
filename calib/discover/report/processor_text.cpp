// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "calib/discover/report/facts.h"

namespace gpufeed {
namespace {

std::int64_t whole(const std::string& text) {
  constexpr double kMost = 1e6;
  return static_cast<std::int64_t>(std::min(leading_number(text), kMost));
}

/// "NUMA node3 CPU(s): 24-31,88-95", "node 3 cpus: 24 25 26".
bool read_node_threads(const std::string& line, ReportFacts& facts) {
  const auto words = split_words(line);
  std::string list;
  std::int64_t node = 0;
  if (words.size() > 2 && words[0] == "NUMA" && words[1].starts_with("node") &&
      words[2].starts_with("CPU")) {
    node = whole(words[1].substr(4));
    for (std::size_t i = 3; i < words.size(); ++i) list += words[i];
  } else if (words.size() > 2 && words[0] == "node" && words[2] == "cpus:") {
    node = whole(words[1]);
    for (std::size_t i = 3; i < words.size(); ++i) list += (i > 3 ? "," : "") + words[i];
  } else {
    return false;
  }
  constexpr std::int64_t kMostNodes = 64;
  const CpuSet threads = CpuSet::of_list(list);
  if (node >= kMostNodes || threads.empty()) return true;  // of memory alone: CXL, a GPU's
  auto& nodes = facts.processor.nodes;
  nodes.resize(std::max(nodes.size(), static_cast<std::size_t>(node) + 1));
  nodes[static_cast<std::size_t>(node)] = threads;
  return true;
}

/// A key of lscpu that counts.
bool read_count(const std::string& line, const char* key, std::int64_t& into) {
  const auto value = value_after(line, key);
  if (!value) return false;
  into = whole(*value);
  return true;
}

/// /proc/cpuinfo has a paragraph for each thread.
class CpuInfo {
 public:
  bool read(const std::string& line) {
    if (const auto value = value_after(line, "model name")) return model_ = *value, true;
    if (const auto value = value_after(line, "physical id")) return packages_.insert(*value), true;
    if (const auto value = value_after(line, "cpu cores")) return cores_ = whole(*value), true;
    if (const auto value = value_after(line, "siblings")) return threads_ = whole(*value), true;
    return false;
  }

  void finish(ProcessorFacts& facts) const {
    if (packages_.empty() || cores_ == 0) return;
    if (facts.model.empty()) facts.model = model_;
    facts.sockets = static_cast<std::int64_t>(packages_.size());
    facts.cores_per_socket = cores_;
    facts.threads_per_core = std::max<std::int64_t>(1, threads_ / cores_);
  }

 private:
  std::string model_;
  std::set<std::string> packages_;
  std::int64_t cores_ = 0;
  std::int64_t threads_ = 0;
};

bool read_memory(const std::string& line, ReportFacts& facts) {
  const auto words = split_words(line);
  if (words.size() > 3 && words[0] == "node" && words[2] == "size:") {
    const double size = size_in_bytes(words[3] + (words.size() > 4 ? words[4] : ""));
    if (size > 0) facts.node_memory[whole(words[1])] = {size};
    return true;
  }
  if (const auto total = value_after(line, "MemTotal")) {
    facts.memory = {size_in_bytes(*total)};
    return true;
  }
  if (words.size() > 3 && words[0] == "Mem:") {  // free: in KiB, or with a unit
    const double size = size_in_bytes(words[1]);
    const bool plain =
        std::ranges::all_of(words[1], [](unsigned char c) { return c >= '0' && c <= '9'; });
    facts.memory = {plain ? size * 1024 : size};
    return true;
  }
  return false;
}

/// dmidecode: sizes of modules, which are the installed memory where nothing else says it.
class Modules {
 public:
  bool read(const std::string& line) {
    const std::string_view plain = trimmed(line);
    if (plain == "Memory Device") return in_module_ = true;
    if (plain.starts_with("Handle 0x")) {
      in_module_ = false;
      return true;
    }
    if (!in_module_) return false;
    if (const auto size = value_after(line, "Size")) {
      const double bytes = size_in_bytes(*size);
      total_ += bytes;
      if (bytes > 0) ++count_;
    } else if (const auto speed = value_after(line, "Configured Memory Speed")) {
      if (leading_number(*speed) > 0) speed_ = *speed;
    } else if (const auto type = value_after(line, "Type")) {
      type_ = *type;
    }
    return true;
  }

  void finish(ReportFacts& facts) const {
    if (count_ == 0) return;
    if (facts.memory.value == 0) facts.memory = {total_};
    facts.questions.push_back(fmt::format(
        "which memory_kind and how many modules has each socket? There are {} of {}{}{} in all",
        count_, type_, speed_.empty() ? "" : " at ", speed_));
  }

 private:
  bool in_module_ = false;
  double total_ = 0;
  int count_ = 0;
  std::string speed_;
  std::string type_ = "memory";
};

/// Lines of these programs that tell nothing of a training machine.
bool is_known_idle(const std::string& line) {
  constexpr std::array<std::string_view, 45> kKeys{"Architecture",
                                                   "CPU op-mode(s)",
                                                   "Address sizes",
                                                   "Byte Order",
                                                   "CPU(s)",
                                                   "On-line CPU(s) list",
                                                   "Vendor ID",
                                                   "CPU family",
                                                   "Model",
                                                   "Stepping",
                                                   "BogoMIPS",
                                                   "Flags",
                                                   "Vulnerability",
                                                   "Vulnerabilities",
                                                   "Virtualization",
                                                   "Hypervisor vendor",
                                                   "L1d",
                                                   "L1i",
                                                   "L2",
                                                   "L3",
                                                   "CPU max MHz",
                                                   "CPU min MHz",
                                                   "CPU MHz",
                                                   "Frequency boost",
                                                   "CPU(s) scaling MHz",
                                                   "Virtualization type",
                                                   "Caches (sum of all)",
                                                   "NUMA",
                                                   "BIOS",
                                                   "Off-line CPU(s) list",
                                                   "Core(s) per cluster",
                                                   "Cluster(s)",
                                                   "Cpu(s)",
                                                   "available",
                                                   "node distances",
                                                   "node ",
                                                   "MemFree",
                                                   "MemAvailable",
                                                   "Buffers",
                                                   "Cached",
                                                   "Swap",
                                                   "processor",
                                                   "cpu MHz",
                                                   "cache size",
                                                   "core id"};
  const std::string_view plain = trimmed(line);
  return std::ranges::any_of(kKeys, [&](std::string_view key) { return plain.starts_with(key); });
}

/// Rows of the matrix behind "node distances:".
bool is_distances(const std::string& line) {
  const auto words = split_words(line);
  if (words.size() < 2) return false;
  return (words[0] == "node" || words[0].ends_with(':')) &&
         std::all_of(words.begin() + 1, words.end(), [](const std::string& word) {
           return word.find_first_not_of("0123456789") == std::string::npos;
         });
}

}  // namespace

void read_processor(ReportLines& lines, ReportFacts& facts) {
  CpuInfo info;
  Modules modules;
  bool seen = false;  // lines of these programs, so that their idle ones are known too
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    ProcessorFacts& cpu = facts.processor;
    bool used = modules.read(line) || info.read(line) || read_node_threads(line, facts) ||
                read_memory(line, facts) || read_count(line, "Socket(s)", cpu.sockets) ||
                read_count(line, "Core(s) per socket", cpu.cores_per_socket) ||
                read_count(line, "Thread(s) per core", cpu.threads_per_core);
    if (const auto model = value_after(line, "Model name")) {
      cpu.model = *model;
      used = true;
    }
    seen = seen || used;
    if (used || is_known_idle(line) || (seen && is_distances(line))) lines.use(i);
    if (split_words(line).size() > 3 && split_words(line)[0] == "total" &&
        line.find("used") != std::string::npos)
      lines.use(i);
  }
  info.finish(facts.processor);
  modules.finish(facts);
}

}  // namespace gpufeed
