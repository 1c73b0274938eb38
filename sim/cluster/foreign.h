// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "sim/cluster/board.h"

namespace gpufeed::cluster {

/// Sends a line to another's scheduler; of one that asks, the line that it answers.
/// \throws InputError  where it is gone
using Talk = std::function<std::string(const std::string& line, bool asks)>;

/// A scheduler that is told in lines of JSON what happens, and asked at each pass whom to start:
///   {"event":"begin","nodes":[{"gpus":8,"pool":0},...]}
///   {"event":"arrive","job":3,"at":10,"gpus":4,"milli":1000,"cpu_milli":0,"memory":0,
///    "estimate":600,"priority":0,"user":0,"pool":0}      also of a job that was stopped
///   {"event":"end","job":3,"at":610}                     it ended, or was stopped
///   {"event":"schedule","at":610,"free_gpus":5}          which it answers by {"start":[4,5]}
/// Jobs, users and pools are numbers. Whom it starts is put where the policy's placement puts it.
/// \throws InputError  of the pass: the answer is no such line, or starts what does not wait or fit
std::function<void(Board&)> foreign_scheduler(const Case& of, Talk talk);

}  // namespace gpufeed::cluster
