// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gpufeed {

/// A script of POSIX shell that prints what `machine_of_report` reads: files of /sys and /proc,
/// each behind "==> /path <==" ("==> /path -> /target <==" of a symbolic link, "==> /path (hex)
/// <==" of bytes), and what programs say, behind "==> command <==". It changes nothing, and prints
/// no address, serial number or name of a host.
std::string_view collecting_script();

}  // namespace gpufeed
