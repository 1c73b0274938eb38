// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.h"
#include "sim/model/facts/limiters.h"

namespace gpufeed {

struct Scenario;

struct ColdStart {
  Seconds time;   ///< until every GPU holds the model
  Limiter limit;  ///< what sets it
};

/// Loading the model (compute.h, `model_bytes`) from `data.at` into every GPU in use, which nothing
/// disturbs: latency + size / rate of the narrowest part of the way.
/// - data.path = host: it is read once into host memory (that of `loader.placement`; local: of the
///   first GPU's socket), and what has arrived goes on to all GPUs while the rest is read. Without
///   O_DIRECT every byte is copied once more by software.
/// - gpudirect: every GPU reads all of it for itself.
/// Requests are large, and as many as storage likes; one thread submits them where the CPU says
/// what one thread reads. Starting processes and preparing the model are left out.
/// \throws InputError  where there is no way from the data to a GPU
ColdStart cold_start(const Scenario& scenario);

}  // namespace gpufeed
