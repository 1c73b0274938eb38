// SPDX-License-Identifier: Apache-2.0
// What fio would report where the way to the drives or to a store is the limit.
#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"
#include "tests/support/evidence.h"
#include "tests/support/io_box.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

/// A store "nas" behind two NICs of cpu0, asked by `io`.
Scenario store_on(const IoJob& io, const Protocol& spoken) {
  Scenario scenario = io_on({}, io);
  edit(scenario.system, [](System& system) {
    for (const char* id : {"nic0", "nic1"})
      add_device(system.nics, id, "cpu0", nic(link(Bandwidth{kPlenty}), 1, 3_GBps));
  });
  Array model = *array(Bandwidth{kPlenty}, Rate{1e12}, 1_ms);
  model.write_bandwidth = Bandwidth{kPlenty};
  add_store(scenario, "nas", ref(std::move(model)), {"nic0", "nic1"});
  scenario.store["nas"].protocol = ref(Protocol(spoken));
  scenario.data.at = part(scenario, "nas");
  scenario.workload.get<kind::Io>().io->engine = io.engine;
  return scenario;
}

Protocol ample_protocol() {
  auto protocol = named<Protocol>("protocol");
  protocol.request_latency = 500_us;
  return protocol;
}

}  // namespace

TEST_CASE("a copy by software passes the memory three more times and takes a core") {
  Box box;
  box.memory = 8_GBps;
  CHECK(bandwidth(box, job(1 << 20, 100000)) == about(8e9));
  IoJob io = job(1 << 20, 1, 100000);
  io.direct = false;
  CHECK(bandwidth(box, io) == about(8e9 / 4));
  io.jobs = 30;
  Scenario scenario = io_on({}, io);
  edit_cpus(scenario, [](Cpu& cpu) { cpu.core_copy_bandwidth = 10_MBps; });
  CHECK(simulate(scenario).io.at(0).bandwidth_Bps == about(30 * 10e6));
  scenario.workload.get<kind::Io>().io->jobs = 1000;  // 40 cores
  CHECK(simulate(scenario).io.at(0).bandwidth_Bps == about(40 * 10e6));
}

TEST_CASE("drives under one switch share its uplink, each direction its own") {
  Box box{.drives = 4, .uplink = 2_GBps};
  CHECK(bandwidth(box, job(1 << 20, 100000)) == about(2e9));
  const Result mixed = simulate(io_on(box, job(1 << 20, 100000, 1, 0.75)));
  CHECK(mixed.io.at(0).bandwidth_Bps == about(2e9));
  CHECK(mixed.io.at(1).bandwidth_Bps == about(2e9 / 3));
  CHECK(mixed.bottleneck.resource == parts({"plx -> cpu0"}));
  CHECK(mixed.bottleneck.evidence.front() ==
        evidence_of<EvidenceCode::carries>(parts({"plx -> cpu0"}), 2_GBps));
}

TEST_CASE("memory of the other socket is reached over the link, and as remote DMA allows") {
  IoJob io = job(1 << 20, 100000);
  io.memory = {Label("cpu1"), {}, PartId{PartKind::socket, 1}};
  CHECK(bandwidth({}, io) == about(16e9));
  Scenario scenario = io_on({}, io);
  edit_cpus(scenario, [](Cpu& limited) {
    limited.remote_dma_write = 7_GBps;  // into memory: what reads of a drive are
    limited.remote_dma_read = 5_GBps;
  });
  CHECK(simulate(scenario).io.at(0).bandwidth_Bps == about(7e9));
  scenario.workload.get<kind::Io>().io->read_share = {0};
  CHECK(simulate(scenario).io.at(0).bandwidth_Bps == about(5e9));
  scenario.workload.get<kind::Io>().io->memory = {};
  CHECK(simulate(scenario).io.at(0).bandwidth_Bps > 1e11);
}

TEST_CASE("each job on a store waits for the latencies of array and protocol") {
  const double one = 1.5e-3 + kBlock / 3e9;
  CHECK(iops(store_on(job(kBlock, 4, 3), ample_protocol())) == about(12 / one));
  const Result result = simulate(store_on(job(kBlock, 4, 3), ample_protocol()));
  CHECK(result.bottleneck.resource == fact<LimiterCode::requests_under_way>());
  CHECK(result.io.at(0).latency_mean_s == about(one));
}

TEST_CASE("jobs take the network cards of a store in turn, and one takes all") {
  CHECK(simulate(store_on(job(1 << 20, 64, 1), ample_protocol())).io.at(0).bandwidth_Bps ==
        about(6e9));
  CHECK(simulate(store_on(job(1 << 20, 64, 2), ample_protocol())).io.at(0).bandwidth_Bps ==
        about(6e9));
}

TEST_CASE("a client of a store attains what its connections and its cores carry") {
  Protocol protocol = ample_protocol();
  protocol.connection_bandwidth = 500_MBps;
  protocol.connections = 4;
  const IoJob io = job(1 << 20, 64, 8);
  CHECK(simulate(store_on(io, protocol)).io.at(0).bandwidth_Bps == about(4 * 0.5e9));
  Scenario more = store_on(io, protocol);
  more.store["nas"].connections = 8;
  CHECK(simulate(more).io.at(0).bandwidth_Bps == about(8 * 0.5e9));
  protocol.core_bandwidth = 20_MBps;  // of 40 cores
  const Result result = simulate(store_on(io, protocol));
  CHECK(result.io.at(0).bandwidth_Bps == about(40 * 20e6));
  CHECK(result.bottleneck.resource == parts({"client cores"}));
  protocol.core_bandwidth.reset();
  protocol.request_core_time = 80_ms;
  protocol.largest_request = 256_kB;
  const Result by_requests = simulate(store_on(io, protocol));
  CHECK(by_requests.io.at(0).bandwidth_Bps == about(40 * (1 << 20) / (80e-3 * (1 << 20) / 256e3)));
  CHECK(by_requests.bottleneck.resource == parts({"client cores"}));
}
