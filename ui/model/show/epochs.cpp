// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/epochs.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "reports/writers/layout.h"
#include "sim/base/units.h"

namespace gpufeed::ui {
namespace {

bool is_known(double value) { return std::isfinite(value) && value > 0; }

std::string time(double seconds, double beside) {
  return is_known(seconds) ? time_text(seconds, beside) : "–";
}

std::string bytes_text(double value) {
  return std::isfinite(value) && value >= 0 ? text(Bytes{value}, 3) : "–";
}

}  // namespace

std::vector<EpochRow> epoch_rows(const Result& result) {
  const double first = result.first_epoch_s;
  const double later = result.epoch_s;
  if (!is_known(first)) return {};
  // What others would do is no figure of this job.
  const bool has_later = result.later_epochs_samples_per_s.has_value();
  const auto of_later = [&](std::string words) {
    return has_later ? std::move(words) : std::string("none");
  };
  std::vector<EpochRow> rows{{"Time", "From its first read to its last step.", time(first, later),
                              of_later(time(later, first))}};
  if (is_known(result.first_epoch_samples_per_s))
    rows.push_back(
        {"Samples per second", "All GPUs together.", text_number(result.first_epoch_samples_per_s),
         result.later_epochs_samples_per_s ? text_number(*result.later_epochs_samples_per_s)
                                           : "none"});
  rows.push_back({"Read from storage", "All jobs together; the rest comes from the page cache.",
                  bytes_text(result.cache.read_first_epoch_B),
                  of_later(bytes_text(result.cache.read_later_epoch_B))});
  const CacheUse& cache = result.cache;
  const bool fills = cache.hit_rate_second_epoch != cache.hit_rate_last_epoch;
  rows.push_back(
      {"Found in the page cache",
       fills ? fmt::format("Of the bytes that an epoch wants: {} in the second, {} in the "
                           "last.",
                           percent(cache.hit_rate_second_epoch), percent(cache.hit_rate_last_epoch))
             : "Of the bytes that an epoch wants.",
       "–", of_later(percent(cache.hit_rate))});
  if (const auto& drives = result.drive_cache) {
    rows.push_back({"Found on the drives", "Of the samples of an epoch: the cache of the store.",
                    percent(drives->hit_rate_first_epoch), of_later(percent(drives->hit_rate))});
    rows.push_back({"Read from the store", "All nodes together: what no cache held.",
                    bytes_text(drives->store_first_epoch_B),
                    of_later(bytes_text(drives->store_later_epoch_B))});
  }
  if (is_known(result.staging_s))
    rows.push_back({"Copied in before", "The time that copying the data in takes.",
                    time_text(result.staging_s), "–"});
  return rows;
}

std::string epochs_in_words(const Result& result) {
  if (!is_known(result.first_epoch_s)) return "This work has no epochs.";
  if (!result.later_epochs_samples_per_s || !is_known(result.epoch_s))
    return "There is one epoch only.";
  constexpr double kAlike = 0.01;
  const double more = result.first_epoch_s / result.epoch_s - 1;
  if (std::abs(more) < kAlike) return "The first epoch takes as long as later ones.";
  return fmt::format("The first epoch takes {} {} than later ones.", percent(std::abs(more)),
                     more > 0 ? "longer" : "less");
}

}  // namespace gpufeed::ui
