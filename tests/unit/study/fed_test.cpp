// SPDX-License-Identifier: Apache-2.0
// What calibrated values of the catalog rest on: rows of two systems at least, told by a law of
// bars.toml or by fed.toml. A value that one system alone has fed is refused, unless it is an
// anchor: what one store or client carries.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <toml++/toml.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "reports/study/validate.h"
#include "sim/load/csv/csv.h"
#include "sim/load/study/validation.h"
#include "sim/model/catalog/drive.h"
#include "tests/support/catalog.h"
#include "tests/support/validation_cases.h"

using namespace gpufeed;

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

const fs::path kSources = GPUFEED_SOURCE_DIR;

/// A value that entries of one kind share.
struct SharedValue {
  std::string kind, key, value;
  Names entries = {};

  std::string name() const { return fmt::format("{}.{} = {}", kind, key, value); }
  bool is_used_by(const Names& used) const {
    return std::ranges::any_of(entries, [&](const std::string& entry) {
      return used.contains(fmt::format("{}/{}", kind, entry));
    });
  }
};

/// A line of fed.toml.
struct Fed {
  std::string value;  ///< "kind.key"
  std::string anchor, mechanism, titles, table, column;
  std::vector<std::string> networks;

  bool feeds(const SharedValue& shared) const {
    return value == fmt::format("{}.{}", shared.kind, shared.key) &&
           (anchor.empty() || shared.entries == Names{anchor});
  }
};

std::string as_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  return "a table";
}

bool is_calibrated(const toml::node& node) {
  const auto* table = node.as_table();
  return table && (*table)["basis"].value_or(std::string()) == "calibrated";
}

/// All calibrated values below a node, as (key, value).
void collect(const toml::node& node, const std::string& key,
             std::vector<std::pair<std::string, std::string>>& out) {
  if (const auto* array = node.as_array())
    for (const auto& element : *array) collect(element, key, out);
  const auto* table = node.as_table();
  if (!table) return;
  if (is_calibrated(node) && table->contains("value")) {
    out.emplace_back(key, as_text(*table->get("value")));
    return;
  }
  for (const auto& [name, child] : *table) {
    const std::string own(name.str());
    if (child.is_table() || child.is_array())
      collect(child, own, out);
    else if (is_calibrated(node) && own != "title" && own != "source" && own != "basis")
      out.emplace_back(own, as_text(child));
  }
}

/// What an entry says, and what it takes from the one that it is like.
toml::table whole_entry(const fs::path& file) {
  toml::table table = toml::parse_file(file.string());
  const auto like = table["like"].value<std::string>();
  if (!like) return table;
  toml::table other = toml::parse_file((file.parent_path() / (*like + ".toml")).string());
  REQUIRE(!other.contains("like"));
  REQUIRE(!is_calibrated(other));
  for (const char* own : {"title", "source", "basis"}) other.erase(own);
  if (const auto* without = table["without"].as_array())
    for (const auto& key : *without) other.erase(key.value_or(std::string()));
  for (auto&& [key, node] : other)
    if (!table.contains(key)) table.insert(key, node);
  return table;
}

/// Those of the catalog, and what drives are taken to reach that do not say it.
std::vector<SharedValue> calibrated_values() {
  std::map<std::tuple<std::string, std::string, std::string>, Names> found;
  SharedValue usual{"drive", "file_efficiency",
                    fmt::format("{:.0f} %", 100 * Drive::kFileEfficiency.value)};
  for (const char* folder : {"hw_catalog", "workloads"})
    for (const auto& file : fs::recursive_directory_iterator(kSources / folder)) {
      if (file.path().extension() != ".toml") continue;
      const std::string kind = file.path().parent_path().filename().string();
      if (kind == "price-law") continue;  // tests/unit/model/purchase/price_rule_test.cpp fits them
      const std::string entry = file.path().stem().string();
      const toml::table table = whole_entry(file.path());
      std::vector<std::pair<std::string, std::string>> values;
      collect(table, "", values);
      for (const auto& [key, value] : values) found[{kind, key, value}].insert(entry);
      if (kind == "drive" && !table.contains("file_efficiency")) usual.entries.insert(entry);
    }
  std::vector<SharedValue> out{usual};
  for (const auto& [id, entries] : found)
    out.push_back({std::get<0>(id), std::get<1>(id), std::get<2>(id), entries});
  return out;
}

std::vector<Fed> fed_lines() {
  std::vector<Fed> out;
  const toml::table table = toml::parse_file((kSources / "tests/validation/fed.toml").string());
  for (const auto& node : *table["fed"].as_array()) {
    const auto& line = *node.as_table();
    const auto text = [&](const char* key) { return line[key].value_or(std::string()); };
    Fed& fed = out.emplace_back(Fed{text("value"),
                                    text("anchor"),
                                    text("mechanism"),
                                    text("titles"),
                                    text("table"),
                                    line["column"].value_or(std::string("system")),
                                    {}});
    if (const auto* networks = line["networks"].as_array())
      for (const auto& name : *networks) fed.networks.push_back(name.value_or(std::string()));
  }
  return out;
}

/// Calls `take(case, row)` for each row of the cases that use an entry with the value.
template <class Take>
void for_rows_with(const SharedValue& shared, Take&& take) {
  for (const LoadedCase& one : loaded_cases())
    if (shared.is_used_by(one.entries))
      for (const MeasuredRow& row : one.one->measured) take(one, row);
}

template <class Range>
bool has(const Range& range, const std::string& text) {
  return std::ranges::find(range, text) != range.end();
}

const FittedConstant* constant_of(const FittedLaw& law, const std::string& key) {
  const auto at = std::ranges::find_if(
      law.constants, [&](const FittedConstant& one) { return one.path.steps.back().key == key; });
  return at == law.constants.end() ? nullptr : &*at;
}

Names systems_of(const FittedLaw& law, const SharedValue& shared) {
  Names systems;
  for_rows_with(shared, [&](const LoadedCase& one, const MeasuredRow& row) {
    if (has(law.mechanisms, row.mechanism) &&
        (law.families.empty() || has(law.families, one.family)))
      systems.insert(one.system());
  });
  return systems;
}

/// GPUs of which the networks have rates at several batches of one precision.
Names gpus_at_several_batches(const std::vector<std::string>& networks) {
  Names gpus;
  for (const auto& network : networks) {
    const auto table =
        toml::parse_file((kSources / "workloads/model" / (network + ".toml")).string());
    std::map<std::pair<std::string, std::string>, std::set<std::int64_t>> batches;
    for (const auto& node : *table["compute"].as_array()) {
      const auto& row = *node.as_table();
      batches[{row["gpu"].value_or(std::string()), row["precision"].value_or(std::string())}]
          .insert(row["batch"].value_or(std::int64_t{0}));
    }
    for (const auto& [of, several] : batches)
      if (several.size() > 1) gpus.insert(of.first);
  }
  return gpus;
}

struct Behind {
  Names systems;
  std::vector<std::string> faults;
};

/// The column of that name, of a table beside the cases.
Names systems_in(const std::string& table, const std::string& column_name) {
  std::ifstream in(kSources / "tests/validation" / table);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  CsvLines lines(text);
  REQUIRE(lines.next());
  const auto column = static_cast<std::size_t>(
      std::ranges::find(lines.fields(), column_name, &CsvField::text) - lines.fields().begin());
  Names out;
  while (lines.next()) out.emplace(lines.fields().at(column).text);
  return out;
}

Behind behind(const Fed& fed, const SharedValue& shared) {
  Behind out;
  if (!fed.table.empty()) out.systems = systems_in(fed.table, fed.column);
  if (!fed.networks.empty()) out.systems = gpus_at_several_batches(fed.networks);
  for_rows_with(shared, [&](const LoadedCase& one, const MeasuredRow& row) {
    if (fed.mechanism.empty() || row.mechanism != fed.mechanism ||
        !std::regex_match(one.one->title, std::regex(fed.titles)))
      return;
    out.systems.insert(one.system());
    if (row.role != CaseRole::fit) out.faults.push_back(one.one->title + " counts in a score");
  });
  return out;
}

/// Why the value may not stand as calibrated; empty: it may.
std::string fault_of(const SharedValue& shared, const std::vector<Fed>& feds, const Bars& bars) {
  Behind all;
  bool named = false, anchor = false;
  for (const FittedLaw& law : bars.laws) {
    const FittedConstant* constant = constant_of(law, shared.key);
    if (!constant) continue;
    const Names systems = systems_of(law, shared);
    if (systems.empty()) continue;
    named = true;
    all.systems.insert(systems.begin(), systems.end());
    if (!has(constant->values, shared.value))
      all.faults.push_back(fmt::format("the law \"{}\" does not try it", law.name));
  }
  for (const Fed& fed : feds) {
    if (!fed.feeds(shared)) continue;
    named = true;
    anchor |= !fed.anchor.empty() && has(Names{"array", "protocol"}, shared.kind);
    const Behind one = behind(fed, shared);
    all.systems.insert(one.systems.begin(), one.systems.end());
    all.faults.insert(all.faults.end(), one.faults.begin(), one.faults.end());
  }
  if (!named) return "neither a law nor fed.toml says what fed it";
  const std::size_t least = anchor ? 1 : 2;
  if (all.systems.size() < least || (anchor && all.systems.size() > 1))
    all.faults.push_back(fmt::format("it rests on {}: {}", all.systems.size(), all.systems));
  return fmt::format("{}", fmt::join(all.faults, "; "));
}

}  // namespace

TEST_CASE("every calibrated value rests on two systems at least, or is a store's anchor") {
  const auto values = calibrated_values();
  const auto feds = fed_lines();
  const Bars bars = load_bars(kSources / "tests/validation/bars.toml", own_catalog());
  CHECK(values.size() == 43);
  for (const SharedValue& shared : values) {
    CAPTURE(shared.name());
    CAPTURE(fmt::format("{}", shared.entries));
    CHECK(fault_of(shared, feds, bars) == "");
  }
  for (const Fed& fed : feds) {
    CAPTURE(fed.value);
    CHECK(std::ranges::any_of(values, [&](const SharedValue& one) { return fed.feeds(one); }));
  }
}

TEST_CASE("a calibrated value of one system is found out") {
  const auto fault = [feds = fed_lines(),
                      bars = load_bars(kSources / "tests/validation/bars.toml", own_catalog())](
                         const SharedValue& one) { return fault_of(one, feds, bars); };
  CHECK(fault({"drive", "file_efficiency", "90 %", {"micron-9400-pro-7.68tb"}}) ==
        "it rests on 1: {\"EPYC 74F3, one Micron 9400\"}");
  CHECK(fault({"drive", "file_efficiency", "90 %", {"samsung-pm9a3-3.84tb"}}) ==
        "it rests on 0: {}");
  CHECK(fault({"drive", "read_latency", "80 us", {"micron-9400-pro-7.68tb"}}) ==
        "neither a law nor fed.toml says what fed it");
  // The step of a benchmark that no measured row takes.
  CHECK(fault({"job", "step_overhead", "7 ms", {"mlperf-bert-v100"}}) ==
        "neither a law nor fed.toml says what fed it");
  CHECK(fault({"job", "step_overhead", "6.5 ms", {"mlperf-unet3d-h100", "mlperf-unet3d-a100"}}) ==
        "the law \"what a step of UNet3D takes of a host\" does not try it");
  CHECK(fault({"protocol", "connection_bandwidth", "770 MB/s", {"nvme-tcp"}}) ==
        "neither a law nor fed.toml says what fed it");
}
