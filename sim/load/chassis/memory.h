// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/chassis/asked.h"
#include "sim/model/catalog/chassis.h"

namespace gpufeed {

/// The memory of one socket.
struct MemoryOfSocket {
  Bytes size;
  std::optional<std::int64_t> modules;  ///< nothing where the CPU does not say its channels
  std::optional<Ref<Memory>> kind;      ///< nothing where nobody says it
  std::optional<Bandwidth> bandwidth;   ///< where it is less than the CPU's
};

/// Makes "2 TB", "16 x 64 GB" or "16 x 64 GB ddr5-4800-rdimm" of modules: of a size alone, so that
/// every channel has as many, and as few as can be. Sizes are those on the modules: 64 GB is 64
/// GiB, and 1 TB is 1024 of them, or 1000. What cannot be made goes to `out`, with the nearest that
/// can.
std::optional<MemoryOfSocket> choose_memory(const Asked& asked, const Chassis& chassis,
                                            const Ref<Cpu>& cpu, std::int64_t sockets,
                                            const std::string& place, Reader& reader,
                                            std::vector<std::string>& doubts, Diagnostics& out);

}  // namespace gpufeed
