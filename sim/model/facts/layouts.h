// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/model/facts/fact.h"

namespace gpufeed {

/// Over what the GPUs of a decoder are split.
enum class LayoutCode : std::uint8_t {
  tensor,
  tensor_with_sequence,
  pipeline,
  pipeline_of_virtual_stages,
  context,
  expert,
  data,
  sharded
};

template <>
struct FactForms<LayoutCode> {
  using enum LayoutCode;
  using Form = FactForm<LayoutCode>;
  static constexpr std::array all{
      Form{tensor, "tensor", {"gpus"}},
      Form{tensor_with_sequence, "tensor_with_sequence", {"gpus"}},
      Form{pipeline, "pipeline", {"stages"}},
      Form{pipeline_of_virtual_stages, "pipeline_of_virtual_stages", {"stages", "parts"}},
      Form{context, "context", {"gpus"}},
      Form{expert, "expert", {"gpus"}},
      Form{data, "data", {"replicas"}},
      Form{sharded, "sharded", {"what"}}};
};
static_assert(has_all(FactForms<LayoutCode>::all, LayoutCode::sharded));
using SplitOver = Fact<LayoutCode>;

}  // namespace gpufeed
