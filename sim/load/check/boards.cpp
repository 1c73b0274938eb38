// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/base/labels/label_text.h"
#include "sim/load/check/checks.h"
#include "sim/model/scenario.h"

namespace gpufeed {

void check_boards(const Scenario& scenario, Diagnostics& out) {
  const auto& gpus = scenario.system->gpus;
  for (const auto& gpu : gpus) {
    if (!gpu.model) continue;  // reported where it was not found
    const std::int64_t dies = gpu.model->dies_per_board;
    if (dies > 1 && gpu.board.empty())
      out.error(ProblemCode::missing_key, gpu.where,
                "gpu \"{}\": a board of {} carries {} of them; name the one it is on, such as "
                "board = \"board0\"",
                text_of(gpu.id), gpu.model.name, dies);
    if (gpu.board.empty()) continue;
    const auto same = std::ranges::count(gpus, gpu.board, &Device<Gpu>::board);
    if (dies == 1)
      out.error(ProblemCode::idle_key, gpu.where,
                "gpu \"{}\": board is given, but {} has its board for itself; leave it "
                "out",
                text_of(gpu.id), gpu.model.name);
    else if (same > dies)
      out.error(ProblemCode::too_large, gpu.where,
                "gpu \"{}\": {} GPUs are on board \"{}\", and one of {} carries {}",
                text_of(gpu.id), same, gpu.board, gpu.model.name, dies);
  }
}

}  // namespace gpufeed
