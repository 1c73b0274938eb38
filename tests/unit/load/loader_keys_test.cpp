// SPDX-License-Identifier: Apache-2.0
// PyTorch's words for its loader, and which of them exclude each other.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/plan/reading.h"
#include "tests/support/catalog.h"
#include "tests/support/checks.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

std::string text_of(const std::string& loader, const std::string& data = "",
                    const std::string& kind = "training") {
  const std::string model = kind == "training" ? "model = 'resnet-50'\n" : "";
  return "system = 'nvidia-dgx-h100'\n[workload]\nkind = '" + kind + "'\n" + model +
         "dataset = 'imagenet-1k'\n[loader]\n" + loader + "[data]\n" + data;
}

Scenario scenario_of(const std::string& loader) {
  return parse_scenario(text_of(loader), "pytorch.toml", own_catalog());
}

std::string error_of(const std::string& loader, const std::string& data = "",
                     const std::string& kind = "training") {
  return refusal_of(
      [&] { parse_scenario(text_of(loader, data, kind), "pytorch.toml", own_catalog()); });
}

std::string own_page_time(const std::string& time) {
  return "[[own]]\nproduct = 'kioxia-cm6-r-3.84tb'\nkey = 'page_time'\nvalue = '" + time + "'\n";
}
const std::string kPageTime = own_page_time("2 us");

}  // namespace

TEST_CASE("PyTorch's words for its loader are keys") {
  const Scenario scenario = scenario_of(
      "workers_per_gpu = 4\nprefetch_batches = 3\npersistent_workers = true\ndrop_last = false\n"
      "pinned_memory = false\n");
  CHECK(scenario.loader.persistent_workers);
  CHECK_FALSE(scenario.loader.drop_last);
  CHECK(scenario.loader.copy == BatchCopy::in_order);
  CHECK(std::ranges::count(scenario.defaults, DefaultValue{"loader.copy", "\"in-order\""}) == 1);
  CHECK(scenario_of("workers_per_gpu = 0\n").loader.workers_per_gpu == 0);
}

TEST_CASE("workers of PyTorch start in every epoch, unless they persist or there are none") {
  CHECK(scenario_of("").loader.worker_start == Loader::kPytorchWorkerStart);
  for (const char* none : {"persistent_workers = true\n", "workers_per_gpu = 0\n",
                           "style = 'tensorflow'\n", "worker_start = '0 s'\n"})
    CHECK(scenario_of(none).loader.worker_start.value.value == 0);
}

TEST_CASE("tf.data shuffles names as fast as the cores are") {
  const auto time_on = [](const std::string& cpu) {
    const std::string text =
        "[system]\ntitle = 's'\n[[system.socket]]\nid = 'cpu0'\nmodel = '" + cpu +
        "'\nmemory = '256 GB'\n[[system.drive]]\nid = 'd'\nmodel = 'micron-9400-pro-7.68tb'\n"
        "at = 'cpu0'\n[workload]\nkind = 'loader'\ndataset = 'imagenet-1k'\n"
        "[loader]\nstyle = 'tensorflow'\n[data]\nat = 'd'\n";
    return parse_scenario(text, "tf.toml", own_catalog()).loader.shuffle_time_per_file.value.value;
  };
  CHECK(time_on("amd-epyc-74f3") == approx(0.65e-6));
  CHECK(time_on("intel-xeon-platinum-8480c") == approx(0.65e-6 * 0.88 / 1.00));
  CHECK(time_on("amd-epyc-7742") == approx(0.65e-6 * 0.88 / 0.63));
}

TEST_CASE("keys of the loader that would do nothing are refused") {
  CHECK(error_of("workers_per_gpu = 0\nstyle = 'tensorflow'\n") ==
        "pytorch.toml:6:1: error: loader.workers_per_gpu is 0, and a loader in the style of "
        "tensorflow decodes in threads; set it to 1 at least\n");
  CHECK(error_of("workers_per_gpu = 0\nprefetch_batches = 2\n") ==
        "pytorch.toml:6:1: error: loader.prefetch_batches has no effect without workers "
        "(workers_per_gpu is 0); leave it out\n");
  CHECK(error_of("workers_per_gpu = 0\npersistent_workers = true\n") ==
        "pytorch.toml:6:1: error: loader.persistent_workers has no effect without workers "
        "(workers_per_gpu is 0); leave it out\n");
  CHECK(error_of("persistent_workers = true\nworker_start = '1 s'\n") ==
        "pytorch.toml:6:1: error: loader.worker_start has no effect where persistent_workers is "
        "true; leave it out\n");
  CHECK(error_of("style = 'tensorflow'\npersistent_workers = true\n") ==
        "pytorch.toml:6:1: error: loader.persistent_workers is for style = \"pytorch\"; leave it "
        "out\n");
  CHECK(error_of("style = 'tensorflow'\ntake_over_time = '1 ms'\n") ==
        "pytorch.toml:6:1: error: loader.take_over_time is for style = \"pytorch\"; leave it "
        "out\n");
  for (const char* key : {"take_over_time", "take_over_wait", "take_over_busy_wait"})
    CHECK(error_of(fmt::format("workers_per_gpu = 0\n{} = '1 ms'\n", key)) ==
          fmt::format("pytorch.toml:6:1: error: loader.{} has no effect without workers "
                      "(workers_per_gpu is 0); leave it out\n",
                      key));
  CHECK(error_of("processes = 2\n") ==
        "pytorch.toml:6:1: error: loader.processes has no effect without loader.process_bandwidth "
        "or loader.take_over_time, what each of them takes over\n");
}

TEST_CASE("copies that cannot be as they are asked for are refused") {
  CHECK(error_of("copy = 'overlapped'\npinned_memory = false\n") ==
        "pytorch.toml:6:1: error: loader.copy: memory that is not pinned is copied while the GPU "
        "waits; set loader.pinned_memory = true, or copy = \"in-order\"\n");
  CHECK(error_of("copy = 'in-order'\n", "", "loader") ==
        "pytorch.toml:6:8: error: loader.copy: no effect on a workload of kind \"loader\", only on "
        "kind \"training\"; leave it out\n");
  CHECK(error_of("copy = 'in-order'\ndecode = 'none'\n", "path = 'gpudirect'\n") ==
        "pytorch.toml:6:1: error: loader.copy has no effect where data.path is \"gpudirect\": "
        "nothing is copied; leave it out\n");
  CHECK(error_of("copy = 'inorder'\n") ==
        "pytorch.toml:7:8: error: loader.copy must be one of \"overlapped\", \"in-order\" (did you "
        "mean \"in-order\"?); found "
        "\"inorder\"\n");
}

TEST_CASE("huge pages are those of direct reads into host memory, of 4 MiB and more unless said") {
  CHECK(error_of("", "huge_pages = true\n")
            .find("error: data.huge_pages is for reads of a data set around the page cache "
                  "(data.mode = "
                  "\"direct\") from drives and volumes into host memory; leave it out\n") !=
        std::string::npos);
  CHECK(error_of("decode = 'none'\n", "mode = 'direct'\npath = 'gpudirect'\nhuge_pages = true\n")
            .find("data.huge_pages is for reads") != std::string::npos);
  CHECK(error_of("", "mode = 'direct'\nhuge_pages = 1\n") ==
        "pytorch.toml:9:14: error: data.huge_pages must be true or false; found 1\n");
  const auto huge = [](const std::string& data) {
    const std::string text = text_of("", "mode = 'direct'\n" + data) + kPageTime;
    return parse_scenario(text, "pytorch.toml", own_catalog()).data.huge_pages.value;
  };
  CHECK(huge("request = '4 MiB'\n"));
  CHECK_FALSE(huge("request = '4 MB'\n"));
  CHECK_FALSE(huge(""));  // 115 kB
  CHECK(huge("huge_pages = true\n"));
}

TEST_CASE("where readers' memory lies is the readers', whatever drives they read") {
  const auto read = [](const std::string& page_time, const std::string& data) {
    return parse_scenario(text_of("", "mode = 'direct'\n" + data) + page_time, "pytorch.toml",
                          own_catalog());
  };
  for (const auto& page_time : {std::string(), own_page_time("0 s"), kPageTime}) {
    CHECK(read(page_time, "huge_pages = true\n").data.huge_pages);
    CHECK_FALSE(read(page_time, "request = '8 MiB'\nhuge_pages = false\n").data.huge_pages);
    for (const auto& request : {"request = '8 MiB'\n", "request = '1 MiB'\n"}) {
      const Scenario first = read(page_time, request);
      CHECK(first.data.huge_pages.value == (first.data.request->value > 4e6));
      CHECK(std::ranges::count(
                first.defaults,
                DefaultValue{"data.huge_pages", fmt::to_string(first.data.huge_pages.value)}) == 1);
      // What is told of a scenario is accepted again, and stays true when drives are put in.
      const std::string told = to_toml(first);
      CHECK(to_toml(parse_scenario(told, "again.toml", own_catalog())) == told);
      const auto other = parse_override("system.drive[*].model.page_time=3 us");
      CHECK(parse_scenario(told, "other.toml", own_catalog(), {other}).data.huge_pages.value ==
            read(kPageTime, request).data.huge_pages.value);
    }
  }
}

TEST_CASE("huge pages that change nothing on these drives are told") {
  const auto idle = [](const std::string& data, const std::vector<Override>& set = {}) {
    return huge_pages_are_idle(
        parse_scenario(text_of("", "mode = 'direct'\n" + data), "a.toml", own_catalog(), set));
  };
  CHECK(idle("huge_pages = true\n"));
  CHECK_FALSE(
      idle("huge_pages = true\n", {parse_override("system.drive[ssd3].model.page_time=1 us")}));
  CHECK_FALSE(idle("huge_pages = true\nrequest = '8 MiB'\n"));  // as it is without a word
  CHECK_FALSE(idle("huge_pages = false\n"));
  CHECK_FALSE(idle(""));
}

TEST_CASE("what opening a file costs has its range, and is no store's whose protocol says it") {
  CHECK(error_of("", "open_requests = -1\n") ==
        "pytorch.toml:8:17: error: data.open_requests must be a whole number from 0 to 64; found "
        "-1\n");
  const std::string store =
      "at = 'nas'\nopen_requests = 1\n[store.nas]\nmodel = 'linux-nfs-server-10g'\n"
      "protocol = 'nfs-tcp'\n";
  CHECK(error_of("", store).find(
            "error: data.open_requests is for drives and volumes; what opening a file of the "
            "store \"nas\" costs, its protocol says: leave it out\n") != std::string::npos);
}
