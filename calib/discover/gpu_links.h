// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "calib/discover/found.h"
#include "calib/discover/part_text.h"
#include "sim/load/load.h"

namespace gpufeed {

/// A GPU as the system file has it.
struct WrittenGpu {
  std::string id;
  const EntryText* product = nullptr;  ///< null: not known
  bool in_system = false;              ///< else it is a comment
};

/// The connections of a system's GPUs with each other.
struct GpuLinks {
  struct Question {
    std::string text;
    std::string id;
  };
  std::string toml;
  std::vector<PartText> parts;
  std::vector<Question> questions;
};

/// Direct links as `[[nvlink]]`, those through NVSwitches as `[[nvswitch]]`. More links than a GPU
/// has, counted to all others, lead through switches: nvidia-smi tells each pair's alone. Links of
/// GPUs that stand as comments are comments, too.
/// \param gpus  by their places in `FoundMachine::devices`
GpuLinks gpu_links(const FoundMachine& machine, const std::map<std::size_t, WrittenGpu>& gpus);

}  // namespace gpufeed
