// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/model/uncertain.h"

namespace gpufeed {

/// What a model of the job gets wrong although all of its parameters are right.
enum class ModelPart { reading, decoding, copying, computing, pace, nodes, waking, exchange };
inline constexpr std::size_t kModelParts = 8;
/// "how data are read", for readers of a result.
std::string_view name_of(ModelPart part);

/// How far off a value of this kind may be that is known in this way: standard deviation of the
/// logarithm of the true value over the stated one. 0: it is exact.
double deviation_of(Basis basis, Measurand measurand);

/// The same of a part of the model. Those of GPUs keeping pace and of emulated ones waking together
/// are set on one half of the systems of tests/validation; the others are judgment. All are scored
/// on the other half: see physics.md.
double deviation_of(ModelPart part);

/// What would tell a value better.
std::string remedy_for(const UncertainValue& value);
std::string_view remedy_for(ModelPart part);

}  // namespace gpufeed
