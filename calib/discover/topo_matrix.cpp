// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/topo_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <sstream>

#include "calib/discover/cpu_set.h"
#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

/// What lies between two devices, nearest first.
enum class Between { itself, one_bridge, bridges, host_bridge, node, sockets };

struct Row {
  std::string name;
  std::vector<Between> to;
  std::vector<std::int64_t> nvlinks;
  std::string cpus;  ///< "0-47,96-143"
};

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// nvidia-smi underlines its head line in terminals.
std::string without_escapes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    out += text[i];
  }
  return out;
}

bool is_device(const std::string& word) {
  const auto numbered = [&](std::string_view prefix) {
    return word.starts_with(prefix) && word.size() > prefix.size() &&
           std::isdigit(static_cast<unsigned char>(word[prefix.size()]));
  };
  return numbered("GPU") || numbered("NIC") || numbered("mlx");
}

bool is_head(const std::vector<std::string>& words) {
  return !words.empty() && words[0] == "GPU0" &&
         std::ranges::any_of(words, [](const auto& word) { return word == "Affinity"; });
}

class MatrixReader {
 public:
  MatrixReader(std::string_view text, std::string name) : name_(std::move(name)) {
    std::istringstream in(without_escapes(text));
    int number = 0;
    for (std::string line; std::getline(in, line);) take(words_of(line), ++number);
    if (rows_.empty()) fail(0, "no row of a GPU is in this file");
    if (rows_.size() != columns_)
      fail(0,
           fmt::format("{} rows for {} columns: the matrix is not whole", rows_.size(), columns_));
  }

  const std::vector<Row>& rows() const { return rows_; }

 private:
  [[noreturn]] void fail(int line, const std::string& message) const {
    throw InputError({{{name_, line, 1}, message}});
  }

  void take(const std::vector<std::string>& words, int number) {
    if (is_head(words)) {
      columns_ =
          static_cast<std::size_t>(std::ranges::find_if_not(words, is_device) - words.begin());
      return;
    }
    if (columns_ == 0 || words.empty() || !is_device(words[0]) || rows_.size() == columns_) return;
    if (words.size() <= columns_)
      fail(number, fmt::format("{} has {} of {} columns", words[0], words.size() - 1, columns_));
    Row row{words[0], {}, {}, words.size() > columns_ + 1 ? words[columns_ + 1] : ""};
    for (std::size_t i = 0; i < columns_; ++i) add(words[i + 1], number, row);
    rows_.push_back(std::move(row));
  }

  void add(const std::string& word, int number, Row& row) const {
    static const std::map<std::string, Between, std::less<>> kWords{
        {"X", Between::itself},        {"PIX", Between::one_bridge}, {"PXB", Between::bridges},
        {"PHB", Between::host_bridge}, {"NODE", Between::node},      {"SYS", Between::sockets},
        {"SOC", Between::sockets}};
    std::int64_t links = 0;
    if (word.starts_with("NV")) {
      std::from_chars(word.data() + 2, word.data() + word.size(), links);
      if (links == 0) fail(number, fmt::format("\"{}\" is not NV and a number of links", word));
    } else if (!kWords.contains(word)) {
      fail(number, fmt::format("{}: expected X, NV#, PIX, PXB, PHB, NODE or SYS; found \"{}\"",
                               row.name, word));
    }
    row.nvlinks.push_back(links);
    // What lies between GPUs that NVLink joins is not told.
    row.to.push_back(links > 0 ? Between::sockets : kWords.find(word)->second);
  }

  std::string name_;
  std::size_t columns_ = 0;
  std::vector<Row> rows_;
};

/// The group of each row, of those that are no further from one another than `most`; by number.
std::vector<std::size_t> groups(const std::vector<Row>& rows, Between most) {
  std::vector<std::size_t> group(rows.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = 0; b < rows.size(); ++b) {
      if (rows[a].to[b] > most || group[a] == group[b]) continue;
      const std::size_t from = std::max(group[a], group[b]);
      std::ranges::replace(group, from, std::min(group[a], group[b]));
    }
  return group;
}

/// Sockets by their threads, where rows say them; else by what SYS parts.
std::vector<std::size_t> sockets_of(const std::vector<Row>& rows) {
  std::vector<std::size_t> group = groups(rows, Between::node);
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (!rows[a].cpus.empty() && rows[a].cpus == rows[b].cpus && group[a] != group[b])
        std::ranges::replace(group, std::max(group[a], group[b]), std::min(group[a], group[b]));
  return group;
}

/// A number for each group, in the order of their first rows.
std::map<std::size_t, std::size_t> numbered(const std::vector<std::size_t>& group) {
  std::map<std::size_t, std::size_t> number;
  for (const std::size_t one : group) number.try_emplace(one, number.size());
  return number;
}

void add_nvlinks(const std::vector<Row>& rows, FoundMachine& machine) {
  std::vector<FoundNvlink> links;
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = a + 1; b < rows.size(); ++b)
      if (rows[a].nvlinks[b] > 0) links.push_back({a, b, rows[a].nvlinks[b]});
  const auto gpus = static_cast<std::size_t>(
      std::ranges::count_if(rows, [](const Row& row) { return row.name.starts_with("GPU"); }));
  const bool all_alike =
      gpus > 2 && links.size() == gpus * (gpus - 1) / 2 &&
      std::ranges::all_of(links, [&](const auto& one) { return one.count == links[0].count; });
  // A GPU of a mesh would need as many links to each of the others: more than any has.
  constexpr std::int64_t kMostInMesh = 2;
  if (all_alike && links[0].count > kMostInMesh) {
    machine.nvswitches = 1;
    machine.links_to_nvswitches = links[0].count;
  } else {
    machine.nvlinks = std::move(links);
  }
}

}  // namespace

bool is_topo_matrix(std::string_view text) {
  std::istringstream in(without_escapes(text));
  for (std::string line; std::getline(in, line);)
    if (is_head(words_of(line))) return true;
  return false;
}

FoundMachine machine_of_topo_matrix(std::string_view text, const std::string& name) {
  const MatrixReader reader(text, name);
  const auto& rows = reader.rows();
  FoundMachine machine;
  const auto socket = sockets_of(rows);
  const auto sockets = numbered(socket);
  machine.sockets.resize(sockets.size());
  const auto behind = groups(rows, Between::bridges);
  std::map<std::size_t, std::size_t> switches;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t at = sockets.at(socket[i]);
    const auto threads = CpuSet::of_list(rows[i].cpus).count();
    machine.sockets[at].threads = std::max(machine.sockets[at].threads, threads);
    FoundDevice device;
    device.kind = rows[i].name.starts_with("GPU") ? FoundKind::gpu : FoundKind::nic;
    device.name = rows[i].name;
    device.at.socket = at;
    if (std::ranges::count(behind, behind[i]) > 1) {
      const auto [known, is_new] = switches.try_emplace(behind[i], switches.size());
      if (is_new) machine.switches.push_back({{at, {}}, {}, "above " + rows[i].name, {}});
      device.at.on_switch = known->second;
    }
    machine.devices.push_back(device);
  }
  add_nvlinks(rows, machine);
  return machine;
}

}  // namespace gpufeed
