// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/topo_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "calib/discover/topo_lines.h"
#include "sim/base/diagnostics.h"
#include "sim/base/files/paste.h"
#include "sim/base/printable.h"

namespace gpufeed {
namespace {

using Tokens = std::vector<std::string>;

bool is_gpu_name(const std::string& word) {
  return word.size() > 3 && word.starts_with("GPU") &&
         std::ranges::all_of(word.substr(3), [](unsigned char c) { return std::isdigit(c) != 0; });
}

const std::map<std::string, Between, std::less<>>& cell_words() {
  static const std::map<std::string, Between, std::less<>> kWords{
      {"X", Between::itself},        {"PIX", Between::one_bridge}, {"PXB", Between::bridges},
      {"PHB", Between::host_bridge}, {"NODE", Between::node},      {"SYS", Between::sockets},
      {"SOC", Between::sockets},     {"N/A", Between::not_told},   {"-", Between::not_told}};
  return kWords;
}

/// The cell that `text` begins with, which is taken off it.
std::optional<TopoCell> take_cell(std::string_view& text) {
  if (text.starts_with("NV")) {
    std::int64_t links = 0;
    // more than two digits are the next column's
    const std::string_view digits = text.substr(2, 2);
    const auto [rest, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), links);
    if (fault != std::errc{} || links == 0) return {};
    text.remove_prefix(2 + static_cast<std::size_t>(rest - digits.data()));
    return TopoCell{Between::not_told, links};
  }
  for (const auto& [word, what] : cell_words())
    if (text.starts_with(word) && word != "-") {
      text.remove_prefix(word.size());
      return TopoCell{what, 0};
    }
  if (text != "-") return {};
  text = {};
  return TopoCell{};
}

bool is_list(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0 &&
         text.find_first_not_of("0123456789-,") == std::string_view::npos;
}

/// A word as the cells it holds, glued or not, and a list of threads behind them.
struct Split {
  std::vector<TopoCell> cells;
  std::string rest;  ///< what is no cell
};

Split split_word(std::string_view word) {
  Split out;
  while (!word.empty()) {
    const auto cell = take_cell(word);
    if (!cell) break;
    out.cells.push_back(*cell);
  }
  out.rest = word;
  return out;
}

bool is_cell_word(const std::string& word) {
  const Split split = split_word(word);
  return !split.cells.empty() && (split.rest.empty() || is_list(split.rest));
}

/// The name "GPU3", "NIC12" or "mlx5_0" that `text` begins with; empty where it begins with none.
std::string_view usual_name(std::string_view text) {
  for (const std::string_view kind : {"GPU", "NIC", "mlx5_", "mlx4_"}) {
    if (!text.starts_with(kind)) continue;
    const std::size_t end =
        std::min(text.find_first_not_of("0123456789", kind.size()), text.size());
    if (end > kind.size()) return text.substr(0, end);
  }
  return {};
}

/// "NIC8NIC9" as two, "GPU7CPU" as "GPU7" and "CPU"; any other word as it is.
Tokens unglued(const std::string& word) {
  Tokens names;
  std::string_view rest = word;
  while (!rest.empty() && rest != "CPU") {
    const std::string_view name = usual_name(rest);
    if (name.empty()) return {word};
    names.emplace_back(name);
    rest.remove_prefix(name.size());
  }
  if (!rest.empty()) names.emplace_back(rest);
  return names;
}

Tokens unglued(const Tokens& words) {
  Tokens out;
  for (const std::string& word : words)
    for (std::string& name : unglued(word)) out.push_back(std::move(name));
  return out;
}

/// A row names a device, and what lies between it and the others follows.
bool is_row(const Tokens& words) {
  return words.size() > 1 && !is_cell_word(words[0]) && is_cell_word(words[1]) && words[1] != "-";
}

bool is_head(const Tokens& words) {
  if (words.empty() || !is_gpu_name(unglued(words)[0])) return false;
  return words.size() == 1 || !is_cell_word(words[1]);
}

/// A row of `topo -p2p`, which says what GPUs may do with each other.
bool is_peer_row(const Tokens& words) {
  constexpr std::array<std::string_view, 7> kPeer{"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"};
  return std::ranges::any_of(
      words, [&](const std::string& word) { return std::ranges::count(kPeer, word) > 0; });
}

/// Whether the line begins a matrix of `topo -m`: rows of it follow.
bool begins_matrix(const std::vector<std::string>& lines, std::size_t at) {
  if (!is_head(split_words(lines[at]))) return false;
  constexpr std::size_t kMostWraps = 8;
  for (std::size_t row = at + 1; row < std::min(at + kMostWraps, lines.size()); ++row) {
    const Tokens words = split_words(lines[row]);
    if (is_row(words)) return is_gpu_name(words[0]) && !is_peer_row(words);
  }
  return false;
}

class TableReader {
 public:
  TableReader(std::string_view text, const std::string& name)
      : lines_(topo_lines(text)), name_(name) {}

  TopoTable read() {
    read_head();
    for (; at_ < lines_.size(); ++at_) {
      const Tokens words = split_words(lines_[at_]);
      if (!raw_.empty() && (begins_matrix(lines_, at_) || is_peer_row(words))) break;
      take(words);
    }
    if (raw_.empty()) fail(0, "no row of a GPU is in this file");
    mend_names();
    make_rows();
    mirror();
    note_second();
    table_.first_line = head_line_;
    return std::move(table_);
  }

 private:
  struct RawRow {
    Tokens words;
    int line = 0;
  };

  [[noreturn]] void fail(int line, const std::string& message) const {
    throw InputError({{{name_, line, line > 0 ? 1 : 0}, message}});
  }

  /// The names of the columns, which a terminal may have wrapped.
  void read_head() {
    while (at_ < lines_.size() && !begins_matrix(lines_, at_)) ++at_;
    if (at_ == lines_.size()) fail(0, "this holds no matrix of nvidia-smi topo -m");
    head_line_ = static_cast<int>(at_) + 1;
    bool whole = false;
    for (; at_ < lines_.size(); ++at_) {
      const Tokens words = unglued(split_words(lines_[at_]));
      if (is_row(words)) break;
      for (std::size_t i = 0; i < words.size() && !whole; ++i) {
        whole = words[i] == "CPU" || words[i] == "NUMA" ||
                (words[i] == "GPU" && i + 1 < words.size() && words[i + 1] == "NUMA");
        if (!whole && words[i].find_first_not_of("-:") != std::string::npos)
          columns_.push_back(words[i]);
      }
    }
  }

  void take(const Tokens& words) {
    if (words.empty()) return;
    if (words[0].starts_with("Legend") || (words.size() > 1 && words[1] == "=")) legend_ = true;
    if (words[0] == "NIC" && words.size() > 1 && words[1].starts_with("Legend")) legend_ = true;
    const int line = static_cast<int>(at_) + 1;
    if (take_legend(words) || (words.size() > 2 && words[1] == "=") ||
        (legend_ && words[0].starts_with("Legend")))
      table_.last_line = line;
    if (legend_) return;
    table_.last_line = line;
    if (words[0].starts_with("MIG") && words.size() > 1) {
      ++table_.instances;
      return;
    }
    const bool known = std::ranges::count(columns_, words[0]) > 0;
    if (!known && ends_within_word(words[0])) return go_on(words);
    if (is_row(words) || known) {
      const bool twice = std::ranges::any_of(
          raw_, [&](const RawRow& row) { return row.words.front() == words[0]; });
      constexpr std::size_t kMostDevices = 1024;
      if (raw_.size() == kMostDevices)
        fail(line, fmt::format("more than {} devices: this is no one machine", kMostDevices));
      if (!twice) raw_.push_back({words, static_cast<int>(at_) + 1});
      return;
    }
    if (!raw_.empty()) go_on(words);
  }

  /// Whether the last row was wrapped within a word that goes on so.
  bool ends_within_word(const std::string& rest) const {
    if (raw_.empty() || raw_.back().words.size() < 2) return false;
    const std::string& last = raw_.back().words.back();
    return !is_cell_word(last) && !is_list(last) && last != "N/A" && is_cell_word(last + rest);
  }

  /// A line that a terminal wrapped, perhaps within a word.
  void go_on(const Tokens& words) {
    Tokens& row = raw_.back().words;
    const Split tail = split_word(words[0]);
    const bool fits = !tail.cells.empty() || is_list(words[0]) || words[0] == "N/A";
    const bool joined_fits = ends_within_word(words[0]);
    if (!fits && !joined_fits) return;
    if (joined_fits)
      row.back() += words[0];
    else
      row.push_back(words[0]);
    row.insert(row.end(), words.begin() + 1, words.end());
  }

  bool take_legend(const Tokens& words) {
    if (words.size() != 2 || !words[0].ends_with(':') || !words[0].starts_with("NIC")) return false;
    table_.names.emplace_back(words[0].substr(0, words[0].size() - 1), words[1]);
    return true;
  }

  /// A name of the head that was wrapped in two; columns that only rows name.
  void mend_names() {
    const auto has_row = [&](const std::string& name) {
      return std::ranges::any_of(raw_,
                                 [&](const RawRow& row) { return row.words.front() == name; });
    };
    for (std::size_t i = 0; i + 1 < columns_.size(); ++i)
      if (!has_row(columns_[i]) && has_row(columns_[i] + columns_[i + 1])) {
        columns_[i] += columns_[i + 1];
        columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    std::erase_if(columns_, [](const std::string& one) { return one.starts_with("MIG"); });
    for (const RawRow& row : raw_)
      if (!std::ranges::count(columns_, row.words.front())) {
        table_.repaired.push_back(fmt::format("the head ends before {}", row.words.front()));
        columns_.push_back(row.words.front());
      }
  }

  void make_rows() {
    for (const std::string& name : columns_) {
      TopoRow row;
      row.name = name;
      row.to.resize(columns_.size());
      const auto raw =
          std::ranges::find_if(raw_, [&](const RawRow& one) { return one.words.front() == name; });
      if (raw == raw_.end())
        table_.repaired.push_back(fmt::format("there is no row of {}", name));
      else
        read_row(*raw, row);
      table_.rows.push_back(std::move(row));
    }
  }

  void read_row(const RawRow& raw, TopoRow& row) {
    row.line = raw.line;
    std::size_t column = 0;
    Tokens lists;
    for (std::size_t i = 1; i < raw.words.size(); ++i) {
      const Split split = split_word(raw.words[i]);
      for (const TopoCell& cell : split.cells) {
        if (column < columns_.size())
          row.to[column++] = cell;
        else if (cell.what == Between::not_told && cell.nvlinks == 0)
          lists.emplace_back("N/A");
        else
          fail(raw.line, fmt::format("{} has more columns than the head, which names {}",
                                     printable(row.name), columns_.size()));
      }
      if (split.rest.empty()) continue;
      if (column == columns_.size()) {
        lists.push_back(split.rest);
        continue;
      }
      if (is_list(split.rest) || split.rest == "N/A")
        lists.push_back(split.rest);
      else
        fail(raw.line, fmt::format("{}: expected X, NV#, PIX, PXB, PHB, NODE or SYS; found \"{}\"",
                                   printable(row.name), printable(raw.words[i])));
    }
    if (column < columns_.size())
      table_.repaired.push_back(
          fmt::format("{} has {} of {} columns", row.name, column, columns_.size()));
    read_lists(lists, row);
  }

  /// Threads, then NUMA nodes; a list may be parted behind its commas.
  static void read_lists(const Tokens& words, TopoRow& row) {
    Tokens lists;
    for (const std::string& word : words) {
      if (!lists.empty() && lists.back().ends_with(',') && is_list(word))
        lists.back() += word;
      else
        lists.push_back(word);
    }
    if (!lists.empty() && is_list(lists[0])) row.cpus = CpuSet::of_list(lists[0]);
    if (lists.size() < 2 || !is_list(lists[1])) return;
    for (const auto& [first, last] : CpuSet::of_list(lists[1]).runs())
      for (std::int64_t node = first; node <= last; ++node) row.nodes.push_back(node);
  }

  /// What one direction leaves out, the other tells.
  void mirror() {
    auto& rows = table_.rows;
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = 0; b < rows.size(); ++b) {
        TopoCell& cell = rows[a].to[b];
        const TopoCell& other = rows[b].to[a];
        if (cell.what == Between::not_told && cell.nvlinks == 0) cell = other;
      }
  }

  void note_second() {
    for (std::size_t i = at_; i < lines_.size(); ++i)
      if (begins_matrix(lines_, i)) {
        table_.second_line = static_cast<int>(i) + 1;
        return;
      }
  }

  std::vector<std::string> lines_;
  const std::string& name_;
  std::size_t at_ = 0;
  int head_line_ = 0;
  bool legend_ = false;
  Tokens columns_;
  std::vector<RawRow> raw_;
  TopoTable table_;
};

}  // namespace

bool has_topo_table(std::string_view text) {
  const auto lines = topo_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (begins_matrix(lines, i)) return true;
  return false;
}

TopoTable read_topo_table(std::string_view text, const std::string& name) {
  return TableReader(text, name).read();
}

}  // namespace gpufeed
