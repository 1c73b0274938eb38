// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// A number that was seen on a real run.
template <class T>
struct Seen {
  T value{};
  std::optional<T> spread;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("value", &Seen::value, "the mean of what was seen").needed());
    visit(key("spread", &Seen::spread,
              "how far off that may be, one standard deviation, in the same unit; default: 5 % of "
              "the value"));
  }
};

/// What was seen on a run of a scenario, its epochs after the first; or of checkpointing.
struct Observed {
  std::int64_t schema = 1;
  std::string title;
  std::optional<Seen<Ratio>> gpu_utilization;
  std::optional<Seen<Rate>> samples_per_s;
  std::optional<Seen<Bandwidth>> read_bandwidth;
  std::optional<Seen<Rate>> read_rate;
  std::optional<Seen<Bandwidth>> network_bandwidth;
  std::optional<Seen<double>> cores_busy;
  std::optional<Seen<Bandwidth>> memory_bandwidth;
  std::optional<Seen<Bandwidth>> save_bandwidth;
  std::optional<Seen<Bandwidth>> load_bandwidth;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using O = Observed;
    visit(key("schema", &O::schema, "version of this file format").between(1, 1));
    visit(key("title", &O::title, "where and when it was seen"));
    visit(key("gpu_utilization", &O::gpu_utilization,
              "share of the time that GPUs compute, mean of all; nvidia-smi also counts waiting "
              "for gradients, which must be taken off"));
    visit(key("samples_per_s", &O::samples_per_s, "of all GPUs of all nodes together"));
    visit(key("read_bandwidth", &O::read_bandwidth,
              "from drives or the store, by all nodes together (iostat, the store's own figures)"));
    visit(key("read_rate", &O::read_rate, "requests of these reads (iostat r/s, nfsiostat)"));
    visit(key("network_bandwidth", &O::network_bandwidth,
              "received by all network cards of one node"));
    visit(key("cores_busy", &O::cores_busy,
              "cores of one node that work for the loaders (top: %CPU of their processes / 100)"));
    visit(key("memory_bandwidth", &O::memory_bandwidth,
              "of all memory of one node (pcm-memory, perf's uncore counters)"));
    visit(
        key("save_bandwidth", &O::save_bandwidth,
            "of checkpointing, saving: the whole state over the time of rank 0, as MLPerf Storage "
            "reports it"));
    visit(key("load_bandwidth", &O::load_bandwidth, "the same, loading"));
  }
};

/// One of the things that may be seen, beside what the simulation has for it.
struct Sighting {
  std::string name;
  std::string unit;
  std::optional<double> seen;
  double spread = 0;
  std::optional<double> predicted;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("name", &Sighting::name, "a key of the file of observations"));
    visit(key("unit", &Sighting::unit, "of the values; empty: a share, or cores"));
    visit(key("seen", &Sighting::seen, "null: it was not"));
    visit(key("spread", &Sighting::spread, "one standard deviation of what was seen"));
    visit(key("predicted", &Sighting::predicted, "null: this scenario has none"));
  }
};

/// A mechanism that may be why a run is not as predicted.
struct Cause {
  std::string mechanism;
  std::string parts;
  double factor = 1;
  double misfit = 0;
  bool explains = false;
  std::string check;
  std::vector<Sighting> predictions;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("mechanism", &Cause::mechanism, "what would be otherwise than the scenario says"));
    visit(key("parts", &Cause::parts, "which parts that is about"));
    visit(key("factor", &Cause::factor,
              "so many times as much, or as fast, as the scenario says: where it fits best"));
    visit(key("misfit", &Cause::misfit,
              "sum over all observations of ((predicted - seen) / spread)^2"));
    visit(key("explains", &Cause::explains,
              "whether with it every observation lies within two standard deviations"));
    visit(key("check", &Cause::check, "what to look at, to know whether it is so"));
    visit(key("predictions", &Cause::predictions, "what would be seen if it were so"));
  }
};

/// Why a real run is not as predicted.
struct Explanation {
  std::string title;
  double misfit = 0;
  bool fits = false;
  std::vector<Sighting> sightings;
  std::vector<Cause> causes;
  std::vector<std::string> ruled_out;
  std::string telling;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using E = Explanation;
    visit(key("title", &E::title, "of the scenario"));
    visit(key("misfit", &E::misfit, "of the scenario as it is"));
    visit(key("fits", &E::fits, "whether that needs no explanation: all within two deviations"));
    visit(key("sightings", &E::sightings, "what was seen, and predicted"));
    visit(key("causes", &E::causes, "what makes the misfit smaller, the best explanation first"));
    visit(key("ruled_out", &E::ruled_out, "mechanisms that cannot be it within plausible bounds"));
    visit(key("telling", &E::telling,
              "a key that was not observed and that differs most between the causes that explain "
              "all; empty: there is none"));
  }
};

}  // namespace gpufeed
