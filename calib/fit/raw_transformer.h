// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gpufeed {

class Findings;
struct Gpu;

/// The parts of a transformer that gpufeed-transformer-probe measured on the first GPU, by the law
/// of sim/model/transformer: what of it this GPU sets, as keys of its entry.
///   memory_share       of copies, bytes / (time x bandwidth)
///   sustained_share    of products in bf16 that compute, (tiles at the peak x share) / time
///   flash_2, attention of fused attention forward, by the law at 100 % / time
///   passes             of compiled norms and activations, time over what is counted / bandwidth;
///   eager_passes       of eager ones, over that
///   launch             of a layer's forward pass on few tokens
/// Each is the middle of what its measurements give. Then the steps of a small Llama by the law
/// with them, a line each, beside what was measured: no step had a part in any of them. \param gpu
/// as the catalog has it, with kernels and transformers
void fit_transformer(const nlohmann::ordered_json& measured, const Gpu& gpu, Findings& findings);

/// A line each for what was left out, and for all where the catalog does not have the GPU.
void tell_left_out(const nlohmann::ordered_json& measured, const Gpu* gpu, Findings& findings);

}  // namespace gpufeed
