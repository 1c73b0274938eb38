// SPDX-License-Identifier: Apache-2.0
#include "ui/model/keep/write_whole.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "sim/base/diagnostics.h"

namespace gpufeed::ui {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& file, const std::error_code& error) {
  const Problem problem{{file.string(), 0, 0}, "cannot be written: " + error.message()};
  throw InputError({problem});
}

}  // namespace

void write_whole(const fs::path& named, const std::string& text) {
  std::error_code ignored;
  const fs::path linked = fs::is_symlink(named, ignored) ? fs::canonical(named, ignored) : named;
  const fs::path file = linked.empty() ? named : linked;
  const fs::path beside = file.string() + fmt::format(".{}.part", getpid());
  errno = 0;
  std::ofstream out(beside, std::ios::binary);
  out << text;
  out.close();
  std::error_code error(out ? 0 : errno, std::generic_category());
  if (const auto present = fs::status(file, ignored); !error && fs::exists(present))
    fs::permissions(beside, present.permissions(), ignored);
  if (!error) fs::rename(beside, file, error);
  if (!error) return;
  fs::remove(beside, ignored);
  cannot_write(file, error);
}

}  // namespace gpufeed::ui
