// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/catalog_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/writers/layout.h"

namespace gpufeed::cli {
namespace {

/// What a buyer compares, by kind; of keys that have tables, how many there are.
const Names& columns_of(const std::string& kind) {
  static const std::map<std::string, Names> kColumns{
      {"system", {"socket", "gpu", "nic", "drive", "power", "price", "price_year"}},
      {"chassis",
       {"released", "sockets", "socket", "memory_slots", "gpu", "power", "price", "price_year"}},
      {"gpu", {"memory", "peak_fp16", "form", "power", "price", "price_year"}},
      {"cpu",
       {"cores", "memory_bandwidth", "pcie_lanes", "socket", "power", "price", "price_year"}},
      {"memory", {"channel_bandwidth", "priced_module", "power", "price", "price_year"}},
      {"drive",
       {"capacity", "read_bandwidth", "write_bandwidth", "read_rate", "form", "price",
        "price_year"}},
      {"array", {"capacity", "read_bandwidth", "read_rate", "blades", "price", "price_year"}},
      {"nic", {"ports", "port_bandwidth", "link", "lanes", "price", "price_year"}},
      {"switch", {"link", "lanes", "power", "price", "price_year"}},
      {"network-switch", {"ports", "port_bandwidth", "power", "price", "price_year"}},
      {"cable", {"bandwidth", "power", "price", "price_year"}},
      {"link", {"raw_bandwidth", "efficiency", "latency"}},
      {"protocol", {"connection_bandwidth", "core_bandwidth", "connections"}},
      {"protocol-family", {"clients"}},
      {"storage-software", {"redundancy", "chunks_by", "core_read_bandwidth", "client"}},
      {"model", {"parameters", "input_size", "multiply_adds"}},
      {"dataset", {"samples", "sample_size", "content"}},
      {"job", {"dataset", "accelerator", "batch"}},
      {"collectives", {"own_part", "contention", "cost"}},
      {"framework", {"step_start", "step_jitter", "overlap", "bucket"}},
      {"kernels", {"start", "tile_steps", "share", "memory_share"}},
      {"transformers", {"attention", "passes", "launch", "contention"}},
      {"discrepancy", {"deviation", "lower", "upper", "sources"}},
      {"price-law", {"within"}}};
  static const Names kNone;
  const auto found = kColumns.find(kind);
  return found == kColumns.end() ? kNone : found->second;
}

const EntryLine* line_at(const EntryText& entry, const std::string& key) {
  const auto line = std::ranges::find(entry.lines, key, &EntryLine::key);
  return line == entry.lines.end() ? nullptr : &*line;
}

std::string cell(const EntryText& entry, const std::string& key) {
  const EntryLine* const line = line_at(entry, key);
  if (!line) return "-";
  if (!line->single && line->value.starts_with("id "))
    return std::to_string(std::ranges::count(entry.lines, key, &EntryLine::key));
  return line->value == "unknown" ? "-" : line->value;
}

std::optional<Operand> operand_at(const EntryText& entry, const std::string& key) {
  const EntryLine* const line = line_at(entry, key);
  return line ? line->operand : std::nullopt;
}

/// "_Bps" of a bandwidth: the SI unit that a JSON name ends in.
std::string ending(const UnitTable* units) {
  if (!units) return "";
  const auto si = std::ranges::find(units->names, 1.0, &UnitName::factor);
  std::string name(si->name);
  if (name == "/s") return "_per_s";
  if (const auto slash = name.find('/'); slash != std::string::npos) name[slash] = 'p';
  return "_" + name;
}

RowValue value_of(const Operand& operand) {
  if (const auto* measure = std::get_if<Measure>(&operand)) return measure->value;
  const auto& text = std::get<std::string>(operand);
  if (text == "true" || text == "false") return text == "true";
  return text;
}

}  // namespace

bool says(const EntryText& entry, const std::string& key) {
  return operand_at(entry, key).has_value();
}

std::string title_in(const std::string& title, std::size_t start,
                     const std::optional<std::size_t>& width) {
  constexpr std::size_t kLeast = 20;
  if (!width) return clipped(title, std::string::npos);
  return clipped(title, std::max(kLeast, *width - std::min(*width, start)));
}

void sort_by(std::vector<EntryText>& entries, const std::string& key, bool reverse) {
  const auto before = [](const Operand& a, const Operand& b) {
    const auto* x = std::get_if<Measure>(&a);
    const auto* y = std::get_if<Measure>(&b);
    if (x && y) return x->value < y->value;
    return !x && !y ? std::get<std::string>(a) < std::get<std::string>(b) : x != nullptr;
  };
  std::ranges::stable_sort(entries, [&](const EntryText& a, const EntryText& b) {
    const auto x = operand_at(a, key);
    const auto y = operand_at(b, key);
    if (!x || !y) return x.has_value() && !y.has_value();
    return reverse ? before(*y, *x) : before(*x, *y);
  });
}

std::string table_of(const std::vector<EntryText>& entries, const Names& more,
                     const std::optional<std::size_t>& width) {
  if (entries.empty()) return "";
  Names keys = columns_of(entries.front().kind);
  for (const auto& key : more)
    if (!std::ranges::count(keys, key) && key != "title" && key != "name") keys.push_back(key);
  std::vector<Names> rows(1, {"name"});
  rows.front().insert(rows.front().end(), keys.begin(), keys.end());
  for (const auto& entry : entries) {
    Names& row = rows.emplace_back(1, entry.name);
    for (const auto& key : keys) row.push_back(cell(entry, key));
  }
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size() + 2);
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line = fmt::format("{:<{}}", rows[i].front(), widths.front());
    for (std::size_t column = 1; column < rows[i].size(); ++column)
      line += fmt::format("{:>{}}", rows[i][column], widths[column]);
    out +=
        line + "  " + (i == 0 ? "title" : title_in(entries[i - 1].title, line.size() + 2, width));
    out += "\n";
  }
  return out;
}

std::string json_of(const std::vector<EntryText>& entries) {
  std::vector<JsonRow> rows;
  for (const auto& entry : entries) {
    JsonRow& row = rows.emplace_back();
    row = {{"kind", entry.kind},
           {"name", entry.name},
           {"title", entry.title},
           {"source", entry.source},
           {"basis", entry.basis}};
    for (const auto& line : entry.lines)
      if (line.single)
        row.emplace_back(line.key + ending(line.units),
                         line.operand ? value_of(*line.operand) : RowValue());
  }
  return to_json(rows);
}

}  // namespace gpufeed::cli
