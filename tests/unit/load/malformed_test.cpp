// SPDX-License-Identifier: Apache-2.0
// What a user reads of a wrong file: its text, keys and values, names, places of data.
#include "tests/support/malformed.h"

using namespace gpufeed;
using namespace gpufeed::malformed;  // NOLINT: the vocabulary of this file

namespace {

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

std::vector<Case> malformed_files() {
  return {
      {"an empty file", "",
       "bad.toml:1:1: error: \"system\" is missing; it must be the name of a system in the "
       "catalog, a path to its file, or a table\n"
       "bad.toml:1:1: error: \"workload\" is missing; it must be a table\n"},
      {"a syntax error", kSystem + "[workload\n",
       "bad.toml:2:10: error: TOML syntax: Error while parsing table header: expected ']', saw "
       "'\\n'\n"},
      {"a key given twice",
       kSystem +
           "title = \"a\"\n"
           "title = \"b\"\n" +
           kWorkload,
       "bad.toml:3:9: error: TOML syntax: Error while parsing key-value pair: cannot redefine "
       "existing string 'title'\n"},
      {"a table given twice",
       kSystem + kWorkload +
           "[loader]\n"
           "[loader]\n",
       "bad.toml:6:1: error: TOML syntax: Error while parsing table header: cannot redefine "
       "existing table 'loader'\n"},
      {"invalid UTF-8", kSystem + "title = \"\377\"\n" + kWorkload,
       "bad.toml:2:10: error: the text is not valid UTF-8\n"},
      {"an overlong UTF-8 sequence", "title = \"\300\257\"\n",
       "bad.toml:1:10: error: the text is not valid UTF-8\n"},
      {"a control character", kSystem + "title = \"a\001b\"\n" + kWorkload,
       "bad.toml:2:11: error: control characters are not allowed\n"},
      {"a zero byte", kSystem + std::string(1, '\0') + kWorkload,
       "bad.toml:2:1: error: control characters are not allowed\n"},
      {"brackets nested deeper than any real file",
       "x = " + std::string(40, '[') + std::string(40, ']'),
       "bad.toml:1:37: error: brackets are nested deeper than 32\n"},
      {"unclosed brackets by the thousand", "x = " + std::string(5000, '['),
       "bad.toml:1:37: error: brackets are nested deeper than 32\n"},
      {"inline tables nested too deep", "x = " + repeated("{a=", 33) + "1" + std::string(33, '}'),
       "bad.toml:1:101: error: brackets are nested deeper than 32\n"},
      {"a dotted key of too many parts", "a" + repeated(".a", 39) + " = 1",
       "bad.toml:1:66: error: a dotted key has more than 32 parts\n"},
      {"a file above 4 MiB", "# " + std::string(4u << 20, 'x'),
       "bad.toml: error: the file is larger than 4 MiB\n"},
      {"an unterminated string",
       "title = \"abc\n"
       "system = \"nvidia-dgx1-p100\"\n",
       "bad.toml:1:13: error: TOML syntax: Error while parsing string: unescaped control "
       "characters other than TAB (U+0009) are explicitly prohibited\n"},
      {"a misspelt table",
       kSystem + kWorkload +
           "[lodaer]\n"
           "workers_per_gpu = 4\n",
       "bad.toml:5:2: error: unknown key \"lodaer\"; did you mean \"loader\"?\n"},
      {"a misspelt key",
       kSystem + kWorkload +
           "[loader]\n"
           "worker_per_gpu = 4\n",
       "bad.toml:6:1: error: loader: unknown key \"worker_per_gpu\"; did you mean "
       "\"workers_per_gpu\"?\n"},
      {"an unknown key like no other",
       kSystem + kWorkload +
           "[exchange]\n"
           "colour = \"red\"\n",
       "bad.toml:6:1: error: exchange: unknown key \"colour\"; known: mode, staleness, "
       "algorithm, rings, ring_efficiency, overlap, bucket, first_bucket, dtype, hook, hook_share, "
       "path, ...\n"},
      {"missing keys",
       "[workload]\n"
       "batch_per_gpu = 8\n",
       "bad.toml:1:1: error: \"system\" is missing; it must be the name of a system in the "
       "catalog, a path to its file, or a table\n"
       "bad.toml:1:1: error: workload: \"dataset\" is missing; training needs the data to read: a "
       "name in the catalog, a path to a file, or a table\n"
       "bad.toml:1:1: error: workload: \"model\" is missing; training needs the network to train: "
       "a name in the catalog, a path to a file, or a table\n"},
      {"a misspelt required key is one problem",
       kSystem + "[workload]\n"
                 "modell = \"resnet-50\"\n"
                 "dataset = \"imagenet-1k\"\n",
       "bad.toml:3:1: error: workload: unknown key \"modell\"; did you mean \"model\"?\n"},
      {"a bare number where a unit belongs",
       kSystem + kWorkload +
           "[exchange]\n"
           "overlap = 0.5\n",
       "bad.toml:6:11: error: exchange.overlap must be text with a unit from \"0 %\" to \"100 %\"; "
       "found 0.5\n"},
      {"an unknown unit",
       kSystem + kWorkload +
           "[data.staging]\n"
           "from = \"nas\"\n"
           "rate = \"600 MBps\"\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:1:1: error: data.at is missing and there is more than one place; name one: "
       "scratch, nas\n"
       "bad.toml:7:8: error: data.staging.rate must be text with a unit from \"1 kB/s\" to \"1000 "
       "TB/s\" (unknown unit \"MBps\"; did you mean \"MB/s\"?); found \"600 MBps\"\n"},
      {"a quantity without a number",
       kSystem + kWorkload +
           "[run]\n"
           "precision = \"% 5\"\n",
       "bad.toml:6:13: error: run.precision must be text with a unit from \"0.001 %\" to \"50 %\"; "
       "found \"% 5\"\n"},
      {"a quantity out of range",
       kSystem + kWorkload +
           "[run]\n"
           "precision = \"0 %\"\n",
       "bad.toml:6:13: error: run.precision must be text with a unit from \"0.001 %\" to \"50 %\"; "
       "found \"0 %\"\n"},
      {"not a number",
       kSystem + kWorkload +
           "[run]\n"
           "precision = \"nan %\"\n",
       "bad.toml:6:13: error: run.precision must be text with a unit from \"0.001 %\" to \"50 %\"; "
       "found \"nan %\"\n"},
      {"a number in quotes",
       kSystem + kWorkload +
           "[loader]\n"
           "workers_per_gpu = \"8\"\n",
       "bad.toml:6:19: error: loader.workers_per_gpu must be a whole number from 0 to 1024; found "
       "\"8\"\n"},
      {"a fraction where a whole number belongs",
       kSystem + kWorkload +
           "[loader]\n"
           "prefetch_batches = 2.5\n",
       "bad.toml:6:20: error: loader.prefetch_batches must be a whole number from 1 to 1024; found "
       "2.5\n"},
      {"a negative count",
       kSystem + kWorkload +
           "[loader]\n"
           "workers_per_gpu = -1\n",
       "bad.toml:6:19: error: loader.workers_per_gpu must be a whole number from 0 to 1024; found "
       "-1\n"},
      {"a number beyond 64 bits",
       kSystem + kWorkload +
           "[run]\n"
           "seed = 99999999999999999999\n",
       "bad.toml:6:28: error: TOML syntax: Error while parsing decimal integer: "
       "'99999999999999999999' is not representable in 64 bits\n"},
      {"a truth value in quotes",
       kSystem + kWorkload +
           "[run]\n"
           "extrapolate = \"no\"\n",
       "bad.toml:6:15: error: run.extrapolate must be true or false; found \"no\"\n"},
      {"a misspelt word of a list",
       kSystem + kWorkload +
           "[exchange]\n"
           "algorithm = \"rnig\"\n",
       "bad.toml:6:13: error: exchange.algorithm must be one of \"auto\", \"ring\", "
       "\"tree\", \"nvls\", \"hierarchical\", \"torus\", \"parameter-server\" (did you mean "
       "\"ring\"?); found \"rnig\"\n"},
      {"rings by number",
       kSystem + kWorkload +
           "[exchange]\n"
           "rings = 1\n"
           "ring_efficiency = \"0 %\"\n",
       "bad.toml:6:9: error: exchange.rings must be one of \"searched\", \"one\"; found 1\n"
       "bad.toml:7:19: error: exchange.ring_efficiency must be text with a unit from \"1 %\" to "
       "\"100 %\"; found \"0 %\"\n"},
      {"a table where a text belongs",
       kSystem + kWorkload +
           "[run]\n"
           "precision = { value = \"1 %\" }\n",
       "bad.toml:6:13: error: run.precision must be text with a unit from \"0.001 %\" to \"50 %\"; "
       "found a table\n"},
      {"a text where a table belongs", kSystem + "loader = \"pytorch\"\n" + kWorkload,
       "bad.toml:2:10: error: loader must be a table; found \"pytorch\"\n"},
      {"a date", kSystem + "title = 2020-01-01\n" + kWorkload,
       "bad.toml:2:9: error: title must be text in quotes; found a date or time\n"},
      {"an unknown system", "system = \"nvidia-dgx1-p10\"\n" + kWorkload,
       "bad.toml:1:10: error: system: no system \"nvidia-dgx1-p10\" in the catalog; did you mean "
       "\"nvidia-dgx1-p100\"?\n"},
      {"an unknown model and data set",
       kSystem + "[workload]\n"
                 "model = \"resnet50\"\n"
                 "dataset = \"imagnet-1k\"\n",
       "bad.toml:3:9: error: workload.model: no model \"resnet50\" in the catalog; did you mean "
       "\"resnet-50\"?\n"
       "bad.toml:4:11: error: workload.dataset: no dataset \"imagnet-1k\" in the catalog; did you "
       "mean \"imagenet-1k\"?\n"},
      {"a path to no file", "system = \"machines/mine.toml\"\n" + kWorkload,
       "bad.toml:1:10: error: system: there is no file \"machines/mine.toml\"\n"},
      {"a network without a rate for this GPU", kSystem + kWorkload + "precision = \"fp8\"\n",
       "bad.toml:3:9: error: workload.model: no training rate of resnet-50 on "
       "nvidia-p100-sxm2-16gb in fp8 is known; known: nvidia-a100-sxm4-40gb fp16, "
       "nvidia-a100-sxm4-40gb tf32, nvidia-a100-sxm4-80gb fp16, nvidia-a100-sxm4-80gb tf32, "
       "nvidia-h200-sxm5-141gb bf16, nvidia-h200-sxm5-141gb fp16, nvidia-k80-die fp32, "
       "nvidia-p100-sxm2-16gb fp32, nvidia-v100-sxm2-16gb fp16, nvidia-v100-sxm2-16gb fp32, "
       "nvidia-v100-sxm2-32gb fp16, nvidia-v100-sxm2-32gb fp32; none can be estimated: "
       "nvidia-p100-sxm2-16gb does not say its "
       "peak in fp8; add a [[workload.compute]] table with a measured rate\n"},
      {"more GPUs than there are", kSystem + kWorkload + "gpus = 9\n",
       "bad.toml:2:1: error: workload.gpus is 9, but nvidia-dgx1-p100 has 8 GPUs\n"},
      {"more GPUs than there are, of collectives",
       kSystem + "[workload]\nkind = \"collective\"\ngpus = 9\n",
       "bad.toml:2:1: error: workload.gpus is 9, but nvidia-dgx1-p100 has 8 GPUs\n"},
      {"a collective of one GPU", kSystem + "[workload]\nkind = \"collective\"\ngpus = 1\n",
       "bad.toml:2:1: error: one GPU has nobody to exchange with: a collective takes two at least; "
       "take more of them, or more nodes\n"},
      {"sizes of collectives the wrong way around",
       kSystem + "[workload]\nkind = \"collective\"\nfrom = \"10 MB\"\nto = \"1 MB\"\n",
       "bad.toml:2:1: error: workload.from, the smallest size, is 10 MB, and workload.to, the "
       "largest, 1 MB; exchange them\n"},
      {"samples and epochs at once",
       kSystem + kWorkload +
           "samples = 100000\n"
           "epochs = 2\n",
       "bad.toml:2:1: error: workload.samples and workload.epochs exclude each other; leave one "
       "out\n"},
      {"fewer samples than one step takes", kSystem + kWorkload + "samples = 100\n",
       "bad.toml:2:1: error: one step of all GPUs takes 512 samples, but there are only 100; lower "
       "workload.batch_per_gpu or workload.gpus\n"},
      {"data nowhere",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"scrath\"\n",
       "bad.toml:6:6: error: data.at: there is no volume, drive or store \"scrath\"; did you mean "
       "\"scratch\"?\n"},
      {"more than one place and none named",
       kSystem + kWorkload +
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:1:1: error: data.at is missing and there is more than one place; name one: "
       "scratch, nas\n"},
      {"a store through a card that is not there",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"nas\"\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n"
           "via = [\"mlx*\"]\n",
       "bad.toml:9:8: error: store.nas.via: no nic is called \"mlx*\"; known: ib0, ib1, ib2, ib3, "
       "eth0\n"},
      {"a store without any card",
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
       "drives = [\"ssd0\"]\n" +
           kWorkload +
           "[data]\n"
           "at = \"nas\"\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:23:1: error: store.nas: system has no [[nic]] to reach it through\n"},
      {"a socket that is not there",
       kSystem + kWorkload +
           "[loader]\n"
           "placement = \"cpu2\"\n",
       "bad.toml:6:13: error: loader.placement: there is no socket \"cpu2\"; did you mean "
       "\"cpu0\"?\n"},
      {"more decode cores than cores",
       kSystem + kWorkload +
           "[loader]\n"
           "decode_cores = 41\n",
       "bad.toml:5:1: error: loader.decode_cores is 41, but nvidia-dgx1-p100 has 40 cores\n"},
      {"readers apart from the workers that read",
       kSystem + kWorkload +
           "[loader]\n"
           "readers = 1\n",
       "bad.toml:5:1: error: loader.readers is for style = \"tensorflow\"; each worker of pytorch "
       "reads for itself\n"},
      {"processes that take nothing over",
       kSystem + kWorkload +
           "[loader]\n"
           "processes = 9\n",
       "bad.toml:5:1: error: loader.processes has no effect without loader.process_bandwidth or "
       "loader.take_over_time, what each of them takes over\n"
       "bad.toml:5:1: error: loader.processes is 9, but 8 GPUs are there\n"},
  };
}

}  // namespace

TEST_CASE("every malformed file is refused with its own message") {
  check_refused(malformed_files());
}

TEST_CASE("the same file without the fault is accepted") {
  CHECK(error_of(kSystem + kWorkload) == "accepted");
}

TEST_CASE("overrides are checked like the file, and named by their option") {
  const std::string good = kSystem + kWorkload;
  CHECK(error_of(good, {"loader.workers_per_gpu=16"}) == "accepted");
  CHECK(error_of(good, {"system.drive[ssd0].model=samsung-pm983-1.92tb",
                        "system.drive[ssd0].at=cpu1"}) == "accepted");
  CHECK(error_of(good, {"system.drive[0].model=samsung-pm983-1.92tb", "system.drive[0].at=cpu1"}) ==
        "accepted");
  CHECK(error_of(good, {"workload.dataset.sample_size=200 kB"}) == "accepted");
  CHECK(error_of(good, {"loader.workers_per_gpu=1025"}) ==
        "--set loader.workers_per_gpu=1025: error: loader.workers_per_gpu must be a whole number "
        "from 0 to 1024; found 1025\n");
  CHECK(error_of(good, {"loader.worker=1"}) ==
        "--set loader.worker=1: error: loader: unknown key \"worker\"; did you mean "
        "one of workers_per_gpu, worker_start, persistent_workers?\n");
  CHECK(error_of(good, {"system.drive[ssd9].model=x"}) ==
        "--set system.drive[ssd9].model=x: error: there is no system.drive[ssd9]; did you mean "
        "\"ssd0\"?\n");
  CHECK(error_of(good, {"system..x=1"}) ==
        "--set system..x=1: error: \"system..x\" is not a path such as loader.workers_per_gpu, "
        "system.drive[ssd0].model or store.\"nas.lab\".model: a key is missing\n");
  CHECK(error_of(good, {"title.x=1"}) ==
        "--set title.x=1: error: title must be text in quotes; found a table\n");
  CHECK(error_of(good, {"=1"}) ==
        "--set =1: error: expected path=value, such as loader.workers_per_gpu=16\n");
}
