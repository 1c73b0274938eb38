// SPDX-License-Identifier: Apache-2.0
// A prediction outside what its laws were seen for says so; others say nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/unseen.h"

using namespace gpufeed;

namespace {

Result run(const std::string& text) {
  return simulate(parse_scenario("title = \"t\"\n" + text, "test.toml", own_catalog()));
}

using Strings = std::vector<std::string>;
using Warnings = std::vector<Warning>;
using enum WarningCode;

/// Warnings that name what was seen.
Warnings unseen(const std::string& text) { return unseen_in(run(text)); }

/// Eight V100 with a network that was measured there.
std::string v100(const std::string& keys, const std::string& tables = "") {
  return "system = \"nvidia-dgx1-v100\"\n" + keys +
         "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
         "batch_per_gpu = 64\nsamples = 200_000\n[loader]\ndecode = \"none\"\n" +
         tables;
}

}  // namespace

TEST_CASE("a job like those that were measured says nothing") {
  CHECK(unseen(v100("")).empty());
  CHECK(unseen(v100("nodes = 4\n")).empty());
}

TEST_CASE("what no measured job does is said") {
  CHECK(unseen(v100("parallel = { shard = \"parameters\" }\n")) ==
        Warnings{fact<sharding_unseen>()});
  CHECK(unseen(v100("exchange = { mode = \"asynchronous\" }\n")) ==
        Warnings{fact<asynchronous_unseen>()});
  CHECK(unseen(v100("exchange = { algorithm = \"torus\" }\n")) == Warnings{fact<torus_unseen>()});
  const std::string save = "checkpoint = { interval_steps = 20, size = \"";
  const auto costly = unseen(v100(save + "60 GB\" }\n"));
  REQUIRE(costly.size() == 1);
  CHECK(costly.front().code == checkpoint_cost_unseen);
  CHECK(unseen(v100(save + "1 MB\" }\n")).empty());
}

TEST_CASE("models split over GPUs are said once, whatever else is") {
  const auto split = unseen(
      "system = \"nvidia-dgx-a100\"\nparallel = { tensor = 2, pipeline = 2, micro_batches = 4, "
      "shard = \"optimizer\" }\n[workload]\nmodel = \"gpt-2-xl\"\ndataset = \"openwebtext-gpt2\"\n"
      "precision = \"bf16\"\nbatch_per_gpu = 4\nsamples = 20_000\n[loader]\ndecode = \"none\"\n");
  CHECK(std::ranges::count(split, fact<split_models_unseen>()) == 1);
  CHECK(std::ranges::count(split, fact<sharding_unseen>()) == 1);
}

TEST_CASE("gradients that hold up computing on a generation where it was not seen say so") {
  const auto job = [](const std::string& system, const std::string& rate,
                      const std::string& batch) {
    return "system = \"" + system +
           "\"\n[workload]\nmodel = \"vgg-16\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
           "framework = \"pytorch\"\nbatch_per_gpu = " +
           batch + "\nsamples = 400_000\n[[workload.compute]]\n" + rate + "batch = " + batch +
           "\nprecision = \"fp16\"\nsource = \"a test\"\nbasis = \"measured\"\n[loader]\n"
           "decode = \"none\"\n";
  };
  const std::string h100 = "gpu = \"nvidia-h100-sxm5-80gb\"\nrate = \"1500 samples/s\"\n";
  CHECK(unseen(job("nvidia-dgx-h100", h100, "16")) ==
        Warnings{fact<contention_estimated>("NVIDIA Hopper")});
  CHECK(unseen(job("nvidia-dgx-h100", h100, "512")).empty());
  CHECK(unseen(job("nvidia-dgx-a100",
                   "gpu = \"nvidia-a100-sxm4-40gb\"\nrate = \"1500 samples/s\"\n", "16"))
            .empty());
}

TEST_CASE("more accelerators on a host, or more hosts, than any row has say so") {
  const auto warnings_of = [](const std::string& nodes, const std::string& gpus) {
    return unseen("system = \"nvidia-dgx-h100\"\nnodes = " + nodes +
                  "\ndata = { at = \"nas\" }\nstore = { nas = { model = "
                  "\"lustre-oakforest-pacs\", protocol = \"lustre\" } }\n"
                  "[workload]\nkind = \"emulated\"\njob = \"mlperf-resnet50-h100\"\ngpus = " +
                  gpus + "\nsamples = 1_000_000\n");
  };
  CHECK(warnings_of("1", "140").empty());
  CHECK(warnings_of("1", "141") == Warnings{fact<accelerators_of_host_unseen>(141, 140)});
  CHECK(warnings_of("66", "2").empty());
  CHECK(warnings_of("67", "2") == Warnings{fact<hosts_unseen>(67, 66)});
}

TEST_CASE("more hosts that save checkpoints together than any row has say so") {
  const auto of = [](std::int64_t nodes) {
    return unseen("system = \"nvidia-dgx-h100\"\nnodes = " + std::to_string(nodes) +
                  "\ndata = { at = \"nas\" }\nstore = { nas = { model = "
                  "\"weka-wekapod-nitro-8-servers\", protocol = \"weka\" } }\n"
                  "[workload]\nkind = \"checkpointing\"\nmodel = \"llama3-1t\"\n");
  };
  CHECK(of(32).empty());
  CHECK(of(64) == Warnings{fact<checkpointing_hosts_unseen>(64, 32)});
}

TEST_CASE("a store of a family over which no measured job reads says so") {
  const auto over = [](const std::string& protocol) {
    return unseen(
        "system = \"nvidia-dgx-a100\"\ndata = { at = \"nas\" }\n"
        "store = { nas = { model = \"dell-powerscale-f710-4-nodes\", protocol = \"" +
        protocol +
        "\" } }\n[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\nprecision = "
        "\"fp16\"\nbatch_per_gpu = 64\nsamples = 200_000\n");
  };
  CHECK(over("nfs-tcp").empty());
  CHECK(over("smb-3") ==
        Warnings{fact<protocol_unseen>("smb", Strings{"gcs", "lustre", "nfs", "nvme", "weka"})});
}

TEST_CASE("a small page cache that matters says so") {
  const auto with = [](const std::string& memory) {
    return unseen(
        "data = { at = \"ssd0\" }\n[system]\ntitle = \"small\"\nreserved_memory = \"1 GiB\"\n"
        "socket = [{ id = \"cpu0\", model = \"amd-epyc-7302\", memory = \"" +
        memory +
        "\" }]\ndrive = [{ id = \"ssd0\", model = \"samsung-pm1733-15.36tb\", at = \"cpu0\" }]\n"
        "[workload]\nkind = \"loader\"\nbatch_per_gpu = 4\nepochs = 3\ndataset = { title = \"d\", "
        "samples = 2000, sample_size = \"256 KiB\" }\n[loader]\ndecode = \"none\"\n"
        "workers_per_gpu = 2\n");
  };
  const auto small = with("1.2 GiB");
  REQUIRE(small.size() == 1);
  CHECK(small[0].code == small_cache_unseen);
  CHECK(small[0].arguments.at(1) == FactValue(FactQuantity{262144000.0, FactUnit::bytes}));
  CHECK(with("1.3 GiB").empty());
}

TEST_CASE("epochs of seconds in a cgroup say so") {
  const auto warned = [](int samples, const std::string& limit) {
    const Result result =
        run("data = { at = \"ssd0\" }\n[system]\ntitle = \"one\"\n"
            "socket = [{ id = \"cpu0\", model = \"amd-epyc-7302\", memory = \"64 GiB\" }]\n"
            "drive = [{ id = \"ssd0\", model = \"samsung-pm1733-15.36tb\", at = \"cpu0\" }]\n"
            "[workload]\nkind = \"loader\"\nbatch_per_gpu = 4\nepochs = 3\ndataset = { title = "
            "\"d\", samples = " +
            std::to_string(samples) +
            ", sample_size = \"256 KiB\" }\n[loader]\ndecode = \"none\"\nworkers_per_gpu = "
            "2\ncache_memory = \"512 MiB\"\ncache_limit = \"" +
            limit + "\"\n");
    return std::ranges::count(result.warnings,
                              fact<cgroup_cache_by_chance>(Seconds{result.epoch_s}));
  };
  CHECK(warned(4096, "cgroup") == 1);
  CHECK(warned(4096, "machine") == 0);
  CHECK(warned(1500, "cgroup") == 0);  // all of it lies in memory
}

TEST_CASE("kinds that no measurement stands behind say so") {
  CHECK(unseen("system = \"nvidia-dgx-a100\"\n[workload]\nkind = \"inference\"\n"
               "model = \"resnet-50\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
               "[workload.serving]\nclients = 8\nrequests = 1000\n") ==
        Warnings{fact<serving_unseen>()});
}

TEST_CASE("collectives unlike those that were measured say so") {
  const auto sums = [](const std::string& system, const std::string& keys) {
    return unseen("system = \"" + system + "\"\n[workload]\nkind = \"collective\"\n" + keys);
  };
  const Warning volta = fact<collectives_unseen_on_generation>("NVIDIA Volta");
  CHECK(sums("nvidia-dgx-h100", "").empty());
  CHECK(sums("nvidia-dgx-h100", "to = \"512 MiB\"\n").empty());
  CHECK(sums("nvidia-dgx-h100", "to = \"32 GiB\"\n") ==
        Warnings{fact<collectives_unseen_size>(Bytes{17179869184.0})});
  CHECK(sums("nvidia-dgx1-v100", "") == Warnings{volta});
  CHECK(sums("nvidia-dgx2", "") == Warnings{volta, fact<collectives_unseen_gpus_per_node>(16)});
  CHECK(sums("workstation-4x-rtx-3090", "gpus = 2\n").size() <= 1);
  CHECK(sums("aws-g6e.48xlarge", "") == Warnings{fact<collectives_unseen_over_pcie>()});
  CHECK(sums("amd-mi300x-8-gpus", "") == Warnings{fact<collectives_unseen_without_library>()});
}

TEST_CASE("matrix products unlike those that were timed say so, each thing once") {
  const auto products = [](const std::string& keys) {
    return unseen("system = \"nvidia-dgx-h100\"\n[workload]\nkind = \"matmul\"\n" + keys);
  };
  CHECK(products("product = [{ m = 1, n = 256, k = 256 }, { m = 32768, n = 1024, k = 16384 }]\n")
            .empty());
  const Warnings shapes{fact<products_of_unseen_shape>()};
  CHECK(products("product = [{ m = 1, n = 128, k = 256 }, { m = 1, n = 64, k = 256 }]\n") ==
        shapes);
  CHECK(products("product = [{ m = 1, n = 256, k = 16385 }]\n") == shapes);
  CHECK(products("precision = \"tf32\"\nproduct = [{ m = 64, n = 256, k = 256 }]\n") ==
        Warnings{fact<products_of_unseen_precision>("tf32")});
}
