// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/load/chassis/choose.h"
#include "sim/load/chassis/slots.h"

namespace gpufeed {

/// Whether there are free slots for all of the parts; else says why not, and what there is: how
/// many go in, other parts that fit, or another chassis.
bool has_room(const Request& request, const Slots& slots, const Chosen<Gpu>& gpus);
bool has_room(const Request& request, const Slots& slots, const Chosen<Nic>& nics);
bool has_room(const Request& request, const Slots& slots, const Chosen<Drive>& drives);

/// ", or another chassis, such as A, B or C": those with room for the GPUs; empty where none has.
std::string chassis_for(const Request& request, const Chosen<Gpu>& gpus);

}  // namespace gpufeed
