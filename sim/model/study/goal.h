// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/study/sweep.h"

namespace gpufeed {

/// So many of a product are at hand.
struct StockLine {
  std::string name;
  std::int64_t count = 0;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("name", &StockLine::name, "the product, as a bill names it; \"intel-*\" matches many")
              .needed());
    visit(key("count", &StockLine::count, "how many of it a configuration may take")
              .needed()
              .between(0, 1000000));
  }
};

/// Whose products are wanted.
struct MakerRule {
  std::string kind;
  std::vector<std::string> names;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("kind", &MakerRule::kind,
              "of the products it is about, as a bill names it: chassis, cpu, memory, gpu, switch, "
              "nic, drive or array")
              .needed());
    visit(key("names", &MakerRule::names,
              "products that a configuration may take of this kind, as a bill names them; "
              "\"amd-*\" matches many")
              .needed());
  }
};

/// What is wanted of a machine, and what of it may be chosen. One of `minimize`, `maximize` and
/// `front` is given.
struct Goal {
  std::int64_t schema = 1;
  std::string title;
  FileRef scenario;
  std::vector<FileRef> also;
  std::vector<Axis> axes;
  bool layouts = false;
  std::vector<Condition> filters;
  std::vector<Condition> constraints;
  std::optional<Ratio> confidence;
  std::string minimize;
  std::string maximize;
  std::vector<std::string> front;
  std::vector<StockLine> stock;
  std::vector<MakerRule> only;
  std::vector<std::string> scenarios;  ///< by the loader: all workloads, as paths
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("schema", &Goal::schema, "version of this file format").between(1, 1));
    visit(key("title", &Goal::title, "for the reader"));
    visit(key("scenario", &Goal::scenario, "the file that the axes vary").needed());
    visit(
        key("also", &Goal::also,
            "files of further workloads that the same choice must serve; the constraints hold for "
            "each of them"));
    visit(key("axis", &Goal::axes, "what may be chosen, as in a sweep; required without layouts"));
    visit(key("layouts", &Goal::layouts,
              "whether [parallel] of a language model is chosen, too, among all layouts that fit "
              "into its GPUs, and workload.recompute unless an axis names it"));
    visit(key("filter", &Goal::filters,
              "conditions on axes, such as \"drives * 2 <= cores\"; other choices are left out"));
    visit(key(
        "constraint", &Goal::constraints,
        "conditions on results, such as \"job_gpu_utilization >= 90 %\", \"power_W <= 10000\" or "
        "\"time_to_result_s <= 86400\"; throughput, samples_per_s and "
        "throughput_samples_per_s mean job_samples_per_s, accelerator_utilization means "
        "job_gpu_utilization, in all conditions and aims"));
    visit(key("confidence", &Goal::confidence,
              "the least chance, by the prediction interval, that what would be measured meets all "
              "constraints; default: what is predicted meets them, which says nothing of the "
              "chance")
              .between(50_percent, 99_percent));
    visit(key("minimize", &Goal::minimize,
              "an axis of numbers or a key of the result: the choice with the least is wanted; "
              "default: price_USD"));
    visit(key("maximize", &Goal::maximize, "the same, with the most"));
    visit(key("front", &Goal::front,
              "keys of the result: all choices that no other beats in each of them; of "
              "job_samples_per_s and job_gpu_utilization more is better, of others less"));
    visit(key("stock", &Goal::stock, "products of which only so many are to be had"));
    visit(key("only", &Goal::only, "the makers, or the products, that are wanted of a kind"));
  }
};

}  // namespace gpufeed
