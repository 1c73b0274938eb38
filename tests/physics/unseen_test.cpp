// SPDX-License-Identifier: Apache-2.0
// A prediction outside what its laws were seen for says so, in these words; others say nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

Result run(const std::string& text) {
  return simulate(parse_scenario("title = \"t\"\n" + text, "test.toml", own_catalog()));
}

/// Warnings that name what was seen.
std::vector<std::string> unseen(const std::string& text) {
  std::vector<std::string> out;
  const auto all = run(text).warnings;
  std::ranges::copy_if(all, std::back_inserter(out), [](const std::string& warning) {
    return warning.find("outside what") != std::string::npos;
  });
  return out;
}

using Strings = std::vector<std::string>;

/// Eight V100 with a network that was measured there.
std::string v100(const std::string& keys, const std::string& tables = "") {
  return "system = \"nvidia-dgx1-v100\"\n" + keys +
         "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
         "batch_per_gpu = 64\nsamples = 200_000\n[loader]\ndecode = \"none\"\n" +
         tables;
}

const std::string kNoJob = "outside what was seen, for no job with it was measured: ";

}  // namespace

TEST_CASE("a job like those that were measured says nothing") {
  CHECK(unseen(v100("")).empty());
  CHECK(unseen(v100("nodes = 4\n")).empty());
}

TEST_CASE("what no measured job does is said") {
  CHECK(unseen(v100("parallel = { shard = \"parameters\" }\n")) ==
        Strings{kNoJob + "replicas that share what they hold"});
  CHECK(unseen(v100("exchange = { mode = \"asynchronous\" }\n")) ==
        Strings{kNoJob + "GPUs that do not wait for one another"});
  CHECK(unseen(v100("exchange = { algorithm = \"torus\" }\n")) ==
        Strings{kNoJob + "gradients summed by torus"});
  const std::string save = "checkpoint = { interval_steps = 20, size = \"";
  CHECK(unseen(v100(save + "60 GB\" }\n")) == Strings{kNoJob + "what checkpoints cost"});
  CHECK(unseen(v100(save + "1 MB\" }\n")).empty());
}

TEST_CASE("models split over GPUs are said once, whatever else is") {
  const auto split = unseen(
      "system = \"nvidia-dgx-a100\"\nparallel = { tensor = 2, pipeline = 2, micro_batches = 4, "
      "shard = \"optimizer\" }\n[workload]\nmodel = \"gpt-2-xl\"\ndataset = \"openwebtext-gpt2\"\n"
      "precision = \"bf16\"\nbatch_per_gpu = 4\nsamples = 20_000\n[loader]\ndecode = \"none\"\n");
  CHECK(std::ranges::count(split, kNoJob + "models split over GPUs; replicas that share what they "
                                           "hold") == 1);
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
  const std::string said =
      "sums of gradients beside computing are outside what was seen on NVIDIA Hopper: that they "
      "hold it up as on older GPUs is an estimate";
  CHECK(unseen(job("nvidia-dgx-h100", h100, "16")) == Strings{said});
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
  CHECK(warnings_of("1", "141") ==
        Strings{"141 accelerators on a host are outside what was seen: measured hosts have at most "
                "140"});
  CHECK(warnings_of("66", "2").empty());
  CHECK(warnings_of("67", "2") ==
        Strings{"67 hosts with accelerators are outside what was seen: measured are at most 66"});
}

TEST_CASE("more hosts that save checkpoints together than any row has say so") {
  const auto of = [](std::int64_t nodes) {
    return unseen("system = \"nvidia-dgx-h100\"\nnodes = " + std::to_string(nodes) +
                  "\ndata = { at = \"nas\" }\nstore = { nas = { model = "
                  "\"weka-wekapod-nitro-8-servers\", protocol = \"weka\" } }\n"
                  "[workload]\nkind = \"checkpointing\"\nmodel = \"llama3-1t\"\n");
  };
  CHECK(of(32).empty());
  CHECK(of(64) == Strings{"64 hosts that save and load together are outside what was seen: "
                          "measured are at most 32"});
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
  CHECK(over("smb-3") == Strings{"a store read over smb is outside what was seen: measured jobs "
                                 "read over lustre, nfs, nvme, weka"});
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
  CHECK(small[0].ends_with("is outside what was seen (250 MiB and more): it may keep more"));
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
    return std::ranges::count_if(result.warnings, [](const std::string& warning) {
      return warning.starts_with("what a cgroup's page cache keeps in epochs of ") &&
             warning.ends_with(
                 " is up to twice as much, by chance: Linux frees it by counters of up to 2 s ago");
    });
  };
  CHECK(warned(4096, "cgroup") == 1);
  CHECK(warned(4096, "machine") == 0);
  CHECK(warned(1500, "cgroup") == 0);  // all of it lies in memory
}

TEST_CASE("kinds that no measurement stands behind say so") {
  CHECK(unseen("system = \"nvidia-dgx-a100\"\n[workload]\nkind = \"inference\"\n"
               "model = \"resnet-50\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
               "[workload.serving]\nclients = 8\nrequests = 1000\n") ==
        Strings{"served requests are outside what was seen: no run that answers any was measured"});
}

TEST_CASE("collectives unlike those that were measured say so") {
  const auto sums = [](const std::string& system, const std::string& keys) {
    return unseen("system = \"" + system + "\"\n[workload]\nkind = \"collective\"\n" + keys);
  };
  const auto said = [](const std::string& what) {
    return Strings{"times " + what +
                   " are outside what collectives were seen for: those of 2 to 8 GPUs of a node "
                   "over NVLink, of up to 512 MiB, were measured"};
  };
  CHECK(sums("nvidia-dgx-h100", "").empty());
  CHECK(sums("nvidia-dgx-h100", "to = \"512 MiB\"\n").empty());
  CHECK(sums("nvidia-dgx-h100", "to = \"1 GiB\"\n") == said("of more than 512 MiB"));
  CHECK(sums("nvidia-dgx1-v100", "") == said("on NVIDIA Volta"));
  CHECK(sums("nvidia-dgx2", "") == said("on NVIDIA Volta, of 16 GPUs in a node"));
  CHECK(sums("workstation-4x-rtx-3090", "gpus = 2\n").size() <= 1);
  CHECK(sums("aws-g6e.48xlarge", "") == said("over PCIe"));
  CHECK(sums("amd-mi300x-8-gpus", "") == said("without a library of collectives"));
}

TEST_CASE("matrix products unlike those that were timed say so, each thing once") {
  const auto products = [](const std::string& keys) {
    return unseen("system = \"nvidia-dgx-h100\"\n[workload]\nkind = \"matmul\"\n" + keys);
  };
  CHECK(products("product = [{ m = 1, n = 256, k = 256 }, { m = 32768, n = 1024, k = 16384 }]\n")
            .empty());
  const Strings shapes{
      "products of these shapes are outside what their times were seen for: m up to 32,768, n of "
      "256 to 65,536 and k of 256 to 16,384 were timed"};
  CHECK(products("product = [{ m = 1, n = 128, k = 256 }, { m = 1, n = 64, k = 256 }]\n") ==
        shapes);
  CHECK(products("product = [{ m = 1, n = 256, k = 16385 }]\n") == shapes);
  CHECK(products("precision = \"tf32\"\nproduct = [{ m = 64, n = 256, k = 256 }]\n") ==
        Strings{"products in tf32 are outside what their times were seen for: bf16 and fp8 were "
                "timed"});
}
