// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/result/result.h"

namespace gpufeed {

/// Whether a result is of a workload that trains nothing: io, transfers, pipeline, inference.
bool trains_nothing(const Result& result);

/// What fio or nvbandwidth would print (only the lines that a simulation can know), the steps of a
/// pipeline, or the figures of a service; then what limits it: the middle of the screen of such a
/// result.
std::string text_without_training(const Result& result);

/// fio's short form of a number: at most four characters beside the prefix. 192000: "192k"; 21140:
/// "21.1k"; in steps of 1024: "82.6Mi". fio 3.33 drops a carry, and writes 67.95 M as 67.0M; here
/// it is 68.0M. \param value  0 or more; the nearest whole number is taken
std::string fio_number(double value, bool binary);

/// fio's rate in both prefixes: "750MiB/s (786MB/s)".
std::string fio_rate(double bytes_per_s);

}  // namespace gpufeed
