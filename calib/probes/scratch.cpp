// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/scratch.h"

#include <fmt/format.h>

#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "gpufeed-scratch";

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
  throw InputError({{{folder.string(), 0, 0}, why}});
}

}  // namespace

Scratch::Scratch(const fs::path& below, Bytes needs) : path_(below / kName) {
  std::error_code error;
  if (!fs::is_directory(below, error)) refuse(below, "there is no such folder");
  fs::remove_all(path_, error);
  const auto space = fs::space(below, error);
  if (!error && static_cast<double>(space.available) < needs.value)
    refuse(below,
           fmt::format("{} are free, {} are needed; --max-bytes takes less",
                       text(Bytes{static_cast<double>(space.available)}, 3), text(needs, 3)));
  fs::create_directory(path_, error);
  if (error) refuse(below, fmt::format("cannot write here: {}", error.message()));
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace gpufeed
