// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sim/load/check/checks.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// Of the same tokens, so many of `sequence` each.
Dataset cut_anew(const Dataset& stored, std::int64_t sequence) {
  Dataset out = stored;
  const double times = static_cast<double>(sequence) / static_cast<double>(*stored.tokens);
  const auto as_many = [&](std::int64_t samples) {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(samples) / times));
  };
  out.tokens = sequence;
  out.tokens_deviation = 0;
  out.sample_size = stored.sample_size * times;
  out.sample_size_deviation = {};
  out.samples = as_many(stored.samples);
  if (stored.samples_per_file > 1) out.samples_per_file = as_many(stored.samples_per_file);
  if (stored.decode_time) out.decode_time = *stored.decode_time * times;
  if (!stored.documents) out.documents = stored.samples;
  return out;
}

/// What a data set's format makes of keys that nobody gave, and which it does not allow.
class FormatChecker {
 public:
  FormatChecker(Scenario& scenario, Diagnostics& out)
      : scenario_(scenario), dataset_(scenario.workload.dataset()), out_(out) {}

  void check() {
    check_order();
    check_mapped();
    Defaulted<Seconds>& index = scenario_.loader.index_time;
    if (index.given || dataset_->format != StoredAs::indexed) return;
    index.value = index_time(scenario_);
    note("loader.index_time", toml_value(index.value));
  }

 private:
  void note(const char* name, std::string value) {
    scenario_.defaults.push_back({KeyPath(name), std::move(value)});
  }

  void check_order() {
    const bool in_order = dataset_->format && is_read_in_order(*dataset_->format);
    Defaulted<SampleOrder>& order = scenario_.loader.order;
    if (!order.given) {
      if (in_order) order.value = SampleOrder::shards;
      return note("loader.order", toml_value(order.value));
    }
    if (!in_order) return;
    if (order != SampleOrder::permutation) return;
    const KeyPath key("loader.order");
    out_.refuse(ProblemCode::conflict, key, scenario_.loader.where,
                ": samples of {} lie in files of format {}, each of which is read from start to "
                "end; set \"shards\"",
                dataset_.name, name_of(*dataset_->format))
        .fixes.push_back({Fix::Kind::set, key, "\"shards\""});
  }

  void check_mapped() {
    Defaulted<bool>& mapped = scenario_.data.mapped;
    const bool can_be = is_read_anywhere(scenario_);
    if (!mapped.given && can_be) {
      mapped.value = true;
      return note("data.mapped", toml_value(true));
    }
    if (!mapped.given || !mapped.value || can_be) return;
    const KeyPath key("data.mapped");
    Problem& idle = out_.refuse(
        ProblemCode::idle_key, key, scenario_.data.at.where,
        " is for a data set of format indexed whose samples are read at random and buffered; leave "
        "it out");
    idle.fixes.push_back({Fix::Kind::remove, key});
  }

  Scenario& scenario_;
  const Ref<Dataset>& dataset_;
  Diagnostics& out_;
};

}  // namespace

void pack_samples(Scenario& scenario, Diagnostics& out) {
  auto* training = scenario.workload.find<kind::Training>();
  if (!training || !training->packing || !training->model || !training->dataset) return;
  const auto& sequence = training->model->tokens;
  const Dataset& stored = *training->dataset;
  const KeyPath key("workload.packing");
  const auto refuse = [&](std::string why) {
    Problem& idle =
        out.refuse(ProblemCode::idle_key, key, scenario.workload.where, " has no effect: {}", why);
    idle.fixes.push_back({Fix::Kind::remove, key});
  };
  if (!sequence) return refuse(fmt::format("{} takes no tokens", training->model.name));
  if (!stored.tokens)
    return refuse(fmt::format("{} does not say the tokens of a sample", training->dataset.name));
  if (*stored.tokens == *sequence && stored.tokens_deviation == 0)
    return refuse(fmt::format("samples of {} have {} tokens, as the model takes",
                              training->dataset.name, *sequence));
  training->dataset.entry = std::make_shared<const Dataset>(cut_anew(stored, *sequence));
}

void check_format(Scenario& scenario, Diagnostics& out) {
  if (scenario.workload.is<RunsEpochs>() && scenario.workload.dataset())
    FormatChecker(scenario, out).check();
}

}  // namespace gpufeed
