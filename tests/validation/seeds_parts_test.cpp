// SPDX-License-Identifier: Apache-2.0
// What the documents behind this project state of single parts and machines, held against the
// catalog; seeds.md lists it.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"

using namespace gpufeed;

namespace {

const std::string kTree = GPUFEED_SOURCE_DIR;

Scenario scenario_of(const std::string& file, const std::vector<std::string>& assignments = {}) {
  const Catalog catalog({kTree + "/hw_catalog", kTree + "/workloads"});
  std::vector<Override> overrides;
  for (const auto& assignment : assignments) overrides.push_back(parse_override(assignment));
  return load_scenario(kTree + "/" + file, catalog, overrides);
}

std::size_t gpus_of(const std::string& system) {
  return scenario_of("examples/03_data_density/scenario_images.toml", {"system=" + system})
      .system->gpus.size();
}

/// The NVMe drive of the video example, or another in its place.
Device<Drive> drive(const std::string& model) {
  return scenario_of("examples/03_data_density/scenario_video_nvme.toml",
                     {"replace[0].with=" + model})
      .system->drives.front();
}

}  // namespace

TEST_CASE("Inspur: servers of 2, 4 and 8 GPUs, and 16 in the least rack") {
  CHECK(gpus_of("inspur-nf5280m4") == 2);
  CHECK(gpus_of("inspur-nf5568m4") == 4);
  CHECK(gpus_of("inspur-agx-2") == 8);
  CHECK(gpus_of("inspur-sr-ai-rack") == 16);
}

TEST_CASE("HPE: PCIe 3 of 16 GB/s, InfiniBand of 56 Gb/s, a K40 of 4 TFLOP/s") {
  const Scenario scenario = scenario_of("tests/validation/seed3_infiniband.toml");
  const auto& gpu = scenario.system->gpus.front();
  CHECK(gpu.model->peak_fp32->value == approx(4e12).epsilon(0.1));
  CHECK(gpu.model->link->raw_bandwidth.value * 16 == approx(16e9).epsilon(0.02));
  const auto is_infiniband = [](const auto& nic) {
    return nic.model->port_bandwidth.value == approx(56e9 / 8);
  };
  CHECK(std::ranges::any_of(scenario.system->nics, is_infiniband));
}

TEST_CASE("BOXX: SATA carries 6 Gbit/s, NVMe drives about 6 GByte/s: between PCIe 3.0 and 4.0") {
  const Scenario sata = scenario_of("examples/03_data_density/scenario_video.toml");
  const Link& link = *sata.system->drives.front().model->link;
  CHECK(link.raw_bandwidth.value * 10 == approx(6e9));  // ten bits on the wire a byte
  CHECK(link.from_device(1).value == approx(560e6).epsilon(0.001));
  CHECK(drive("intel-p4510-8tb").model->read_bandwidth.value < 6e9);
  CHECK(drive("samsung-pm1733-3.84tb").model->read_bandwidth.value > 6e9);
}
