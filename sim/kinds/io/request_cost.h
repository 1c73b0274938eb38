// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sim/model/kinds/io.h"

namespace gpufeed {

/// Of one request with O_DIRECT: what it takes of the core of its job.
struct RequestCost {
  Seconds time;
  std::string_view source;
};

/// The engine's own time, and what the request's bytes take: the kernel pins their pages, one by
/// one, where buffers are not registered.
///   t = t_engine + size x (42 us/MiB pinned, 2 ns/KiB by SPDK)
/// Of clocks near 3 GHz. Virtual disks take about as long where requests are under way together
/// (libaio 6.7, io_uring 6.0 us); a job that waits for each lets its processor halt, which the host
/// takes over and gives back: psync 21 us.
/// Of the engine's time the call takes a part, which requests handed over together share:
///   t_engine (1 - c + c/batch), c = 32 % of libaio, 20 % of io_uring
/// \source  c: fio 3.33 on a virtual disk, 256 reads of 4 KiB under way, 1, 4 and 64 by a call:
///          2.6, 2.1, 1.8 us by libaio, 2.15, 1.86, 1.78 by io_uring
/// \param guest  the disk is a virtual machine's
/// \param batch  requests that one call hands over
RequestCost request_cost(IoEngine engine, Bytes size, bool guest = false, double batch = 1);

/// As fio's command line has it.
std::string_view engine_in_words(IoEngine engine);

}  // namespace gpufeed
