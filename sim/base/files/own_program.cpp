// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/own_program.h"

#include <sys/auxv.h>

#include <system_error>

namespace gpufeed {

std::filesystem::path own_program() {
  namespace fs = std::filesystem;
  std::error_code unknown;
  fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  if (!unknown) return program;
  // getauxval(3) gives an address as a number
  const auto* const started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));  // NOLINT
  return started ? fs::canonical(started, unknown) : fs::path();
}

}  // namespace gpufeed
