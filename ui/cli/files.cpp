// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "sim/base/diagnostics.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

/// Where writing to `file`, which is not there, would make one: links that lead nowhere yet are
/// followed.
fs::path place_of(fs::path file) {
  constexpr int kMostLinks = 40;
  std::error_code failed;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(file, failed)); ++i)
    file = file.parent_path() / fs::read_symlink(file, failed);
  const fs::path folder = fs::weakly_canonical(fs::absolute(file, failed).parent_path(), failed);
  return folder / file.filename();
}

/// Empty for pipes and devices: many may write there.
std::string identity_of(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return place_of(file).string();
  return S_ISREG(status.st_mode) ? fmt::format("{}:{}", status.st_dev, status.st_ino) : "";
}

[[noreturn]] void refuse_option(const std::string& option, const std::string& why) {
  throw InputError({{{option, 0, 0}, why}});
}

[[noreturn]] void refuse_input(const std::string& option, const std::string& file) {
  refuse_option(option, fmt::format("this is the file {}, which is read; name another one", file));
}

}  // namespace

void CommandFiles::input(const fs::path& file) {
  const auto [it, fresh] = known_.try_emplace(identity_of(file), Known{file.string(), ""});
  if (!fresh && !it->second.option.empty()) refuse_input(it->second.option, file.string());
}

void CommandFiles::inputs(const Catalog& catalog) {
  for (const auto& file : catalog.files()) input(file);
  for (const auto& file : catalog.named().all()) input(file);
}

void CommandFiles::output(const std::string& option, const fs::path& file) {
  const std::string identity = identity_of(file);
  if (identity.empty()) return;
  const auto [it, fresh] = known_.try_emplace(identity, Known{file.string(), option});
  if (fresh) return;
  const auto& [name, other] = it->second;
  if (other.empty()) refuse_input(option, name);
  refuse_option(option, fmt::format("this is the file of {} too; name another one", other));
}

}  // namespace gpufeed::cli
