// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/key_labels.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reports/writers/key_words.h"

namespace gpufeed::ui {

std::string label_of(const KeyPath& key) {
  constexpr std::array kAlways{std::pair{"workload.model", "Neural network"},
                               std::pair{"workload.dataset", "Data set"},
                               std::pair{"workload.batch_per_gpu", "Batch per GPU"},
                               std::pair{"loader.workers_per_gpu", "Loader workers"},
                               std::pair{"loader.prefetch_batches", "Prefetch"},
                               std::pair{"data.at", "Data on"},
                               std::pair{"nodes", "Machines"}};
  const std::string path = text(key);
  const auto* const found =
      std::ranges::find_if(kAlways, [&](const auto& one) { return path == one.first; });
  return found != kAlways.end() ? found->second : as_title(key_in_words(key));
}

std::string in_words(const Problem& problem) {
  return problem.subject.empty() ? sentence(problem) : sentence(problem, label_of(problem.subject));
}

}  // namespace gpufeed::ui
