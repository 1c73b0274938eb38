// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/serving/cold_start.h"

#include <algorithm>
#include <utility>

#include "sim/answer/without_training.h"
#include "sim/base/labels/label_text.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/copy_streams.h"
#include "sim/plan/passes.h"

namespace gpufeed {
namespace {

Copy copy_of(PartRef from, PartRef to) {
  Copy copy;
  copy.from = std::move(from);
  copy.to = std::move(to);
  return copy;
}

class Loading {
 public:
  explicit Loading(const Scenario& scenario)
      : scenario_(scenario),
        system_(*scenario.system),
        graph_(build_graph(scenario, {.request = Bytes{1e9}, .run = kInARow})),
        limits_(limits_of(graph_)),
        maker_(scenario, graph_, limits_) {}

  ColdStart run() {
    if (scenario_.data.path == ReadPath::gpudirect)
      straight_into_gpus();
    else
      through_memory();
    maker_.throw_if_any();
    const SteadyRates rates = steady_rates(limits_, streams_, scenario_.run.engine);
    const auto slowest = std::ranges::min_element(rates.of_one) - rates.of_one.begin();
    return {latency() + model_bytes(scenario_.workload.get<kind::Inference>()) /
                            *std::ranges::min_element(rates.of_one),
            limit_of(rates, static_cast<std::size_t>(slowest))};
  }

 private:
  std::size_t gpus() const { return static_cast<std::size_t>(gpus_in_use(scenario_)); }

  PartId home() const {
    return scenario_.loader.placement.part.value_or(socket_of(system_, system_.gpus.front()));
  }
  PartRef ref(PartId part) const { return {label_of(scenario_, part), {}, part}; }
  static PartId gpu(std::size_t number) { return {PartKind::gpu, number}; }

  void straight_into_gpus() {
    for (std::size_t i = 0; i < gpus(); ++i) add(copy_of(scenario_.data.at, ref(gpu(i))));
  }

  void through_memory() {
    add(copy_of(scenario_.data.at, ref(home())));
    Stream& stream = streams_.front();
    if (scenario_.data.mode == ReadMode::buffered)
      take_more(stream, graph_.memory_resource(home()), kCopyPasses);
    for (std::size_t i = 0; i < gpus(); ++i)
      for (const Take& take : maker_.of(copy_of(ref(home()), ref(gpu(i)))).stream.takes)
        take_more(stream, take.limit, take.share);
  }

  void add(const Copy& copy) {
    auto made = maker_.of(copy);
    streams_.push_back(std::move(made.stream));
    caps_.push_back(std::move(made.cap));
  }

  /// The storage's and the longest of the links'.
  Seconds latency() const {
    const bool direct = scenario_.data.path == ReadPath::gpudirect;
    const VertexIndex memory = graph_.memory_of(home());
    const auto drives = drives_at(system_, scenario_.data.at);
    const PartId source = drives.empty() ? *scenario_.data.at : drives.front();
    Seconds longest{};
    for (std::size_t i = 0; i < gpus(); ++i) {
      const auto read = read_route(scenario_, graph_, source, direct ? graph_.gpu(i) : memory,
                                   {.gpu = direct ? i : 0});
      const auto copy = shortest_route(graph_, memory, graph_.gpu(i));
      Seconds one{};
      if (read) one += read->latency;
      if (copy && !direct) one += copy->latency;
      longest = std::max(longest, one);
    }
    return longest;
  }

  Limiter limit_of(const SteadyRates& rates, std::size_t slowest) const {
    const auto& limit = rates.limited_by[slowest];
    if (!limit) return caps_[slowest].value();
    return fact<LimiterCode::parts>(labels_of(limits_, full_like(limits_, rates, *limit)));
  }

  const Scenario& scenario_;
  const System& system_;
  const Graph graph_;
  Limits limits_;
  CopyStreams maker_;
  std::vector<Stream> streams_;
  std::vector<std::optional<Limiter>> caps_;
};

}  // namespace

ColdStart cold_start(const Scenario& scenario) { return Loading(scenario).run(); }

}  // namespace gpufeed
