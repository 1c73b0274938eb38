// SPDX-License-Identifier: Apache-2.0
#include "sim/job/exchange_job.h"

#include <algorithm>
#include <utility>

#include "sim/plan/on_engine.h"

namespace gpufeed {
namespace {

/// The resources that bind and that loaders, or flows which share some with them, may occupy.
class Disturbed {
 public:
  Disturbed(const Plan& plan, const ByResource<bool>& binds)
      : plan_(plan), binds_(binds), marked_(binds.size(), false) {
    for (const auto& gpu : plan.gpus) {
      for (const auto* routes : {&gpu.reads, &gpu.pulls, &gpu.passes})
        for (const RouteIndex route : *routes) mark(plan.route(route));
      if (gpu.hits) mark(plan.route(*gpu.hits));
      if (gpu.copy) mark(plan.route(*gpu.copy));
    }
    if (!plan.checkpoint) return;
    for (const auto& writer : plan.checkpoint->writers) {
      mark(plan.route(writer.copy));
      mark(plan.route(writer.by_software));
      for (const auto& piece : writer.pieces) mark(plan.route(piece.route));
    }
  }

  bool meets(const Flow& flow) const {
    return std::ranges::any_of(plan_.route(flow.route).resources,
                               [&](ResourceIndex resource) { return marked_[resource]; });
  }

  /// Whoever shares a resource with a flow that is held back may be held back by it.
  void spread(const std::vector<Flow>& flows) {
    ByResource<std::vector<RouteIndex>> users(binds_.size());
    for (const auto& flow : flows)
      for (const ResourceIndex resource : plan_.route(flow.route).resources)
        users[resource].push_back(flow.route);
    std::vector<ResourceIndex> reached;
    for (const ResourceIndex r : marked_.indices())
      if (marked_[r]) reached.push_back(r);
    while (!reached.empty()) {
      const ResourceIndex r = reached.back();
      reached.pop_back();
      for (const RouteIndex route : users[r])
        for (const ResourceIndex resource : plan_.route(route).resources) {
          if (!binds_[resource] || marked_[resource]) continue;
          marked_[resource] = true;
          reached.push_back(resource);
        }
    }
  }

 private:
  void mark(const Route& route) {
    for (const ResourceIndex resource : route.resources)
      if (binds_[resource]) marked_[resource] = true;
  }

  const Plan& plan_;
  const ByResource<bool>& binds_;
  ByResource<bool> marked_;
};

struct LastEnd {
  Engine& engine;
  Seconds date;
  void note(std::uint64_t) { date = engine.now(); }
};

/// Of a large cluster a phase takes a small part.
ByResource<bool> taken_by(const std::vector<Flow>& flows, const Plan& plan) {
  ByResource<bool> taken(plan.graph.resources.size(), false);
  for (const Flow& flow : flows)
    for (const ResourceIndex resource : plan.route(flow.route).resources) taken[resource] = true;
  return taken;
}

}  // namespace

Seconds time_together(const Plan& plan, const std::vector<Flow>& flows) {
  const auto engine = make_fluid_engine();
  GraphOnEngine graph(plan.graph, *engine, capacities_of(plan.graph), taken_by(flows, plan));
  LastEnd end{*engine, {}};
  for (const auto& flow : flows)
    engine->start_flow(graph.add(plan.route(flow.route), flow.weight), flow.size,
                       callback<&LastEnd::note>(end, 0));
  engine->run();
  return end.date;
}

bool meets_loaders(const Plan& plan, const ByResource<bool>& binds) {
  const Disturbed disturbed(plan, binds);
  return std::ranges::any_of(plan.exchange, [&](const ExchangePhase& phase) {
    return std::ranges::any_of(phase.flows,
                               [&](const Flow& flow) { return disturbed.meets(flow); });
  });
}

ExchangeJob::ExchangeJob(const Plan& plan, Engine& engine, const ByRoute<RouteId>& routes,
                         const ByResource<bool>& binds)
    : engine_(engine), routes_(routes) {
  for (const auto& phase : plan.exchange) {
    Disturbed disturbed(plan, binds);
    disturbed.spread(phase.flows);
    Phase own{phase.latency, {}, {}, phase.ready};
    std::vector<Flow> alone;
    for (const auto& flow : phase.flows)
      (disturbed.meets(flow) ? own.shared : alone).push_back(flow);
    if (!alone.empty()) own.alone = time_together(plan, alone);
    phases_.push_back(std::move(own));
  }
}

ExchangeJob::ExchangeJob(const GpuPlan& gpu, Engine& engine, const ByRoute<RouteId>& routes)
    : engine_(engine), routes_(routes) {
  for (const auto& phase : gpu.exchange)
    phases_.push_back({phase.latency, phase.flows, {}, phase.ready});
}

void ExchangeJob::start(Seconds beside, Callback done) {
  done_ = done;
  start_ = engine_.now();
  beside_ = beside;
  enter(0);
}

void ExchangeJob::computed() {
  computed_ = true;
  if (const auto phase = std::exchange(waiting_, std::nullopt)) enter(*phase);
}

/// Unless all had computed before.
void ExchangeJob::on_ready(std::uint64_t wait) {
  if (wait != waits_ || !waiting_) return;
  const std::uint64_t phase = *std::exchange(waiting_, std::nullopt);
  engine_.after(phases_[phase].latency, callback<&ExchangeJob::send>(*this, phase));
}

void ExchangeJob::enter(std::uint64_t phase) {
  if (phase == phases_.size()) {
    computed_ = false;
    return done_();
  }
  if (const double ready = phases_[phase].ready; ready > 0 && !computed_) {
    const Seconds left = start_ + beside_ * ready - engine_.now();
    if (ready >= 1 || left.value > 0) {
      waiting_ = phase;
      ++waits_;
      if (ready < 1) engine_.after(left, callback<&ExchangeJob::on_ready>(*this, waits_));
      return;
    }
  }
  engine_.after(phases_[phase].latency, callback<&ExchangeJob::send>(*this, phase));
}

void ExchangeJob::send(std::uint64_t phase) {
  const Phase& present = phases_[phase];
  parts_left_ = present.shared.size() + (present.alone ? 1 : 0);
  if (present.alone) engine_.after(*present.alone, callback<&ExchangeJob::on_part>(*this, phase));
  for (const auto& flow : present.shared)
    engine_.start_flow(routes_[flow.route], flow.size,
                       callback<&ExchangeJob::on_part>(*this, phase));
}

void ExchangeJob::on_part(std::uint64_t phase) {
  if (--parts_left_ == 0) enter(phase + 1);
}

}  // namespace gpufeed
