// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/simgrid_module.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <system_error>
#include <vector>

#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModule = "libgpufeed_simgrid.so";

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  std::vector<Problem> problems(1);
  problems.front().where.file = "run.engine = \"simgrid\"";
  problems.front().message =
      fmt::format(format, std::forward<Args>(args)...) + ", or take \"fluid\"";
  throw InputError(std::move(problems));
}

/// Where it was built, beside the program, and where it is installed.
std::array<fs::path, 2> own_folders() {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  return {program, (program / ".." / "lib" / "gpufeed").lexically_normal()};
}

EngineMaker own_module() {
  static const EngineMaker make = load_simgrid_module(own_folders());
  return make;
}

}  // namespace

EngineMaker load_simgrid_module(std::span<const fs::path> folders) {
  std::vector<std::string> tried;
  for (const fs::path& folder : folders) {
    const fs::path file = folder / kModule;
    tried.push_back(folder.string());
    if (std::error_code unknown; !fs::exists(file, unknown)) continue;
    void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const make = module ? dlsym(module, "gpufeed_simgrid_engine") : nullptr;
    if (make) return reinterpret_cast<EngineMaker>(make);
    refuse("cannot load {}: {}; install SimGrid (Debian's libsimgrid-dev)", file.string(),
           dlerror());
  }
  refuse(
      "this gpufeed has no SimGrid: there is no {} in {}; install Debian's libsimgrid-dev and "
      "build again",
      kModule, fmt::join(tried, " or "));
}

void require_simgrid() { own_module(); }

std::unique_ptr<Engine> make_simgrid_engine() { return std::unique_ptr<Engine>(own_module()()); }

}  // namespace gpufeed
