// SPDX-License-Identifier: Apache-2.0
#include "ui/library/guard.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>

#include "reports/writers/problems_json.h"
#include "sim/base/problem.h"

namespace gpufeed::v1 {
namespace {

namespace fs = std::filesystem;

/// The catalog lies beside what this is linked into, which need not be gpufeed's program.
bool look_for_data() {
  constexpr std::array kBeside{"share/gpufeed", "../share/gpufeed", "../../share/gpufeed",
                               "../../../../share/gpufeed"};
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&look_for_data), &own) == 0) return false;
  std::error_code unknown;
  const fs::path folder = fs::canonical(own.dli_fname, unknown).parent_path();
  for (const char* name : kBeside)
    if (fs::is_directory(folder / name / "hw_catalog", unknown)) {
      use_data_folder(fs::canonical(folder / name, unknown));
      return true;
    }
  return false;
}

}  // namespace

void find_data() {
  static const bool found = look_for_data();
  static_cast<void>(found);
}

InputError foreign(const gpufeed::InputError& error) {
  std::vector<Problem> problems;
  std::string what;
  for (const gpufeed::Problem& one : error.problems()) {
    what += (what.empty() ? "" : "\n") + line_of(one);
    problems.push_back({std::string(name_of(one.code)), one.where.file, one.where.line,
                        one.where.column, text(one.subject), sentence(one)});
  }
  return {what, std::move(problems), to_json(error.problems())};
}

Catalog catalog_of(const Settings& settings) {
  find_data();
  const std::vector<std::string> folders(settings.catalogs.begin(), settings.catalogs.end());
  const auto prices =
      settings.prices ? std::optional(settings.prices->string()) : std::optional<std::string>();
  return catalog_with(folders, prices).remembering();
}

unsigned threads(unsigned jobs) {
  return jobs > 0 ? jobs : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace gpufeed::v1
