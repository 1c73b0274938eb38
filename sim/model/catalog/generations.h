// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "sim/model/catalog/gpu.h"

namespace gpufeed {

using Generations = std::set<Generation>;

/// seen: it is one of these. new_generation: others of its maker are, or nobody knows what it is.
/// new_maker: none of its maker is.
enum class Familiarity { seen, new_generation, new_maker };

Familiarity familiarity(const Gpu& gpu, const Generations& measured);

}  // namespace gpufeed
