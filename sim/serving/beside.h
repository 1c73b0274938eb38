// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/serving/answer.h"
#include "sim/model/serving/document.h"

namespace gpufeed::serving {

/// The same, where each store that training reads beside has `others`, what that takes of it: as
/// much as its GPUs ask for (storage_demand; once its data lie in page caches, where they do), but
/// no more than half, for the store serves both alike. A document in which that was done, or
/// without training, is as it was. \throws InputError  where the training cannot be simulated
Document with_training_beside(const Document& document);

/// What each training gets beside: its store with `other_load`, the share that was served of it.
/// \param document  of with_training_beside
std::vector<Beside> beside_of(const Document& document, const Answer& answer);

}  // namespace gpufeed::serving
