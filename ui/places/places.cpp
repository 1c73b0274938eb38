// SPDX-License-Identifier: Apache-2.0
#include "ui/places/places.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "sim/base/diagnostics.h"
#include "sim/base/files/own_program.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code unknown;
  return fs::is_directory(path, unknown);
}

fs::path& data_folder() {
  static fs::path folder;
  return folder;
}

/// The installed folder or file beside the program, else that of the source tree it was built from.
fs::path shipped(const char* name) {
  std::error_code unknown;
  if (const fs::path& given = data_folder(); !given.empty()) return given / name;
  const fs::path program = own_program();
  fs::path installed =
      (program.parent_path() / ".." / "share" / "gpufeed" / name).lexically_normal();
  if (!program.empty() && fs::exists(installed, unknown)) return installed;
  return fs::path(GPUFEED_SOURCE_DIR) / name;
}

/// Where the user's own entries lie; empty where no home is known.
fs::path own_catalog() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config && fs::path(config).is_absolute()) return fs::path(config) / "gpufeed" / "catalog";
  const char* home = std::getenv("HOME");
  if (home && *home) return fs::path(home) / ".config" / "gpufeed" / "catalog";
  return {};
}

bool holds_toml(const fs::path& path) {
  std::error_code unknown;
  return std::ranges::any_of(fs::directory_iterator(path, unknown),
                             [](const auto& entry) { return entry.path().extension() == ".toml"; });
}

/// That it is a folder of folders that are called like kinds of entries. Others may lie beside
/// these, but none that is a misspelt kind.
void check_catalog(const fs::path& folder, Diagnostics& out) {
  const Location where{"--catalog " + folder.string(), 0, 0};
  if (!is_folder(folder)) return out.error(where, "there is no such folder");
  const Names& kinds = catalog_kinds();
  bool any = false;
  const std::size_t before = out.count();
  for (const auto& name : names_in(folder, is_folder)) {
    const bool known = std::ranges::count(kinds, name) > 0;
    any = any || known;
    if (const auto meant = nearest(name, kinds); meant && !known && holds_toml(folder / name))
      out.error(where, "no kind of entry is called \"{}\"; did you mean \"{}\"?", name, *meant);
  }
  if (!any && out.count() == before)
    out.error(where, "holds no folder KIND of files NAME.toml; KIND is one of {}",
              fmt::join(kinds, ", "));
}

}  // namespace

void use_data_folder(fs::path folder) { data_folder() = std::move(folder); }

bool came_with_program(const fs::path& file) {
  std::error_code unknown;
  const fs::path whole = fs::weakly_canonical(file, unknown);
  constexpr std::array kCatalogs{"hw_catalog", "workloads"};
  return std::ranges::any_of(kCatalogs, [&](const char* folder) {
    const fs::path ours = fs::weakly_canonical(shipped(folder), unknown);
    return std::ranges::mismatch(whole, ours).in2 == ours.end();
  });
}

Catalog catalog_with(const std::vector<std::string>& folders,
                     const std::optional<std::string>& prices) {
  Diagnostics out;
  std::vector<fs::path> roots;
  for (const auto& folder : folders) {
    check_catalog(folder, out);
    roots.emplace_back(folder);
  }
  out.throw_if_any();
  if (const fs::path own = own_catalog(); !own.empty()) roots.push_back(own);
  roots.push_back(shipped("hw_catalog"));
  roots.push_back(shipped("workloads"));
  Catalog catalog(std::move(roots));
  return prices ? catalog.with_prices(load_prices(*prices, catalog)) : catalog;
}

Names names_in(const fs::path& folder, const std::function<bool(const fs::path&)>& wanted) {
  Names names;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing))
    if (wanted(entry.path())) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

fs::path state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state && fs::path(state).is_absolute()) return fs::path(state) / "gpufeed";
  const char* home = std::getenv("HOME");
  if (home && *home) return fs::path(home) / ".local" / "state" / "gpufeed";
  return {};
}

fs::path examples_folder() { return shipped("examples"); }

fs::path validation_folder() { return shipped("tests/validation"); }

fs::path glossary_file() { return shipped("GLOSSARY.md"); }

}  // namespace gpufeed
