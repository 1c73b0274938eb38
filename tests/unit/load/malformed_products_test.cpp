// SPDX-License-Identifier: Apache-2.0
// What a user reads of wrong volumes, replacements, prices, sources and sizes of a run.
#include "tests/support/malformed.h"

using namespace gpufeed;
using namespace gpufeed::malformed;  // NOLINT: the vocabulary of this file

namespace {

std::vector<Case> malformed_products() {
  return {
      {"a volume of no drives",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu0\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"nvme*\"]\n" +
           kWorkload,
       "bad.toml:17:11: error: volume \"scratch\": no drive is called \"nvme*\"; known: ssd0\n"},
      {"replacing what is not there",
       kSystem + kWorkload +
           "[[replace]]\n"
           "part = \"hdd*\"\n"
           "with = \"samsung-pm983-1.92tb\"\n",
       "bad.toml:6:8: error: replace.part: no part of nvidia-dgx1-p100 is called \"hdd*\"; known: "
       "cpu0, cpu1, plx0, plx1, plx2, plx3, gpu0, gpu1, gpu2, gpu3, gpu4, gpu5, ...\n"},
      {"replacing what is not there by what is not there",
       kSystem + kWorkload +
           "[[replace]]\n"
           "part = \"sd*\"\n"
           "with = \"samsung-pm983-1.92t\"\n",
       "bad.toml:6:8: error: replace.part: no part of nvidia-dgx1-p100 is called \"sd*\"; did you "
       "mean \"ssd*\"?\n"
       "bad.toml:7:8: error: replace.with: no product \"samsung-pm983-1.92t\" in the catalog; did "
       "you mean \"samsung-pm983-1.92tb\"?\n"},
      {"replacing a drive by a GPU",
       kSystem + kWorkload +
           "[[replace]]\n"
           "part = \"ssd*\"\n"
           "with = \"nvidia-p100-sxm2-16gb\"\n",
       "bad.toml:7:8: error: replace.with: no drive \"nvidia-p100-sxm2-16gb\" in the catalog; "
       "known: aws-ebs-gp2-1tb, aws-ebs-gp3-1tb, aws-g5-nvme-3.8tb, aws-g6-nvme-940gb, "
       "aws-g6e-nvme-1.9tb, aws-i3-nvme-1.9tb, aws-i4i-nvme-3.75tb, aws-p4d-nvme-1tb, "
       "aws-p5-nvme-3.84tb, azure-nc-a100-v4-nvme-960gb, azure-nd-a100-v4-nvme-805gb, "
       "azure-nd-v5-nvme-3.84tb, ...\n"},
      {"a price without its year",
       "[system]\n"
       "title = \"box\"\n"
       "price = \"9 USD\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu0\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:1:1: error: system: price and price_year must stand together\n"},
      {"a source without a value",
       "[system]\n"
       "title = \"box\"\n"
       "power = { source = \"us\", basis = \"guess\" }\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu0\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:3:9: error: system.power: \"value\" is missing\n"
       "bad.toml:3:34: error: system.power.basis must be one of \"measured\", \"calibrated\", "
       "\"datasheet\", \"estimate\"; found \"guess\"\n"},
      {"steps limited and not limited",
       kSystem + kWorkload +
           "[run]\n"
           "extrapolate = false\n"
           "max_steps = 10\n",
       "bad.toml:5:1: error: run.max_steps stops early and run.extrapolate = false forbids it; "
       "leave one out\n"},
      {"a batch too large to simulate",
       kSystem + "[workload]\n"
                 "model = \"resnet-50\"\n"
                 "batch_per_gpu = 1000000\n"
                 "[workload.dataset]\n"
                 "title = \"huge\"\n"
                 "samples = 8000000\n"
                 "sample_size = \"1 TB\"\n"
                 "decode_time = \"1 ms\"\n"
                 "[data]\n"
                 "at = \"nas\"\n"
                 "[store.nas.model]\n"
                 "title = \"cloud\"\n"
                 "capacity = \"10000 PB\"\n"
                 "read_bandwidth = \"1 TB/s\"\n"
                 "read_rate = \"1 M/s\"\n"
                 "read_latency = \"1 ms\"\n",
       "bad.toml:2:1: error: a batch of 1000000 stored samples is 1000 PB; at most 1 PB can be "
       "simulated\n"
       "bad.toml:2:1: error: the loaders may hold 128 batches, 128000 PB of stored and decoded "
       "samples, and nvidia-dgx1-p100 has 541 GB of memory for them; lower loader.workers_per_gpu, "
       "loader.prefetch_batches or workload.batch_per_gpu\n"
       "bad.toml:2:1: error: workload.batch_per_gpu: training resnet-50 in fp32 takes 103 TB at "
       "batch 1000000 (307 MB for parameters, gradients and momentum; 103 MB a sample for "
       "activations), and nvidia-p100-sxm2-16gb has 17.2 GB; at most 163 samples fit\n"},
      {"a volume of too few drives",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd*\"]\n"
       "layout = \"raid6\"\n"
       "[workload]\n"
       "kind = \"io\"\n"
       "io = {}\n",
       "bad.toml:11:1: error: volume \"scratch\": raid6 needs 4 drives at least, and it has 1; "
       "add drives, or use another layout\n"},
  };
}

}  // namespace

TEST_CASE("wrong volumes, replacements, prices and sizes are refused, each with its own message") {
  check_refused(malformed_products());
}
