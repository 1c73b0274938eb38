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
/// language model "98 %, 20.2 % of it exchange".
std::string job_utilization_text(const Result& result);

/// Whether a part of a language model's step is exchange with other GPUs or waiting for them.
bool is_exchange(LimiterCode part);

/// What of a GPU's step is exchange with others and waiting for them, 0 to 1, which counts as
/// computing where it is part of a language model's step; 0 where no step says so, or it is
/// less than half a percent.
double exchange_share(const Result& result);

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
