// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include "calib/discover/report/facts.h"

namespace gpufeed {
namespace {

constexpr std::int64_t kMostGpus = 1024;

std::optional<std::int64_t> number_in(std::string_view text) {
  if (text.empty() || text.size() > 4 ||
      !std::ranges::all_of(text, [](unsigned char c) { return c >= '0' && c <= '9'; }))
    return {};
  const auto value = static_cast<std::int64_t>(leading_number(text));
  return value < kMostGpus ? std::optional(value) : std::nullopt;
}

/// "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-...)", and its MIG instances below.
class GpuList {
 public:
  bool read(const std::string& line, ReportFacts& facts) {
    const std::string plain(trimmed(line));
    const std::size_t colon = plain.find(": ");
    if (plain.starts_with("GPU ") && colon != std::string::npos) {
      const auto number = number_in(plain.substr(4, colon - 4));
      const std::size_t uuid = plain.rfind(" (UUID");
      if (!number || plain.find("GPU[") != std::string::npos) return false;
      facts.gpus[*number].product =
          plain.substr(colon + 2, uuid == std::string::npos ? std::string::npos : uuid - colon - 2);
      last_ = *number;
      return true;
    }
    if (last_ && plain.starts_with("MIG ") && plain.find("Device") != std::string::npos) {
      ++facts.gpus[*last_].instances;
      return true;
    }
    return false;
  }

 private:
  std::optional<std::int64_t> last_;
};

/// nvidia-smi -q: a paragraph for each GPU, which begins with its bus.
class GpuQuery {
 public:
  bool read(const std::string& line, ReportFacts& facts) {
    const std::string plain(trimmed(line));
    if (plain.starts_with("==============NVSMI LOG")) return inside_ = true;
    if (plain.starts_with("GPU ") && plain.find(':') == 12 && plain.size() == 20) {
      inside_ = true;
      gpu_ = &facts.gpus[next_++ % kMostGpus];
      gpu_->bus = plain_bus(plain.substr(4));
      return true;
    }
    if (!inside_) return false;
    if (!line.empty() && line[0] != ' ' && line.find(" : ") == std::string::npos) {
      inside_ = plain.empty();
      return false;
    }
    if (gpu_) read_value(plain);
    return true;
  }

 private:
  void read_value(const std::string& plain) {
    if (const auto name = value_after(plain, "Product Name")) gpu_->product = *name;
    if (plain == "PCIe Generation" || plain == "Link Width" || plain == "FB Memory Usage")
      part_ = plain;
    if (const auto most = value_after(plain, "Max")) {
      if (part_ == "PCIe Generation")
        gpu_->link.generation = static_cast<int>(std::min(leading_number(*most), 6.0));
      if (part_ == "Link Width") {
        gpu_->link.lanes = static_cast<std::int64_t>(std::min(leading_number(*most), 32.0));
        gpu_->link.of_capabilities = gpu_->link.known();
        part_.clear();
      }
    }
    if (const auto total = value_after(plain, "Total"); total && part_ == "FB Memory Usage") {
      gpu_->memory = {size_in_bytes(*total)};
      part_.clear();
    }
    if (const auto mode = value_after(plain, "MIG Device")) ++gpu_->instances;
  }

  bool inside_ = false;
  std::int64_t next_ = 0;
  GpuFacts* gpu_ = nullptr;
  std::string part_;
};

/// nvidia-smi's own table: "|   0  NVIDIA H100 80GB HBM3   On | 00000000:1B:00.0 Off | 0 |".
bool read_table_row(const std::string& line, ReportFacts& facts) {
  if (!line.starts_with('|')) return false;
  const auto words = split_words(line);
  const auto number = words.size() > 5 ? number_in(words[1]) : std::nullopt;
  const auto bus = std::ranges::find_if(words, [](const std::string& word) {
    return word.size() == 16 && word[8] == ':' && word[11] == ':' && word[14] == '.';
  });
  // number, product, persistence mode, bar, bus
  if (!number || bus - words.begin() < 5 || bus == words.end()) return false;
  std::string product;
  for (auto word = words.begin() + 2; word < bus - 2; ++word)
    product += (product.empty() ? "" : " ") + *word;
  GpuFacts& gpu = facts.gpus[*number];
  if (gpu.product.empty() && !product.ends_with("...")) gpu.product = product;
  gpu.bus = plain_bus(*bus);
  return true;
}

/// "GPU[0]\t\t: Card series: \t\tAMD Instinct MI300X", "GPU[0]\t\t: PCI Bus: 0000:0C:00.0",
/// "GPU[0]\t\t: (Topology) Numa Node: 0".
bool read_rocm_line(const std::string& line, ReportFacts& facts) {
  const std::string_view plain = trimmed(line);
  if (!plain.starts_with("GPU[")) return false;
  const std::size_t close = plain.find(']');
  const std::size_t colon = plain.find(':', close == std::string_view::npos ? 0 : close);
  if (close == std::string_view::npos || colon == std::string_view::npos) return false;
  const auto number = number_in(plain.substr(4, close - 4));
  if (!number) return false;
  const std::string_view rest = trimmed(plain.substr(colon + 1));
  GpuFacts& gpu = facts.gpus[*number];
  for (const char* key : {"Card Series", "Card series", "Card Model", "Device Name"})
    if (const auto name = value_after(rest, key);
        name && gpu.product.empty() && name->find("0x") == std::string::npos)
      gpu.product = *name;
  if (const auto bus = value_after(rest, "PCI Bus")) gpu.bus = plain_bus(*bus);
  if (const auto node = value_after(rest, "(Topology) Numa Node"))
    facts.gpu_node[*number] = static_cast<std::int64_t>(std::min(leading_number(*node), 1e4));
  return true;
}

/// The tables of rocm-smi --showtopo ("Link Type between two GPUs", "Hops between two GPUs") and of
/// amd-smi topology ("LINK TYPE TABLE", "NUM HOPS TABLE"): a pair is linked where the type is xGMI
/// and there is one hop, or no hops are told.
class LinkTables {
 public:
  bool read(const std::string& line) {
    const std::string_view plain = trimmed(line);
    const bool heading = plain.find("between two GPUs") != std::string_view::npos ||
                         plain.find(" TABLE") != std::string_view::npos;
    if (heading) {
      std::string low(plain);
      std::ranges::transform(low, low.begin(), [](unsigned char c) { return std::tolower(c); });
      table_ = low.find("link type") != std::string::npos ? Table::types
               : low.find("hops") != std::string::npos    ? Table::hops
                                                          : Table::other;
      names_.clear();
      return true;
    }
    if (table_ == Table::none) return false;
    const auto words = split_words(plain);
    if (words.empty()) return false;
    if (plain.starts_with("=")) {
      if (plain.find("End of") != std::string_view::npos ||
          plain.find("Numa") != std::string_view::npos)
        table_ = Table::none;
      return true;
    }
    return read_row(words);
  }

  void finish(ReportFacts& facts) const {
    for (const auto& [pair, type] : types_) {
      if (pair.first >= pair.second || type.find("GMI") == std::string::npos) continue;
      const auto hops = hops_.find(pair);
      if (hops == hops_.end() || hops->second == 1)
        facts.pairs.push_back({pair.first, pair.second, 1});
    }
  }

 private:
  enum class Table { none, types, hops, other };

  static bool names_gpu(const std::string& word) {
    return (word.size() > 3 && word.starts_with("GPU") &&
            std::isdigit(static_cast<unsigned char>(word[3]))) ||
           (word.size() == 12 && word[4] == ':' && word[7] == ':');
  }

  bool read_row(const std::vector<std::string>& words) {
    if (words.size() > 1 && names_gpu(words[0]) && names_gpu(words[1])) {
      names_ = words;
      return true;
    }
    if (!names_gpu(words[0])) return table_ == Table::other;
    const auto row = static_cast<std::size_t>(std::ranges::find(names_, words[0]) - names_.begin());
    for (std::size_t column = 0; column + 1 < words.size() && column < names_.size(); ++column) {
      if (row == column || row == names_.size()) continue;
      if (table_ == Table::types) types_[{row, column}] = words[column + 1];
      if (table_ == Table::hops) hops_[{row, column}] = leading_number(words[column + 1]);
    }
    return true;
  }

  Table table_ = Table::none;
  std::vector<std::string> names_;
  std::map<std::pair<std::size_t, std::size_t>, std::string> types_;
  std::map<std::pair<std::size_t, std::size_t>, double> hops_;
};

/// nvidia-smi topo -p2p: "GPU0 X OK CNS", a matrix of what GPUs may do with each other.
class PeerTable {
 public:
  bool read(const std::string& line) {
    const auto words = split_words(line);
    constexpr std::array<std::string_view, 7> kWords{"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"};
    const auto is_peer = [&](const std::string& word) {
      return std::ranges::count(kWords, word) > 0;
    };
    if (words.size() > 2 && words[1] == "=" && (is_peer(words[0]) || words[0] == "X"))
      return seen_;  // of its legend
    if (words.size() < 2 || !words[0].starts_with("GPU")) return false;
    if (words[1].starts_with("GPU")) return true;  // its head
    if (!std::all_of(words.begin() + 1, words.end(),
                     [&](const std::string& word) { return word == "X" || is_peer(word); }))
      return false;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (!is_peer(words[i])) continue;
      seen_ = true;
      ++all_;
      if (words[i] != "OK") ++refused_[words[i]];
    }
    return true;
  }

  void finish(ReportFacts& facts) const {
    for (const auto& [why, count] : refused_)
      facts.questions.push_back(fmt::format(
          "may GPUs copy to each other directly? For {} of {} pairs nvidia-smi topo -p2p says {}; "
          "peer_to_peer of the GPU's product says it",
          count, all_, why));
  }

 private:
  bool seen_ = false;
  int all_ = 0;
  std::map<std::string, int> refused_;
};

/// Frames of these programs.
bool is_frame(const std::string& line) {
  const std::string_view plain = trimmed(line);
  return plain.starts_with("+--") || plain.starts_with("|==") || plain.starts_with("| ") ||
         plain.starts_with("|-") || plain.starts_with("===") ||
         plain.find("ROCm System") != std::string_view::npos;
}

}  // namespace

void read_gpus(ReportLines& lines, ReportFacts& facts) {
  GpuList list;
  GpuQuery query;
  LinkTables tables;
  PeerTable peers;
  bool table = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    table = table || line.find("NVIDIA-SMI") != std::string::npos ||
            line.find("ROCm System") != std::string::npos;
    if (query.read(line, facts) || list.read(line, facts) || read_table_row(line, facts) ||
        read_rocm_line(line, facts) || tables.read(line) || peers.read(line) ||
        (table && is_frame(line)))
      lines.use(i);
  }
  tables.finish(facts);
  peers.finish(facts);
}

}  // namespace gpufeed
