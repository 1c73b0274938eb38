// SPDX-License-Identifier: Apache-2.0
// One function a family: from its keys to its layers. Structures are those of modeling_*.py of
// Hugging Face's transformers 4.57 and of diffusers 0.35; what else a config can ask for is
// refused.
#pragma once

#include "sim/import/networks/config_keys.h"
#include "sim/import/networks/layer_list.h"
#include "sim/import/networks/network_config.h"

namespace gpufeed::networks {

using Count = LayerList::Count;

constexpr Count kPixelsOfLatent = 8;  ///< of the picture, for one of its latents' side

/// What a family has to go by, and where it puts what it finds.
struct Reading {
  ConfigKeys& keys;
  const SampleSize& size;
  NetworkConfig& out;
};

/// Vision transformers: vit, deit's students among them, and dinov2.
void read_vit(const Reading& reading);
void read_dinov2(const Reading& reading);
/// A picture and its text, each by a transformer of its own.
void read_clip(const Reading& reading);
/// U-Nets of Stable Diffusion 1, 2 and XL.
void read_unet(const Reading& reading);
/// Diffusion transformers.
void read_flux(const Reading& reading);
void read_sd3(const Reading& reading);
void read_pixart(const Reading& reading);
/// Speech.
void read_whisper(const Reading& reading);
void read_wav2vec2(const Reading& reading);

}  // namespace gpufeed::networks
