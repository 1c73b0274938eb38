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

/// Other chassis with room for the GPUs.
Names chassis_for(const Request& request, const Chosen<Gpu>& gpus);
/// ", or another chassis, such as A, B, C"; empty where there is none.
std::string or_another_chassis(const Names& chassis);

}  // namespace gpufeed
