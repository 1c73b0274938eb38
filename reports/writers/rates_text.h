// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/writers/job_text.h"

/// Rates and utilization of a job, and what it asks of storage. What is said of the whole job
/// leads; what holds of a part of it stands beside that where it differs by more than one percent.
namespace gpufeed {

/// Whether a part has another rate than the whole job, by more than one percent.
bool differs(double rate, double of_job);

/// "19,940 samples/s", or "about 4,000 samples/s, order of magnitude".
std::string job_rate_text(const Result& result);

/// "90.1 % of the whole job (as if 0.79 of 8 GPUs stood still); 99.0 % in later epochs"; of a
/// language model "98 %, of it 20.2 % exchange".
std::string job_utilization_text(const Result& result);

/// Whether a part of a language model's step is exchange with other GPUs.
bool is_exchange(LimiterCode part);

/// Shares of a language model's step, 0 to 1, that count as the GPUs' time though nothing is
/// computed in them.
struct NotComputed {
  double exchange = 0;  ///< that nothing hides
  double bubble = 0;    ///< waiting for stages of a pipeline
  double all() const { return exchange + bubble; }
};
NotComputed not_computed(const Result& result);
/// "20.1 % exchange, 4.0 % pipeline bubble"; empty where each is less than half a percent.
std::string not_computed_text(const Result& result);

/// Rates of the first epoch and of later ones with their times, or once data are copied in; the
/// steady pace.
std::vector<TextRow> rates_beside(const Result& result);

/// Where later epochs do not find the same in the page cache.
bool fills(const CacheUse& cache);

/// The storage demand of one GPU, and from which demand on it is bound by storage; in the first
/// epoch, too, where that differs. \param times  also over the demand: "(0.9 x)"
std::string density_text(const Result& result, bool times = false);

/// "reads of 14.1 GB/s cold (first epoch), 5.3 GB/s warm (later epochs), 22 GB/s at the peak";
/// empty where no GPU computes.
std::string storage_demand_text(const Result& result);
/// The same, a row for each.
std::vector<TextRow> storage_demand_rows(const Result& result);

}  // namespace gpufeed
