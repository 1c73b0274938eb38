// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/enum_names.h"

namespace gpufeed {

/// Whose loader to mirror. PyTorch: each worker builds a whole batch, file after file. TensorFlow:
/// parallel readers share every batch of one ordered pipeline.
enum class LoaderStyle { pytorch, tensorflow };

}  // namespace gpufeed
