// SPDX-License-Identifier: Apache-2.0
// Rings between nodes over sockets: what software leaves of the network.
#include "sim/model/transport/network_way.h"
#include "sim/model/transformer/traffic.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/model/scenario.h"
#include "sim/plan/exchange/plan_exchange.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/cluster.h"
#include "tests/support/edits.h"
#include "tests/support/refusals.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kStepMore = 46e-6;  ///< of sockets, over InfiniBand's
constexpr double kGbps = 1e9 / 8;

/// As instances of Amazon EC2: a connection gets 5 Gb/s.
void speak_tcp(Scenario& scenario) {
  edit(scenario.system, [](System& system) {
    edit_all(system.nics, [](Nic& card) {
      card.transport = Transport::tcp;
      card.flow_bandwidth = Bandwidth{5 * kGbps};
    });
  });
}

Scenario cluster(std::int64_t nodes, std::int64_t gpus) {
  RandomMachine m = machine_of_cluster(gpus);
  m.rate[kMemory] = 1e13;
  m.parameters = kParameters;
  Scenario scenario = scenario_of(m);
  scenario.nodes = nodes;
  scenario.exchange.path.value = ReadPath::host;
  speak_tcp(scenario);
  scenario.fabric = Fabric{};
  scenario.fabric->overlay = Overlay::ip_in_ip;
  return scenario;
}

double most(const Scenario& scenario) {
  return network_way(scenario, *scenario.system->nics.front().model).most->value;
}

double exchange_s(const Scenario& scenario) { return exchange_time(make_plan(scenario)).value; }

}  // namespace

TEST_CASE("a ring over sockets gets channels x sockets x the least of thread and connection") {
  Scenario three = cluster(3, 1);
  three.fabric->overlay = Overlay::none;
  CHECK(most(three) == approx(2 * 593.75e6));  // NCCL's two channels
  three.exchange.channels = 1;
  CHECK(most(three) == approx(593.75e6));
  three.exchange.sockets = 16;
  CHECK(most(three) == approx(9.5e9));
  three.exchange.channels = 2;
  CHECK(most(three) == approx(19e9));
  // in a placement group
  Scenario group = cluster(2, 1);
  group.fabric = Fabric{};
  group.fabric->flow_bandwidth = Bandwidth{10 * kGbps};
  CHECK(most(group) == approx(2 * 1187.5e6));
  // without a limit the thread of a socket is one
  Scenario own = cluster(3, 1);
  edit(own.system, [](System& system) {
    edit_all(system.nics, [](Nic& card) { card.flow_bandwidth.reset(); });
  });
  CHECK(most(own) == approx(3e9));
}

TEST_CASE("an overlay without ports makes one flow of all sockets, and two nodes share its queue") {
  Scenario three = cluster(3, 1);
  CHECK(most(three) == approx(593.75e6));
  for (const std::int64_t sockets : {1, 2, 16}) {
    three.exchange.sockets = sockets;
    CHECK(most(three) == approx(593.75e6));
  }
  Scenario two = cluster(2, 1);
  CHECK(most(two) == approx(593.75e6 * 2 / 3));
  two.fabric->pair_share = Ratio{1};
  CHECK(most(two) == approx(593.75e6));
  two.fabric->overlay = Overlay::none;
  CHECK(most(two) == approx(2 * 593.75e6));
  two.fabric->pair_share = Ratio{0.5};
  CHECK(most(two) == approx(593.75e6));
}

TEST_CASE("other transports leave a ring what cards carry; steps of RoCE and EFA are longer") {
  Scenario scenario = cluster(3, 1);
  scenario.exchange.path.value = ReadPath::gpudirect;
  for (const Transport transport : {Transport::infiniband, Transport::roce, Transport::efa}) {
    scenario.fabric = Fabric{};
    scenario.fabric->transport = transport;
    const NetworkWay way = network_way(scenario, *scenario.system->nics.front().model);
    CHECK_FALSE(way.most);
    CHECK(way.farther.value == approx(transport == Transport::efa    ? 61e-6
                                      : transport == Transport::roce ? 10e-6
                                                                     : 0));
  }
}

TEST_CASE("without GPUDirect a thread of each channel copies what EFA brings") {
  Scenario scenario = cluster(3, 1);
  scenario.fabric = Fabric{};
  scenario.fabric->transport = Transport::efa;
  CHECK(most(scenario) == approx(2 * 1.5e9));
  scenario.exchange.channels = 4;
  CHECK(most(scenario) == approx(4 * 1.5e9));
}

TEST_CASE("over RDMA a GPU takes all cards that hang beside it, over sockets one") {
  // of a buffer of S bytes two GPUs on two nodes send S each, at the rate of so many ports
  const auto bus_Bps = [](int cards, const char* transport) {
    std::string text =
        "title = \"t\"\nnodes = 2\n[fabric]\ntransport = \"" + std::string(transport) +
        "\"\n[workload]\nkind = \"collective\"\nfrom = \"1 GiB\"\nto = \"1 GiB\"\n[exchange]\n"
        "path = \"" +
        (std::string(transport) == "tcp" ? "host" : "gpudirect") +
        "\"\n[system]\ntitle = \"t\"\n[[system.socket]]\nid = \"cpu0\"\n"
        "model = \"intel-xeon-platinum-8480c\"\nmemory = \"1 TiB\"\n[[system.gpu]]\n"
        "id = \"gpu0\"\nmodel = \"nvidia-h100-sxm5-80gb\"\nat = \"cpu0\"\n";
    for (int i = 0; i < cards; ++i)
      text += "[[system.nic]]\nid = \"net" + std::to_string(i) +
              "\"\nmodel = \"aws-efa-2-100g\"\nat = \"cpu0\"\n";
    const Result result = simulate(parse_scenario(text, "t.toml", own_catalog()));
    return result.collectives.front().bus_Bps;
  };
  const double port = 12.5e9 * 0.85;
  CHECK(bus_Bps(1, "infiniband") == doctest::Approx(port).epsilon(0.02));
  CHECK(bus_Bps(2, "infiniband") == doctest::Approx(2 * port).epsilon(0.02));
  CHECK(bus_Bps(4, "efa") == doctest::Approx(4 * port).epsilon(0.03));
  CHECK(bus_Bps(4, "tcp") == doctest::Approx(3e9).epsilon(0.02));
}

TEST_CASE("GPUs at one switch deal the cards there, and each takes its share") {
  const Scenario scenario = load_scenario(
      GPUFEED_SOURCE_DIR "/tests/validation/first/scenarios/collectives_p5_efa_p5.toml",
      own_catalog(), {parse_override("workload.from=2 GiB"), parse_override("workload.to=2 GiB")});
  const double all = 32 * 12.5e9 * 0.85;
  const double sent = simulate(scenario).collectives.front().bus_Bps;
  CHECK(sent >= 0.9 * all);
}

TEST_CASE("gradients take a ring at that rate, however many GPUs a node has") {
  for (const std::int64_t gpus : {1, 2, 4}) {
    const double ranks = 4.0 * static_cast<double>(gpus);
    CAPTURE(gpus);
    Scenario scenario = cluster(4, gpus);
    const double bytes_s = 2 * (ranks - 1) / ranks * kGradients / 593.75e6;
    CHECK(exchange_s(scenario) >= bytes_s);
    CHECK(exchange_s(scenario) <= bytes_s + 2 * ranks * (kStepMore + 1e-4));
    scenario.exchange.algorithm = Algorithm::automatic;
    CHECK(make_plan(scenario).algorithm == Algorithm::ring);
  }
}

TEST_CASE("few nodes that stand for many exchange at that rate, too") {
  Scenario scenario = cluster(64, 2);
  const double folded = exchange_s(scenario);
  scenario.run.fold = false;
  CHECK(folded == approx(exchange_s(scenario)));
  CHECK(folded >= 2 * 127.0 / 128 * kGradients / 593.75e6);
}

TEST_CASE("BERT on cloud nodes of one T4 each takes the steps that were measured") {
  // petuum/adaptdl, branch osdi21-artifact
  const auto step_s = [](const char* nodes, const char* batch) {
    return simulate(load_scenario(GPUFEED_SOURCE_DIR "/tests/validation/first/scenarios/"
                                                     "training_pollux_t4_bert.toml",
                                  own_catalog(),
                                  {parse_override("fabric.overlay=ip-in-ip"), parse_override(nodes),
                                   parse_override("workload.gpus=1"), parse_override(batch)}))
        .step_s;
  };
  CHECK(step_s("nodes=3", "workload.batch_per_gpu=8") == doctest::Approx(1.2118).epsilon(0.08));
  CHECK(step_s("nodes=2", "workload.batch_per_gpu=6") == doctest::Approx(1.3167).epsilon(0.15));
}

TEST_CASE("GPUDirect RDMA is refused of cards that speak TCP, and nobody needs to name the path") {
  const auto loaded = [](const char* path) {
    return load_scenario(GPUFEED_SOURCE_DIR
                         "/tests/validation/first/scenarios/training_pollux_t4_bert.toml",
                         own_catalog(), {parse_override("nodes=2"), parse_override(path)});
  };
  CHECK(refusal_of([&] {
          loaded("exchange.path=gpudirect");
        }).find("exchange.path is gpudirect, which takes RDMA; aws-ena-50g speaks TCP") !=
        std::string::npos);
  CHECK(loaded("exchange.path=").exchange.path.value == ReadPath::host);
}

TEST_CASE("an overlay without ports is refused where several ways would share its connection") {
  const auto refused = [](const std::string& system, const std::string& workload) {
    return refusal_of([&] {
      parse_scenario("nodes = 3\nsystem = \"" + system + "\"\n" + workload +
                         "loader = { decode = \"none\" }\ndata = { at = \"scratch\" }\nfabric = { "
                         "transport = \"tcp\", overlay = \"ip-in-ip\" }\n",
                     "t.toml", own_catalog());
    });
  };
  const std::string bert =
      "workload = { model = \"bert-large\", dataset = \"mlperf-bert\", precision = \"fp16\", "
      "batch_per_gpu = 32 }\n";
  CHECK(refused("aws-p4d.24xlarge", bert).find("over one network card, and the system has 4") !=
        std::string::npos);
  const std::string llama =
      "workload = { model = \"llama-3-8b\", dataset = \"c4-tokens-2048\", precision = \"bf16\", "
      "batch_per_gpu = 1, optimizer = \"adam\" }\nparallel = { shard = \"parameters\" }\n";
  CHECK(refused("aws-p4d.24xlarge", llama).find("groups of a language model's GPUs") !=
        std::string::npos);
}

TEST_CASE("a decoder's groups reach the next node over sockets as gradients of other models do") {
  const auto job = [](const std::string& tables) {
    const Scenario scenario = parse_scenario(
        "nodes = 4\nsystem = \"nvidia-dgx-h100\"\nworkload = { model = \"llama-3-8b\", dataset = "
        "\"c4-tokens-2048\", precision = \"bf16\", global_batch = 32, optimizer = \"adam\" }\n"
        "loader = { decode = \"none\" }\nparallel = { shard = \"parameters\", micro_batch = 1 "
        "}\n" +
            tables,
        "t.toml", own_catalog());
    return *transformer_job(scenario);
  };
  constexpr Bytes kBuffer{1e9};
  const auto gather_s = [&](const std::string& tables, const RankGroup& group) {
    return gather_time(job(tables).ways, group, kBuffer).value;
  };
  const RankGroup all{32, 1}, one_of_each{4, 8};
  const std::string tcp =
      "fabric = { transport = \"tcp\" }\nexchange = { channels = 4, sockets = 2, "
      "socket_bandwidth = \"1.25 GB/s\" }\n";
  constexpr double kSockets = 4 * 2 * 1.25e9;
  const double steps = 3 * (2e-6 + kStepMore);
  CHECK(gather_s(tcp, all) == doctest::Approx(1e9 * 3 / 4 / kSockets + steps).epsilon(1e-3));
  CHECK(gather_s(tcp, one_of_each) == approx(1e9 * 3 / 4 / kSockets + steps));
  CHECK(gather_s("", all) < 0.1 * gather_s(tcp, all));
  CHECK(gather_s("fabric = { transport = \"efa\" }\n", all) ==
        approx(gather_s("", all) + 3 * 61e-6));
  // A ring leaves each leaf once, over an uplink that all eight of a node share.
  CHECK(gather_s("fabric = { nodes_per_switch = 2, uplink_bandwidth = \"10 GB/s\" }\n",
                 one_of_each) == approx(1e9 * 3 / 4 / (10e9 / 8) + 3 * 2e-6));
}
