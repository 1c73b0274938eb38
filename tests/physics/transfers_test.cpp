// SPDX-License-Identifier: Apache-2.0
// What nvbandwidth would print, one limit at a time, against its formula.
#include <doctest/doctest.h>

#include <cmath>

#include "sim/kinds/transfers/rate_meter.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"
#include "tests/support/kinds.h"
#include "tests/support/systems.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

Result run_test(const System& system, TransferTest test) {
  Scenario scenario = scenario_on(System(system));
  become<kind::Transfers>(scenario.workload).tests = {test};
  return simulate(scenario);
}

using Matrix = std::vector<std::vector<double>>;

Matrix matrix_of(const System& system, TransferTest test) {
  return run_test(system, test).transfers.at(0).bandwidth_Bps;
}

/// The row of a test with the host.
std::vector<double> row_of(const System& system, TransferTest test) {
  std::vector<double> row = matrix_of(system, test).at(0);
  REQUIRE(row.size() == system.gpus.size());
  return row;
}

Copy copy(const std::string& from, const std::string& to, std::int64_t streams = 1) {
  Copy out;
  out.from.id = Label(from);
  out.to.id = Label(to);
  out.streams = streams;
  return out;
}

Scenario copies_on(const System& system, const std::vector<Copy>& copies) {
  Scenario scenario = scenario_on(System(system));
  auto& asked = become<kind::Transfers>(scenario.workload).copies;
  asked = copies;
  for (Copy& copy : asked) {
    copy.from = part(scenario, copy.from.id);
    copy.to = part(scenario, copy.to.id);
  }
  return scenario;
}

Result run_copies(const System& system, const std::vector<Copy>& copies) {
  return simulate(copies_on(system, copies));
}

constexpr double kGpu = 12e9;         ///< of every GPU's x16 link in these machines
constexpr double kSataDrive = 500e6;  ///< of the SATA drives of dgx1()

/// dual_root with links that reach 1.5 times one direction in both, and are faster to the host.
System half_duplex() {
  System system = dual_root(4);
  Link slower = *link(0.75_GBps);
  slower.efficiency_from_device = Ratio{13.0 / 12};
  slower.duplex = Ratio{1.5};
  const auto model = ref(plugged<Gpu>("gpu", ref(std::move(slower)), 16));
  for (auto& gpu : system.gpus) gpu.model = model;
  return system;
}

/// Four GPUs on one NVSwitch, 100 GB/s each way.
System switched() {
  System system = dual_root(4);
  NvSwitch part;
  part.id = Label("nvswitch");
  part.link = link(25_GBps);
  part.count = 4;
  for (const auto& gpu : system.gpus) part.gpus.push_back({gpu.id, {}});
  system.nvswitches.push_back(std::move(part));
  return system;
}

Limiter parts(const std::string& name) { return fact<LimiterCode::parts>(std::vector{name}); }

}  // namespace

TEST_CASE("a copy from host memory runs at the rate of the GPU's link, in each direction its own") {
  for (const double rate : row_of(half_duplex(), TransferTest::host_to_device))
    CHECK(rate == about(kGpu));
  const auto back = run_test(half_duplex(), TransferTest::device_to_host).transfers.at(0);
  CHECK(back.bandwidth_Bps == Matrix(1, std::vector<double>(4, back.bandwidth_Bps[0][0])));
  CHECK(back.bandwidth_Bps[0][0] == about(13e9));
  CHECK(back.sum_Bps == about(4 * 13e9));
  CHECK(back.limits == std::vector{parts("gpu0 -> cpu0"), parts("gpu1 -> cpu0"),
                                   parts("gpu2 -> cpu1"), parts("gpu3 -> cpu1")});
}

TEST_CASE("both directions of a GPU together attain what its link allows both ways") {
  for (const auto test :
       {TransferTest::host_to_device_bidirectional, TransferTest::device_to_host_bidirectional})
    for (const double rate : row_of(half_duplex(), test)) CHECK(rate == about(0.75 * kGpu));
  // NVLink and links of full duplex keep their rates.
  for (const double rate : row_of(dual_root(4), TransferTest::host_to_device_bidirectional))
    CHECK(rate == about(kGpu));
}

TEST_CASE("all GPUs at once share the uplinks of their switches and the memories") {
  for (const double rate : row_of(dgx1(), TransferTest::host_to_all))
    CHECK(rate == about(kGpu / 2));
  for (const double rate : row_of(dgx1(), TransferTest::all_to_host))
    CHECK(rate == about(kGpu / 2));
  for (const double rate : row_of(dgx1(), TransferTest::host_to_device)) CHECK(rate == about(kGpu));
  System narrow = dual_root(4);
  for (auto& socket : narrow.sockets) socket.memory_bandwidth = 20_GBps;
  for (const double rate : row_of(narrow, TransferTest::host_to_all_bidirectional))
    CHECK(rate == about(20e9 / 4));
}

TEST_CASE("GPUs copy over NVLink, peer to peer under one socket, or through host memory") {
  const Matrix pairs = matrix_of(dgx1(), TransferTest::device_to_device);
  CHECK(std::isinf(pairs[3][3]));
  CHECK(pairs[0][1] == about(20e9));        // one brick
  CHECK(pairs[0][5] == about(0.8 * kGpu));  // staged: the other socket, no brick
  CHECK(run_test(dgx1(), TransferTest::device_to_device).warnings.size() == 1);
  CHECK(matrix_of(dual_root(4), TransferTest::device_to_device)[0][1] == about(kGpu));
}

TEST_CASE("copies through host memory lose their part of the link that they share, once") {
  // Both leave plx0 for cpu1, where no brick joins them to their ends.
  const auto both = run_copies(dgx1(), {copy("gpu0", "gpu5"), copy("gpu1", "gpu4")}).copies;
  for (const auto& rate : both) {
    CHECK(rate.bandwidth_Bps == about(0.8 * kGpu / 2));
    CHECK(rate.limit == parts("plx0 -> cpu0 staged"));
  }
  // Any other copy has its part of the link itself.
  const auto beside = run_copies(dgx1(), {copy("gpu0", "gpu5"), copy("gpu1", "cpu0")}).copies;
  for (const auto& rate : beside) CHECK(rate.bandwidth_Bps == about(kGpu / 2));
}

TEST_CASE("one process reads into host memory, then copies to the GPU; or both at once") {
  System system = dgx1();
  Copy read = copy("ssd0", "gpu0");
  CHECK(run_copies(system, {read}).copies[0].bandwidth_Bps == about(kSataDrive));
  read.overlapped = false;
  const Result alone = run_copies(system, {read});
  const double one = 1 / (1 / kSataDrive + 1 / kGpu);
  CHECK(alone.copies[0].bandwidth_Bps == about(one));
  CHECK(alone.copies[0].limit == fact<LimiterCode::half_after_half>());
  read.streams = 2;  // while one copies, another reads
  CHECK(run_copies(system, {read}).copies[0].bandwidth_Bps == about(std::min(2 * one, kSataDrive)));
  Copy staged = copy("gpu0", "gpu5");
  staged.overlapped = false;
  CHECK(run_copies(system, {staged}).copies[0].bandwidth_Bps == about(kGpu / 2));
}

TEST_CASE("only a way through host memory has halves") {
  for (const auto& [from, to] : {std::pair("gpu0", "gpu1"), std::pair("cpu0", "gpu0"),
                                 std::pair("ssd0", "cpu0"), std::pair("cpu0", "cpu1")}) {
    Copy straight = copy(from, to);
    straight.overlapped = false;
    CHECK_THROWS_WITH_AS(run_copies(dgx1(), {straight}),
                         fmt::format(": error: workload.copy.overlapped: a copy from {} to {} does "
                                     "not stop in host memory on its way\n",
                                     from, to)
                             .c_str(),
                         InputError);
  }
}

TEST_CASE("both directions between GPUs are printed with their sum") {
  const auto out = run_test(dgx1(), TransferTest::device_to_device_bidirectional).transfers;
  REQUIRE(out.size() == 3);
  CHECK(out[0].bandwidth_Bps[0][1] == about(20e9));
  CHECK(out[2].bandwidth_Bps[0][1] == about(40e9));
  CHECK(out[2].bandwidth_Bps[0][5] == about(2 * 0.8 * kGpu));
}

TEST_CASE("an NVSwitch gives every pair the full rate of a GPU's links, alone and all at once") {
  const Matrix pairs = matrix_of(switched(), TransferTest::device_to_device);
  for (const auto& row : pairs)
    for (const double rate : row)
      if (!std::isinf(rate)) CHECK(rate == about(100e9));
  const auto ring = run_copies(switched(), {copy("gpu0", "gpu1"), copy("gpu1", "gpu2"),
                                            copy("gpu2", "gpu3"), copy("gpu3", "gpu0")});
  for (const auto& rate : ring.copies) CHECK(rate.bandwidth_Bps == about(100e9));
  const auto all_to_one =
      run_copies(switched(), {copy("gpu0", "gpu3"), copy("gpu1", "gpu3"), copy("gpu2", "gpu3")});
  for (const auto& rate : all_to_one.copies) {
    CHECK(rate.bandwidth_Bps == about(100e9 / 3));
    CHECK(rate.limit == parts("nvswitch -> gpu3"));
  }
}

TEST_CASE("data that a GPU stores and forwards move at half the rate") {
  Copy hop = copy("gpu0", "gpu5");
  hop.via = PartRef{Label("gpu1"), {}, PartId{PartKind::gpu, 1}};
  const Result result = run_copies(dgx1(), {hop});
  CHECK(result.copies.at(0).bandwidth_Bps == about(10e9));
  CHECK(result.copies.at(0).limit == fact<LimiterCode::forwarding>("gpu1"));
  hop.via = PartRef{Label("gpu6"), {}, PartId{PartKind::gpu, 6}};
  CHECK_THROWS_WITH_AS(run_copies(dgx1(), {hop}),
                       ": error: workload.copy.via: gpu6 has no NVLink to both gpu0 and gpu5\n",
                       InputError);
}

TEST_CASE("streams of a copy share as many copies would") {
  const Result result = run_copies(dgx1(), {copy("cpu0", "gpu0"), copy("cpu0", "gpu1", 3)});
  CHECK(result.copies.at(0).bandwidth_Bps == about(kGpu / 4));
  CHECK(result.copies.at(1).bandwidth_Bps == about(kGpu * 3 / 4));
  CHECK(result.copies.at(1).limit == parts("cpu0 -> plx0"));
}

TEST_CASE("a copy to a GPU of the other socket crosses the link, as remote DMA allows") {
  CHECK(run_copies(dual_root(2, 5_GBps), {copy("cpu0", "gpu1")}).copies.at(0).bandwidth_Bps ==
        about(5e9));
  System system = dual_root(2);
  edit_all(system.sockets, [](Cpu& limited) {
    limited.remote_dma_read = 6_GBps;
    limited.remote_dma_write = 9_GBps;
  });
  CHECK(run_copies(system, {copy("cpu0", "gpu1")}).copies.at(0).bandwidth_Bps == about(6e9));
  CHECK(run_copies(system, {copy("gpu1", "cpu0")}).copies.at(0).bandwidth_Bps == about(9e9));
  CHECK(run_copies(system, {copy("cpu1", "gpu1")}).copies.at(0).bandwidth_Bps == about(kGpu));
}

TEST_CASE("cores copy between sockets: read there, write-allocate and write here") {
  System system = dual_root(2, 100_GBps);
  CHECK(run_copies(system, {copy("cpu0", "cpu1")}).copies.at(0).bandwidth_Bps == about(60e9 / 2));
  edit_all(system.sockets, [](Cpu& limited) {
    limited.remote_core_read = 8_GBps;
    limited.remote_dma_read = 1_GBps;  // cores are no devices
    limited.core_copy_bandwidth = 5_GBps;
  });
  const Result one = run_copies(system, {copy("cpu0", "cpu1")});
  CHECK(one.copies.at(0).bandwidth_Bps == about(5e9));
  CHECK(one.copies.at(0).limit == fact<LimiterCode::core_copies>());
  const Result four = run_copies(system, {copy("cpu0", "cpu1", 4)});
  CHECK(four.copies.at(0).bandwidth_Bps == about(8e9));
  CHECK(four.copies.at(0).limit == parts("cpu0 memory remote core reads"));
}

TEST_CASE("drives copy into memory, into GPUs and onto one another") {
  System system = dgx1();
  Volume volume;
  volume.id = Label("data");
  for (const char* id : {"ssd0", "ssd1", "ssd2"}) volume.drives.push_back({Label(id), {}});
  system.volumes.push_back(std::move(volume));
  CHECK(run_copies(system, {copy("data", "cpu0")}).copies.at(0).bandwidth_Bps ==
        approx(3 * 0.5e9).epsilon(1e-4));
  CHECK(run_copies(system, {copy("cpu0", "ssd3")}).copies.at(0).bandwidth_Bps ==
        approx(0.4e9).epsilon(1e-4));
  const Result onto = run_copies(system, {copy("data", "ssd3")});
  CHECK(onto.copies.at(0).bandwidth_Bps == approx(0.4e9).epsilon(1e-4));
  CHECK(onto.copies.at(0).limit == parts("ssd3 write"));
  // Equal parts of three drives: one of them is shared with another copy.
  const Result shared = run_copies(system, {copy("data", "gpu7"), copy("ssd0", "cpu0")});
  CHECK(shared.copies.at(0).bandwidth_Bps + shared.copies.at(1).bandwidth_Bps * 3 ==
        approx(3 * 0.5e9).epsilon(1e-4));
}

TEST_CASE("only GPUDirect leaves the memory out on the way to a GPU") {
  System system = dgx1();
  const auto fast = drive(link(6_GBps), 4, 6_GBps, 3_GBps);
  for (auto& part : system.drives) part.model = fast;
  for (auto& socket : system.sockets) socket.memory_bandwidth = 4_GBps;
  Scenario scenario = copies_on(system, {copy("ssd0", "gpu0")});
  CHECK(simulate(scenario).copies.at(0).bandwidth_Bps == about(4e9 / 2));
  scenario.data.path = ReadPath::gpudirect;
  CHECK(simulate(scenario).copies.at(0).bandwidth_Bps == approx(6e9).epsilon(1e-3));
}

TEST_CASE("limits of one name are blamed apart, and a cap is told as what it is") {
  const auto named = [](const char* name) {
    return fact<LimiterCode::parts>(std::vector<std::string>{name});
  };
  const Binding one{LimitIndex(3), named("ssd0")}, other{LimitIndex(1), named("ssd0")};
  const Binding cap{{}, fact<LimiterCode::core_copies>()};
  Blame blame;
  blame.add(cap, 2);
  blame.add(one, 2);
  blame.add(other);
  Blame all;
  all.add(blame);
  all.add(other);
  CHECK(all.all() == 6);
  const auto sorted = all.sorted();
  REQUIRE(sorted.size() == 3);
  CHECK(sorted[0].by == other);
  CHECK(sorted[1].by == one);
  CHECK(sorted[2].by == cap);
}
