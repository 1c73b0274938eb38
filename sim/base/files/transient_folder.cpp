// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/transient_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "sim/base/diagnostics.h"

namespace gpufeed {

TransientFolder::TransientFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "gpufeed-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw InputError(
        {{{name, 0, 0}, std::string("no folder can be made there: ") + std::strerror(errno)}});
  path_ = name;
}

TransientFolder::~TransientFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace gpufeed
