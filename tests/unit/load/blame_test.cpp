// SPDX-License-Identifier: Apache-2.0
// A problem is told where the user's text makes it one: never in a file of the catalog.
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/malformed.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;
using namespace gpufeed::malformed;

namespace {

const std::string kH100 = "system = \"nvidia-dgx-h100\"\n";
const std::string kFp16 = kWorkload + "precision = \"fp16\"\n";

std::string swapped(const std::string& lines) { return "[[replace]]\n" + lines; }

/// A good scenario that one option makes wrong.
struct Wrong {
  std::string text;
  std::string option;
  std::string message;  ///< in it
};

}  // namespace

TEST_CASE("what an option makes wrong is told at the option") {
  const std::string loader = kSystem + kWorkload + "[loader]\nprefetch_batches = 2\n";
  const std::vector<Wrong> options{
      {kSystem + kWorkload, "system.gpu[gpu0].lanes=7", "no PCIe link has 7 lanes"},
      {kSystem + kWorkload, "system.gpu[*].lanes=7", "no PCIe link has 7 lanes"},
      {kSystem + kWorkload, "system.power_supply=1 kW", "its parts draw"},
      {kSystem + kWorkload, "system.reserved_memory=1 TB", "other programs hold"},
      {kSystem + kWorkload, "system.socket[cpu0].model.pcie_lanes=8", "take"},
      {kSystem + kWorkload, "system.gpu[gpu3].model.nvlinks=1", "links join it to other GPUs"},
      {kSystem + kWorkload, "system.volume[scratch].drives=[\"hdd*\"]", "no drive is called"},
      {kSystem + kWorkload, "workload.gpus=9", "workload.gpus is 9"},
      {kSystem + kWorkload, "workload.samples=100", "there are only 100"},
      {kSystem + kWorkload, "workload.batch_per_gpu=100000", "training resnet-50"},
      {kSystem + kWorkload, "workload.dataset.sample_size=1 GB", "holds"},
      {kSystem + kWorkload, "workload.model=gpt3-175b", "gpt3-175b"},
      {kSystem + kWorkload, "data.at=scrath", "there is no volume"},
      {kSystem + kWorkload, "exchange.torus_width=3", "do not fill rows"},
      {kSystem + kWorkload, "parallel.tensor=3", "do not make whole"},
      {loader, "loader.decode_cores=41", "loader.decode_cores is 41"},
      {loader, "loader.readers=1", "loader.readers is for"},
      {loader, "loader.jobs=3", "loader.jobs is 3"},
      {loader, "loader.processes=9", "loader.processes is 9"},
      {loader, "loader.cache_memory=1 TB", "loader.cache_memory is"},
      {loader, "loader.workers_per_gpu=0", "prefetch_batches has no effect"},
      {kH100 + kFp16, "system.gpu[*].model.form=card", "is a card for a PCIe slot"},
      {kH100 + kFp16, "cost.power_usage_effectiveness=0.5", "must be from 1 to 10"},
  };
  for (const Wrong& one : options) {
    CAPTURE(one.option);
    REQUIRE(error_of(one.text) == "accepted");
    // Others before and after it change nothing of that.
    for (const auto& sets : std::vector<std::vector<std::string>>{
             {one.option},
             {"run.seed=3", one.option},
             {"title=a", one.option, "run.seed=3"},
             {one.option, "title=a", "run.seed=3", "run.precision=1 %"}}) {
      const std::string said = error_of(one.text, sets);
      CAPTURE(said);
      CHECK(said.starts_with("--set " + one.option + ": error: "));
      CHECK(said.find(one.message) != std::string::npos);
      CHECK(said.find("\nbad.toml") == std::string::npos);
      CHECK(said.find("hw_catalog") == std::string::npos);
    }
  }
}

TEST_CASE("what two options make wrong together is told at the last of them") {
  const std::string good = kSystem + kWorkload + "[loader]\nprefetch_batches = 2\n";
  const std::vector<std::string> sets{"run.max_steps=5", "run.extrapolate=false"};
  for (const auto& order : {sets, {sets[1], sets[0]}}) {
    REQUIRE(error_of(good, {order[0]}) == "accepted");
    CHECK(error_of(good, order).starts_with("--set " + order[1] + ": error: run.max_steps stops"));
  }
}

TEST_CASE("what [[replace]] makes wrong is told there, of a machine of the catalog") {
  const std::string text = kSystem + kWorkload;  // five lines
  const std::vector<Wrong> parts{
      {text, "part = \"ssd0\"\nwith = \"intel-p4510-8tb\"\ncount = 30\n", "PCIe lanes"},
      {text, "part = \"gpu0\"\nwith = \"nvidia-v100-sxm2-16gb\"\nlanes = 7\n",
       "no PCIe link has 7 lanes"},
      {kH100 + kFp16, "part = \"gpu*\"\nwith = \"nvidia-l40s\"\n", "is a card for a PCIe slot"},
  };
  for (const Wrong& one : parts) {
    CAPTURE(one.option);
    REQUIRE(error_of(one.text) == "accepted");
    const std::string said = error_of(one.text + swapped(one.option));
    CAPTURE(said);
    CHECK(said.starts_with("bad.toml:"));
    CHECK(said.find(one.message) != std::string::npos);
    CHECK(said.find("hw_catalog") == std::string::npos);
  }
  CHECK(error_of(text + swapped("part = \"ssd1\"\nwith = \"intel-p4510-8tb\"\n") +
                 swapped(parts.front().option))
            .starts_with("bad.toml:8:1: error: socket \"cpu"));
  // an option may make it wrong only with what is replaced, and the other way around
  CHECK(error_of(text + swapped("part = \"ssd0\"\nwith = \"intel-p4510-8tb\"\n"),
                 {"system.socket[cpu0].model.pcie_lanes=34"})
            .find("hw_catalog") == std::string::npos);
}

TEST_CASE("what [[own]] makes wrong is told there") {
  const std::string own =
      "[[own]]\nproduct = \"intel-xeon-e5-2698v4\"\nkey = \"pcie_lanes\"\nvalue = \"8\"\n";
  const std::string said = error_of(kSystem + kWorkload + own);
  CHECK(said.starts_with("bad.toml:5:1: error: socket \"cpu0\": the parts on it take"));
  CHECK(said.find("hw_catalog") == std::string::npos);
}

TEST_CASE("what is wrong in the file stays there, whatever options say beside it") {
  const std::string wrong = kSystem + kWorkload + "[loader]\ndecode_cores = 41\n";
  const std::string said = error_of(wrong);
  CHECK(said.starts_with("bad.toml:5:1: error: loader.decode_cores is 41"));
  CHECK(error_of(wrong, {"run.seed=3", "loader.prefetch_batches=3"}) == said);
}

TEST_CASE("what a machine of the catalog lacks for the job is told where it is named") {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "system");
  folder.write(
      "system/bare.toml",
      "title = \"bare\"\nsource = \"s\"\nbasis = \"estimate\"\n[[socket]]\nid = \"cpu0\"\n"
      "model = \"intel-xeon-e5-2698v4\"\nmemory = \"64 GiB\"\n[[gpu]]\nid = \"gpu0\"\n"
      "model = \"nvidia-p100-sxm2-16gb\"\nat = \"cpu0\"\n[[drive]]\nid = \"ssd0\"\nmodel = "
      "\"samsung-pm893-3.84tb\"\nat = \"cpu0\"\n[[volume]]\nid = \"v\"\ndrives = [\"ssd0\"]\n");
  const std::string root = GPUFEED_SOURCE_DIR;
  const Catalog catalog({folder / "", root + "/hw_catalog", root + "/workloads"});
  const auto said = [&](const std::string& text, const std::vector<std::string>& sets = {}) {
    return refusal_of([&] {
      std::vector<Override> overrides;
      for (const auto& set : sets) overrides.push_back(parse_override(set));
      parse_scenario(text, "bad.toml", catalog, overrides);
    });
  };
  const std::string text = "title = \"t\"\nsystem = \"bare\"\n";
  REQUIRE(said(text + kWorkload) == "accepted");
  const std::string none = "nodes is 2, but bare has no [[nic]] to join them\n";
  CHECK(said(text + "nodes = 2\n" + kWorkload) == "bad.toml:2:10: error: " + none);
  CHECK(said(text + kWorkload, {"run.seed=2", "nodes=2"}) == "--set nodes=2: error: " + none);
}
