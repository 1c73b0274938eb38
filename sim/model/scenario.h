// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "sim/model/catalog/system.h"
#include "sim/model/checkpoint.h"
#include "sim/model/cost.h"
#include "sim/model/data.h"
#include "sim/model/exchange.h"
#include "sim/model/failures/failures.h"
#include "sim/model/fields/calibrated.h"
#include "sim/model/fields/default_value.h"
#include "sim/model/fields/discrepancy.h"
#include "sim/model/fields/named.h"
#include "sim/model/fields/old_name.h"
#include "sim/model/fields/price_law.h"
#include "sim/model/gpu_memory.h"
#include "sim/model/loader.h"
#include "sim/model/network/network.h"
#include "sim/model/run.h"
#include "sim/model/store.h"
#include "sim/model/workload.h"

namespace gpufeed {

/// The network between nodes: leaf switches joined by a spine that limits nothing.
/// What wraps packets between containers of several nodes. vxlan and others keep a port for each
/// connection: as none.
enum class Overlay { none, ip_in_ip };
template <>
struct EnumNames<Overlay> {
  static constexpr std::array<std::string_view, 2> names{"none", "ip-in-ip"};
};

struct Fabric {
  std::optional<std::int64_t> nodes_per_switch;
  std::optional<Bandwidth> uplink_bandwidth;
  bool rails = false;
  Seconds latency{2e-6};
  std::optional<Transport> transport;
  std::optional<Bandwidth> flow_bandwidth;
  Overlay overlay = Overlay::none;
  std::optional<Ratio> pair_share;
  std::optional<Ref<NetworkSwitch>> model;
  std::optional<Ref<Cable>> cable;
  Location where;

  /// What reaches another node over a card.
  Transport transport_of(const Nic& card) const {
    return transport.value_or(card.transport.value_or(Transport::infiniband));
  }

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("nodes_per_switch", &Fabric::nodes_per_switch,
              "nodes on one leaf switch; default: all nodes on one")
              .between(1, 4096));
    visit(key("uplink_bandwidth", &Fabric::uplink_bandwidth,
              "of one leaf switch to the spine, each way; default: as much as its ports (half "
              "of that is an oversubscription of 2:1)")
              .between(1_MBps, 1e3_TBps));
    visit(key("rails", &Fabric::rails,
              "the n-th network card of every node hangs on switches of its own"));
    visit(key("latency", &Fabric::latency,
              "from network card to network card; what is known of NCCL contains 2 us")
              .between(0_s, 1_s));
    visit(key("transport", &Fabric::transport,
              "what reaches other nodes; default: as each network card says"));
    visit(key("flow_bandwidth", &Fabric::flow_bandwidth,
              "tcp: what one connection gets, such as 10 Gb/s in a placement group of Amazon EC2; "
              "default: as the network card says")
              .between(1_MBps, 1_TBps));
    visit(key("overlay", &Fabric::overlay,
              "tcp: what containers' packets are wrapped in: ip-in-ip (Calico's default) has no "
              "ports, so that all connections between two nodes are one to the network"));
    visit(key("pair_share", &Fabric::pair_share,
              "tcp: of what a ring gets, what two nodes alone with each other get; default: 2/3 "
              "with ip-in-ip, else all")
              .between(1_percent, 100_percent));
    visit(key("switch", &Fabric::model,
              "what leaves and spine are made of, for the bill; default: of the catalog's switches "
              "with ports as fast as the cards' the cheapest a port"));
    visit(key("cable", &Fabric::cable,
              "one for each port of a card and each link to the spine, for the bill; default: the "
              "cheapest that is as fast"));
  }
};

/// Swaps parts of the system for another product before anything else is checked.
struct Replace {
  PartRef part;
  PartRef with;
  std::optional<std::int64_t> count;
  std::optional<PartRef> at;
  std::optional<std::int64_t> lanes;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("part", &Replace::part, "ids of the parts; \"ssd*\" matches many").needed());
    visit(key("with", &Replace::with, "the product to use instead").needed());
    visit(key("count", &Replace::count, "how many there are afterwards; default: as many")
              .between(1, 1024));
    visit(key("at", &Replace::at, "hang them there; default: where they hang"));
    visit(key("lanes", &Replace::lanes, "lanes of each slot; default: as they are").between(1, 64));
  }
};

/// What the user knows better than the catalog: one value of one product, wherever that is used.
struct OwnValue {
  std::string product;
  std::string name;
  std::string value;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("product", &OwnValue::product, "its name in the catalog").needed());
    visit(key("key", &OwnValue::name, "of its entry, such as read_bandwidth").needed());
    visit(key("value", &OwnValue::value, "as text with its unit: \"6.2 GB/s\", \"24\"").needed());
  }
};

/// That train together.
inline constexpr std::int64_t kMostNodes = 65536;

/// At `store.NAME.protocol`: none is meant, not the usual one.
inline constexpr std::string_view kNoClient = "none";

/// How the client of a store came to be.
struct StoreClient {
  /// Nobody gave one, and `protocol` is that of a usual one (usual); or none is counted: none is
  /// usual (unknown), no usual one runs here (not_here), or the scenario says itself what opening a
  /// file costs (replaced). none: the user wants none to be counted.
  enum class Word { unknown, given, usual, not_here, replaced, none };
  Word word = Word::unknown;
  std::string of_product;             ///< none given: the usual one, wherever it runs
  std::vector<Ref<Protocol>> others;  ///< usual: that would run, too, the most usual first
};

/// Everything one simulation needs: resolved, checked, with every default filled in.
struct Scenario {
  std::int64_t schema = 1;
  std::string title;
  Ref<System> system;
  std::int64_t nodes = 1;
  std::optional<Fabric> fabric;
  Workload workload;
  Data data;
  Loader loader;
  Exchange exchange;
  std::optional<Parallel> parallel;
  std::optional<Checkpoint> checkpoint;
  std::optional<Failures> failures;
  std::vector<Replace> replace;
  std::vector<OwnValue> own;
  Named<Store> store;
  Cost cost;
  Run run;
  /// The system as the catalog has it, where its parts may have been changed since; else null.
  std::shared_ptr<const System> as_sold;
  /// Where the scenario names none: that of most jobs, to tell what naming it would change.
  std::shared_ptr<const Framework> usual_framework;
  /// By the number of a store, once the scenario is loaded.
  std::map<std::size_t, StoreClient> clients;
  /// What a network is made of where `[fabric]` does not say; null where the catalog has none.
  std::optional<Ref<NetworkSwitch>> usual_switch;
  std::optional<Ref<Cable>> usual_cable;
  PriceLaws price_laws;                ///< how the catalog estimates prices
  Discrepancies discrepancies;         ///< what the catalog knows of how far off predictions are
  std::vector<DefaultValue> defaults;  ///< of every key that was not given
  std::vector<OldName> old_names;      ///< keys that were given by one, to tell
  std::vector<CalibratedValue> calibrated;  ///< what `--params` put in the place of other values
  /// By their place, as TOML with its header: what was given as a table, not by a name.
  std::map<std::string, std::string> tables;
  /// "path=value" of what was set within products and machines that are given by a name.
  std::vector<std::string> set_within;
  Location where;

  /// Whose word the protocol of a store is.
  StoreClient::Word client_of(std::size_t number) const {
    const auto known = clients.find(number);
    return known == clients.end() ? StoreClient::Word::unknown : known->second.word;
  }

  // What the compiler writes for so many members is written once, in scenario.cpp.
  Scenario();
  Scenario(const Scenario&);
  Scenario(Scenario&&) noexcept;
  Scenario& operator=(const Scenario&);
  Scenario& operator=(Scenario&&) noexcept;
  ~Scenario();

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("schema", &Scenario::schema, "version of this file format").between(1, 1));
    visit(key("title", &Scenario::title, "shown with the result"));
    visit(key("system", &Scenario::system, "the machine: a name, a path or a table").needed());
    visit(key("nodes", &Scenario::nodes, "how many such machines train together")
              .between(1, kMostNodes));
    visit(key("fabric", &Scenario::fabric, "the network between them"));
    visit(key("workload", &Scenario::workload, "what is trained, on what").needed());
    visit(key("data", &Scenario::data, "where the data lie"));
    visit(key("loader", &Scenario::loader, "how samples reach the GPUs"));
    visit(key("exchange", &Scenario::exchange, "how gradients are exchanged"));
    visit(key("parallel", &Scenario::parallel,
              "how the model is split; default: every GPU holds all of it"));
    visit(key("checkpoint", &Scenario::checkpoint, "how the training's state is saved"));
    visit(key("failures", &Scenario::failures, "what ends the job before it is done"));
    visit(key("replace", &Scenario::replace, "parts of the system to swap"));
    visit(key("own", &Scenario::own, "your own values of products, in place of the catalog's"));
    visit(key("store", &Scenario::store, "shared stores, by name"));
    visit(key("cost", &Scenario::cost, "what having the machines costs beside their price"));
    visit(key("run", &Scenario::run, "how to simulate"));
  }
};

/// Whether replicas divide all of the model among them, and gather it as they compute (FSDP).
inline bool shares_parameters(const Scenario& scenario) {
  return scenario.parallel && scenario.parallel->shard == Sharding::parameters;
}

/// Calls `fill(key, value, name)` for each key of a training that a framework speaks of.
template <class Fill>
void fill_from(const Framework& framework, Scenario& scenario, Fill&& fill) {
  auto& training = scenario.workload.get<kind::Training>();
  // What varies in time was seen beside the share; who gives the one gives all.
  if (!training.step_jitter.given)
    fill(training.step_jitter_time, framework.step_jitter_time, "workload.step_jitter_time");
  fill(training.step_jitter, framework.step_jitter, "workload.step_jitter");
  fill(scenario.exchange.overlap, framework.overlap, "exchange.overlap");
  // Where replicas share the parameters, what is gathered at once is not the framework's bucket,
  // and sums are in what is gathered.
  if (shares_parameters(scenario)) return;
  if (framework.bucket) fill(scenario.exchange.bucket, *framework.bucket, "exchange.bucket");
  if (framework.first_bucket)
    fill(scenario.exchange.first_bucket, *framework.first_bucket, "exchange.first_bucket");
  constexpr double kSingle = 4;
  const bool mixed = training.master_weights && bytes_per_number(training.precision) < kSingle;
  if (mixed && framework.mixed_gradients)
    fill(scenario.exchange.dtype, *framework.mixed_gradients, "exchange.dtype");
}

}  // namespace gpufeed
