// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/setting_rows.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/load/key_help.h"
#include "sim/load/load.h"
#include "sim/load/text/patch.h"
#include "sim/load/text/values.h"
#include "sim/model/workload.h"
#include "ui/model/build/key_labels.h"
#include "ui/model/build/words.h"

namespace gpufeed::ui {
namespace {

constexpr std::array kSections{"",         "workload", "data",       "loader", "exchange",
                               "parallel", "fabric",   "checkpoint", "run"};

/// The usual one where the text names none.
WorkloadKind kind_in(const std::string& text) {
  try {
    const auto kind = texts_at(text, "workload.kind");
    if (!kind || kind->size() != 1) return {};
    const auto& names = EnumNames<WorkloadKind>::names;
    const auto named = std::ranges::find(names, kind->front());
    return named == names.end() ? WorkloadKind{} : WorkloadKind(named - names.begin());
  } catch (const InputError&) {
    return {};
  }
}

bool is_section(const std::string& path) {
  return std::ranges::count(kSections, path) > 0 || path == "system";
}

/// Whether the value is tables with headers of their own.
bool is_in_tables(const std::string& value, const std::string& path) {
  return value.starts_with("[" + path) || value.starts_with("[[" + path);
}

/// Of all rows, for a text of hundreds of parts takes milliseconds to read.
void read_values(const std::string& text, std::vector<SettingRow>& rows) {
  std::vector<KeyPath> paths;
  paths.reserve(rows.size());
  for (const SettingRow& row : rows) paths.push_back(own_path(row.path));
  try {
    const auto values = values_at(text, paths);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string value = values[i].value_or("");
      rows[i].in_tables = is_in_tables(value, rows[i].path);
      rows[i].value = rows[i].in_tables ? value.substr(0, value.find('\n')) : as_typed(value);
    }
  } catch (const InputError&) {
    return;  // what is wrong with the text is shown elsewhere
  }
}

}  // namespace

std::string as_typed(const std::string& value) {
  if (value.size() < 2 || !value.starts_with('"') || value.find('\\') != std::string::npos)
    return value;
  std::string words = value.substr(1, value.size() - 2);
  if (words.find('"') != std::string::npos) return value;
  try {
    value_at("value = " + words, "value");
    return value;
  } catch (const InputError&) {
    return words;
  }
}

std::vector<SettingRow> setting_rows(const std::string& text) {
  static const std::vector<KeyHelp> known = all_keys();
  const WorkloadKind kind = kind_in(text);
  std::vector<SettingRow> rows;
  for (const std::string section : kSections)
    for (const KeyHelp& key : known) {
      if (key.table.many || !key.table.is_at(own_path(section), kind)) continue;
      const std::string path = section.empty() ? key.key : section + "." + key.key;
      if (is_section(path)) continue;
      rows.push_back({path, key.help, key.value, key.form, key.standard, "", false});
    }
  read_values(text, rows);
  return rows;
}

std::vector<const SettingRow*> found_in(const std::vector<SettingRow>& rows,
                                        const std::string& search) {
  std::vector<const SettingRow*> found;
  for (const SettingRow& row : rows)
    if (has_words(row.path + " " + row.help, search)) found.push_back(&row);
  return found;
}

std::string problem_of(const KeyPath& path, const std::vector<Problem>& problems) {
  const auto found = std::ranges::find(problems, path, &Problem::subject);
  return found == problems.end() ? "" : in_words(*found);
}

}  // namespace gpufeed::ui
