// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/io/request_cost.h"

namespace gpufeed {
namespace {

constexpr double kPinning = 42e-6 / 1048576;  ///< seconds for a byte, in pages of 4 KiB
constexpr double kBySpdk = 2e-9 / 1024;       ///< likewise

}  // namespace

RequestCost request_cost(IoEngine engine, Bytes size, bool guest, double batch) {
  const auto cost = [&](double own_s, double of_byte, std::string_view source) {
    return RequestCost{Seconds{own_s + of_byte * size.value}, source};
  };
  const auto of_batch = [&](double call) { return 1 - call + call / batch; };
  switch (engine) {
    case IoEngine::psync:
      if (guest)
        return cost(21e-6, kPinning, "psync on a virtual disk (virtio, EPYC of two cores)");
      return cost(3e-6, kPinning, "psync beside libaio on virtual disks: 3 us and the wait");
    case IoEngine::libaio:
      return cost(
          6.9e-6 * of_batch(0.32), kPinning,
          "fio's defaults on bare metal (Didona and others, SYSTOR 2022; axboe/fio issues)");
    case IoEngine::io_uring:
      return cost(
          5.8e-6 * of_batch(0.2), kPinning,
          "fio's defaults on bare metal (Didona and others, SYSTOR 2022; axboe/fio issues)");
    case IoEngine::io_uring_polled:
      return cost(100e-9, 0, "J. Axboe on Linux 5.16: 10 million a second and core; 2.6 on 5.9");
    case IoEngine::spdk:
      return cost(71e-9, kBySpdk,
                  "SPDK on 16 Optane P5800X (spdk.github.io, 2021 and 2023): 12.6 million reads of "
                  "4 KiB a second and core, 13.9 of 512 B");
  }
  return {};
}

std::string_view engine_in_words(IoEngine engine) {
  if (engine == IoEngine::io_uring_polled) return "io_uring --hipri --fixedbufs --registerfiles";
  return name_of(engine);
}

}  // namespace gpufeed
