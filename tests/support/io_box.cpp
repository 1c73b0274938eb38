// SPDX-License-Identifier: Apache-2.0
#include "tests/support/io_box.h"

#include <fmt/format.h>

namespace gpufeed::systems {

Drive ample_drive() {
  auto drive = plugged<Drive>("drive", link(Bandwidth{kPlenty}), 1);
  drive.capacity = 2_TB;
  drive.read_bandwidth = drive.write_bandwidth = Bandwidth{kPlenty};
  drive.read_rate = Rate{1e12};
  drive.read_latency = Seconds{kLatency};
  drive.write_latency = Seconds{kWriteLatency};
  drive.request_bandwidth = Bandwidth{kOneRequest};
  drive.largest_request = 1_GB;
  return drive;
}

IoJob job(double block, std::int64_t depth, std::int64_t jobs, double reads) {
  IoJob io;
  io.block_size = {block};
  io.queue_depth = depth;
  io.jobs = jobs;
  io.read_share = {reads};
  return io;
}

Scenario io_on(const Box& box, const IoJob& io) {
  Scenario scenario = scenario_on(box.system());
  become<kind::Io>(scenario.workload).io = io;
  if (io.direct)  // cores are to limit nothing
    scenario.workload.get<kind::Io>().io->engine = IoEngine::spdk;
  scenario.data.at = part(scenario, "data");
  return scenario;
}

System Box::system() const {
  auto system = named<System>("box");
  add_socket(system, "cpu0", cpu(memory));
  add_socket(system, "cpu1", cpu(memory));
  system.socket_links = {connection("cpu0", "cpu1", link(16_GBps))};
  add_device(system.switches, "plx", "cpu0", ref(plugged<Switch>("plx", link(uplink), 1)));
  const auto model = ref(Drive(drive));
  Volume volume;
  volume.id = Label("data");
  volume.layout = layout;
  for (int i = 0; i < drives; ++i) {
    add_device(system.drives, fmt::format("ssd{}", i), "plx", model);
    volume.drives.push_back({Label(fmt::format("ssd{}", i)), {}});
  }
  system.volumes.push_back(std::move(volume));
  return system;
}

}  // namespace gpufeed::systems
