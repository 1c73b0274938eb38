// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/short_titles.h"

#include <doctest/doctest.h>

using gpufeed::ui::short_titles;
using Titles = std::vector<std::string>;

TEST_CASE("a title gets shorter by what tells least") {
  CHECK(short_titles("Mellanox ConnectX-6 VPI, one port (HDR InfiniBand)") ==
        Titles{"Mellanox ConnectX-6 VPI, one port (HDR InfiniBand)", "Mellanox ConnectX-6 VPI",
               "ConnectX-6 VPI"});
  CHECK(short_titles("Intel X550 (two ports)") ==
        Titles{"Intel X550 (two ports)", "Intel X550", "X550"});
  CHECK(short_titles("Samsung PM1733 3.84 TB") ==
        Titles{"Samsung PM1733 3.84 TB", "PM1733 3.84 TB", "PM1733"});
  CHECK(short_titles("NVIDIA GB") == Titles{"NVIDIA GB", "GB"});
  CHECK(short_titles("Fiber with plugs") == Titles{"Fiber with plugs"});
  CHECK(short_titles("NVSwitch") == Titles{"NVSwitch"});
  CHECK(short_titles("") == Titles{""});
}
