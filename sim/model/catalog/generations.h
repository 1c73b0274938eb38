// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "sim/model/catalog/gpu.h"

namespace gpufeed {

/// Generations of GPUs as entries name them: "NVIDIA Hopper".
using Generations = std::set<std::string, std::less<>>;

/// seen: it is one of these. new_generation: others of its maker are, or nobody knows what it is.
/// new_maker: none of its maker is.
enum class Familiarity { seen, new_generation, new_maker };

Familiarity familiarity(const Gpu& gpu, const Generations& measured);

/// "no NVIDIA Hopper was measured", "no GPU of AMD was measured", or that its generation is not
/// known; empty where it was seen.
std::string what_is_unseen(const Ref<Gpu>& gpu, const Generations& measured);

}  // namespace gpufeed
