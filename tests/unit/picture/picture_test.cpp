// SPDX-License-Identifier: Apache-2.0
#include "reports/picture/picture.h"
#include "sim/model/scenario.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "reports/picture/paths.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"

namespace gpufeed {
namespace {

struct Drawn {
  Result result;
  Picture picture;
};

Drawn drawn(const std::string& system, const std::string& more = "") {
  const Scenario scenario = parse_scenario(
      "system = \"" + system +
          "\"\nworkload = { model = \"resnet-50\", dataset = \"imagenet-1k\", epochs = 2, "
          "precision = \"fp16\" }\n" +
          more,
      "x.toml", own_catalog());
  Drawn out{simulate(scenario), {}};
  out.picture = picture_of(out.result, *scenario.system);
  return out;
}

const Box& box(const Picture& picture, const std::string& id) {
  const auto found = std::ranges::find_if(
      picture.boxes, [&](const Box& one) { return std::ranges::count(one.ids, id) > 0; });
  REQUIRE_MESSAGE(found != picture.boxes.end(), id);
  return *found;
}

bool apart(const Box& a, const Box& b) {
  return a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
}

}  // namespace

TEST_CASE("every part of a machine has a place of its own within the picture") {
  for (const char* system :
       {"nvidia-dgx1-p100", "nvidia-dgx-h100", "aws-p5.48xlarge", "nvidia-dgx2-v100"}) {
    if (!own_catalog().find("system", system)) continue;
    const Picture picture = drawn(system, "[data]\nat = \"scratch\"\n").picture;
    for (std::size_t i = 0; i < picture.boxes.size(); ++i) {
      const Box& one = picture.boxes[i];
      const bool inside = one.x >= -0.01F && one.y >= 0 && one.x + one.w <= picture.width + 0.01F &&
                          one.y + one.h <= picture.height + 0.01F;
      CHECK_MESSAGE(inside, system, " ", one.name);
      for (std::size_t k = 0; k < i; ++k)
        CHECK_MESSAGE(apart(one, picture.boxes[k]), system, " ", one.name, " ",
                      picture.boxes[k].name);
    }
  }
}

TEST_CASE("every link has a line of its own: a drive hangs on its lanes, not on a GPU's") {
  for (const char* system : {"nvidia-dgx1-p100", "nvidia-dgx-h100", "aws-p5.48xlarge"}) {
    CAPTURE(system);
    const Picture picture = drawn(system, "[data]\nat = \"scratch\"\n").picture;
    std::vector<Path> trunks;
    for (const Wire& wire : picture.wires)
      if (wire.trunk && wire.kind == "bus") trunks.push_back(path_of_link(picture, wire));
    REQUIRE(trunks.size() > 2);
    for (std::size_t i = 0; i < trunks.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) {  // they run down at the last place but one
        const Point one = trunks[i][trunks[i].size() - 2];
        const Point other = trunks[k][trunks[k].size() - 2];
        CHECK(std::abs(one.x - other.x) > 1);
      }
  }
}

TEST_CASE(
    "sockets stand above switches, these above what hangs on them; drives alike are one box") {
  const Drawn all = drawn("nvidia-dgx1-p100");
  const Picture& picture = all.picture;
  CHECK(box(picture, "cpu0").y < box(picture, "plx0").y);
  CHECK(box(picture, "plx0").y < box(picture, "gpu0").y);
  CHECK(box(picture, "ssd0").ids.size() == 4);
  CHECK(box(picture, "ssd0").name == "ssd0-ssd3");
  CHECK(box(picture, "gpu0").title == "NVIDIA Tesla P100 SXM2 16 GB");
}

TEST_CASE("links have the load and the rate of the busier direction") {
  const Drawn all = drawn("nvidia-dgx1-p100");
  const Picture& picture = all.picture;
  const auto wire = std::ranges::find_if(
      picture.wires, [&](const Wire& one) { return one.resource == "plx0 -> gpu0"; });
  REQUIRE(wire != picture.wires.end());
  const auto use =
      std::ranges::find(all.result.resources, std::string("plx0 -> gpu0"), &ResourceUse::id);
  REQUIRE(use != all.result.resources.end());
  CHECK(wire->load == use->utilization);
  CHECK(wire->rate_Bps == doctest::Approx(use->utilization * use->capacity));
  CHECK(wire->kind == "bus");
  CHECK(picture.most_Bps >= wire->rate_Bps);
}

TEST_CASE("a GPU shows which part of the time it computes") {
  const Drawn all = drawn("nvidia-dgx1-p100");
  REQUIRE(all.result.gpus.size() == 1);
  CHECK(box(all.picture, "gpu5").load == all.result.gpus.front().share.compute);
}

TEST_CASE("GPUs that take no part compute nothing") {
  for (const char* takes_part : {"gpus = 3\n", "placement = [3, 8]\n"}) {
    CAPTURE(takes_part);
    const bool nodes = std::string_view(takes_part).starts_with("placement");
    const Scenario scenario = parse_scenario(
        std::string(nodes ? "nodes = 2\n" : "") +
            "system = \"nvidia-dgx1-p100\"\n[data]\nat = \"scratch\"\n[workload]\nmodel = "
            "\"resnet-50\"\ndataset = \"imagenet-1k\"\n" +
            takes_part,
        "x.toml", own_catalog());
    const Picture picture = picture_of(simulate(scenario), *scenario.system);
    CHECK(box(picture, "gpu2").load > 0.0);
    CHECK(!box(picture, "gpu3").load);
  }
}

TEST_CASE("no GPU of a picture computes where the work has none compute") {
  const Scenario saving = load_scenario(
      GPUFEED_SOURCE_DIR "/examples/24_checkpoints_of_a_cluster/scenario.toml", own_catalog());
  const Picture saves = picture_of(simulate(saving), *saving.system);
  CHECK(!box(saves, "gpu0").load);
  CHECK(box(drawn("nvidia-dgx-h100").picture, "gpu0").load > 0.0);
}

}  // namespace gpufeed
