// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/basic_keys.h"

#include <algorithm>
#include <map>
#include <set>

namespace gpufeed::cli {
namespace {

using KeysOfTable = std::map<std::string, std::set<std::string>>;

/// By kind of file, by the table's path.
const std::map<KeyFile, KeysOfTable>& basic_keys() {
  static const std::map<KeyFile, KeysOfTable> kBasic{
      {KeyFile::scenario,
       {{"", {"title", "system", "nodes", "workload", "data", "loader", "store", "replace"}},
        {"workload",
         {"kind", "model", "dataset", "framework", "gpus", "batch_per_gpu", "epochs", "precision",
          "job", "io", "copy", "stage", "serving", "operations", "product"}},
        {"data", {"at"}},
        {"loader", {"workers_per_gpu", "decode", "cache"}},
        {"checkpoint", {"interval_steps", "at"}},
        {"replace", {"part", "with", "count"}},
        {"store.NAME", {"model", "via"}},
        {"run", {"seed", "precision"}}}},
      {KeyFile::sweep,
       {{"sweep", {"scenario", "axis", "constraint"}}, {"axis", {"path", "values"}}}},
      {KeyFile::goal,
       {{"goal", {"scenario", "axis", "constraint", "minimize", "maximize"}},
        {"axis", {"path", "values"}}}}};
  return kBasic;
}

}  // namespace

bool is_basic(const KeyHelp& key) {
  const auto file = basic_keys().find(key.table.file);
  if (file == basic_keys().end()) return false;
  const auto table = file->second.find(path_text(key.table));
  return table != file->second.end() && table->second.contains(key.key);
}

std::vector<KeyHelp> basic_first(std::vector<KeyHelp> keys) {
  for (auto begin = keys.begin(); begin != keys.end();) {
    const auto end = std::find_if(begin, keys.end(),
                                  [&](const KeyHelp& one) { return one.table != begin->table; });
    std::stable_partition(begin, end, is_basic);
    begin = end;
  }
  return keys;
}

}  // namespace gpufeed::cli
