// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/catalog.h"

#include <algorithm>

#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"

namespace gpufeed {

namespace fs = std::filesystem;

Catalog::Catalog(std::vector<fs::path> roots) : roots_(std::move(roots)) {}

std::optional<fs::path> Catalog::find(std::string_view kind, std::string_view name) const {
  for (const auto& root : roots_) {
    fs::path file = root / kind / (std::string(name) + ".toml");
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) return file;
  }
  return {};
}

Names Catalog::names(std::string_view kind) const {
  Names found;
  for (const auto& root : roots_) {
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(root / kind, missing))
      if (entry.path().extension() == ".toml") found.push_back(entry.path().stem().string());
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Catalog Catalog::remembering() const {
  Catalog copy = *this;
  copy.cache_ = std::make_shared<EntryCache>();
  return copy;
}

Catalog Catalog::confined_to(const fs::path& folder) const {
  Catalog copy = *this;
  std::vector<fs::path> within = roots_;
  within.push_back(folder);
  copy.named_ = std::make_shared<NamedFiles>(std::move(within));
  return copy;
}

std::vector<fs::path> Catalog::files() const {
  std::vector<fs::path> found;
  for (const auto& root : roots_)
    for (const auto& kind : catalog_kinds()) {
      std::error_code missing;
      for (const auto& entry : fs::directory_iterator(root / kind, missing))
        if (entry.path().extension() == ".toml") found.push_back(entry.path());
    }
  return found;
}

const Names& catalog_kinds() {
  static const Names kinds = [] {
    Names names;
    for (const std::string_view kind :
         {System::kKind, Chassis::kKind, Gpu::kKind, Cpu::kKind, Memory::kKind, Drive::kKind,
          Array::kKind, Nic::kKind, Switch::kKind, Link::kKind, Protocol::kKind, Model::kKind,
          Dataset::kKind, Decoder::kKind, Job::kKind})
      names.emplace_back(kind);
    return names;
  }();
  return kinds;
}

}  // namespace gpufeed
