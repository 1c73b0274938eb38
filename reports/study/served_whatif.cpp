// SPDX-License-Identifier: Apache-2.0
#include "reports/study/served_whatif.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "reports/study/in_parallel.h"
#include "sim/base/fault.h"
#include "sim/serving/answer.h"
#include "sim/serving/beside.h"
#include "sim/serving/draws.h"
#include "sim/serving/outcomes.h"
#include "sim/serving/what_if.h"

namespace gpufeed {
namespace {

using Answers = std::vector<serving::Answer>;

bool is_better(const serving::Answer& then, const serving::Answer& now) {
  constexpr double kClearly = 0.01;
  return now.has_goal ? then.goodput_per_s > (1 + kClearly) * now.goodput_per_s
                      : then.ttft_s.p95 < (1 - kClearly) * now.ttft_s.p95;
}

double chance_better(const Answers& then, const Answers& now) {
  std::ptrdiff_t better = 0;
  for (std::size_t i = 0; i < now.size(); ++i) better += is_better(then[i], now[i]) ? 1 : 0;
  return serving::chance_of(better, now.size());
}

}  // namespace

serving::Answer what_if(const serving::Document& unsettled, const WhatIfRun& run) {
  const serving::Document document = serving::with_training_beside(unsettled);
  serving::Answer now = serving::answer_of(document, serving::Repeats::none);
  const Answers outcomes = serving::outcomes_of(document, now);
  serving::add_ranges(now, outcomes);
  const std::vector<serving::Change> changes = serving::changes_of(document, now);
  std::vector<std::optional<serving::WhatIf>> rows(changes.size());
  std::mutex mutex;
  std::int64_t tried = 0;
  in_parallel(changes.size(), run.jobs, [&](std::size_t i) {
    const FaultsThrow guard;
    try {
      const serving::Answer then = serving::one_draw(changes[i].document);
      serving::WhatIf row = serving::row_of(changes[i], now, then);
      const Answers others = serving::outcomes_of(changes[i].document, then);
      row.better = chance_better(others, outcomes);
      row.meets_chance = serving::chance_met(others);
      rows[i] = std::move(row);
    } catch (const InputError&) {  // such as what does not fit: it is no choice
    }
    const std::scoped_lock lock(mutex);
    run.progress(++tried, static_cast<std::int64_t>(changes.size()));
  });
  for (auto& row : rows)
    if (row && (!run.settings_only || row->price_change_USD == 0.0))
      now.what_if.push_back(std::move(*row));
  return now;
}

}  // namespace gpufeed
