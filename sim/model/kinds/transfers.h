// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// The tests of nvbandwidth, by its names without "_memcpy_ce".
enum class TransferTest {
  host_to_device,
  device_to_host,
  host_to_device_bidirectional,
  device_to_host_bidirectional,
  device_to_device,
  device_to_device_bidirectional,
  all_to_host,
  host_to_all,
  all_to_host_bidirectional,
  host_to_all_bidirectional
};
template <>
struct EnumNames<TransferTest> {
  static constexpr std::array<std::string_view, 10> names{"host_to_device",
                                                          "device_to_host",
                                                          "host_to_device_bidirectional",
                                                          "device_to_host_bidirectional",
                                                          "device_to_device",
                                                          "device_to_device_bidirectional",
                                                          "all_to_host",
                                                          "host_to_all",
                                                          "all_to_host_bidirectional",
                                                          "host_to_all_bidirectional"};
};

/// One of several copies that run at the same time.
struct Copy {
  PartRef from;
  PartRef to;
  std::optional<PartRef> via;
  std::int64_t streams = 1;
  bool overlapped = true;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("from", &Copy::from, "a socket (its memory), GPU, drive, volume or store").needed());
    visit(key("to", &Copy::to, "likewise").needed());
    visit(key("via", &Copy::via, "between GPUs: the GPU that passes the data on by NVLink"));
    visit(key("streams", &Copy::streams, "how many of them at once").between(1, 4096));
    visit(key("overlapped", &Copy::overlapped,
              "false: what stops in host memory arrives there before it goes on, as where one "
              "process reads into a buffer and then copies from it"));
  }
};

/// Complains that a copy does not stop in host memory, as `overlapped = false` says.
void refuse_halves(const Copy& copy, Diagnostics& out);
/// Complains that no NVLink joins `via` to both ends.
void refuse_via(const Copy& copy, Diagnostics& out);

namespace kind {

/// What nvbandwidth does.
struct Transfers {
  static constexpr std::string_view kName = "transfers";
  static constexpr std::array<std::string_view, 2> kTakes{"data.path", "store"};
  static constexpr std::array<std::string_view, 2> kLeaves{"store.stripes", "store.metadata"};

  std::vector<TransferTest> tests;
  std::vector<Copy> copies;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("tests", &Transfers::tests, "tests of nvbandwidth, one by one"));
    visit(key("copy", &Transfers::copies, "copies that run at the same time"));
  }
};

}  // namespace kind
}  // namespace gpufeed
