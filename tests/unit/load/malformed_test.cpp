// SPDX-License-Identifier: Apache-2.0
// What a user reads for every kind of wrong file, to the letter.
#include <doctest/doctest.h>

#include <vector>

#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

const std::string kSystem = "system = \"nvidia-dgx1-p100\"\n";
const std::string kWorkload = "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n";

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

std::string error_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  return refusal_of([&] {
    std::vector<Override> overrides;
    for (const auto& set : sets) overrides.push_back(parse_override(set));
    parse_scenario(text, "bad.toml", own_catalog(), overrides);
  });
}

struct Case {
  const char* name;
  std::string text;
  std::string message;
};

std::vector<Case> malformed() {
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
       "algorithm, overlap, path, torus_width, servers\n"},
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
       "bad.toml:6:19: error: loader.workers_per_gpu must be a whole number from 1 to 1024; found "
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
       "bad.toml:6:19: error: loader.workers_per_gpu must be a whole number from 1 to 1024; found "
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
       "\"tree\", \"hierarchical\", \"torus\", \"parameter-server\" (did you mean \"ring\"?); "
       "found \"rnig\"\n"},
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
       "nvidia-a100-sxm4-40gb tf32, nvidia-k80-die fp32, nvidia-p100-sxm2-16gb fp32, "
       "nvidia-v100-sxm2-16gb fp16, nvidia-v100-sxm2-16gb fp32, nvidia-v100-sxm2-32gb fp16, "
       "nvidia-v100-sxm2-32gb fp32; none can be estimated: nvidia-p100-sxm2-16gb does not say its "
       "peak in fp8; add a [[workload.compute]] table with a measured rate\n"},
      {"more GPUs than there are", kSystem + kWorkload + "gpus = 9\n",
       "bad.toml:2:1: error: workload.gpus is 9, but nvidia-dgx1-p100 has 8 GPUs\n"},
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
      {"staging from nowhere",
       kSystem + kWorkload +
           "[data]\n"
           "staging = { from = \"nas\" }\n",
       "bad.toml:6:20: error: data.staging.from: there is no store \"nas\"; add a [store.NAME]\n"},
      {"staging at no known time",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"scratch\"\n"
           "staging = { from = \"nas\", mode = \"first_epoch\" }\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:7:34: error: data.staging.mode must be one of \"before\", \"first-epoch\" (did "
       "you mean \"first-epoch\"?); found \"first_epoch\"\n"},
      {"staging in the first epoch around host memory",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"scratch\"\n"
           "path = \"gpudirect\"\n"
           "staging = { from = \"nas\", mode = \"first-epoch\" }\n"
           "[loader]\n"
           "decode = \"none\"\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:8:20: error: data.staging: what the first epoch reads is written to the drives "
       "from host memory; set data.path = \"host\", or mode = \"before\"\n"},
      {"a checkpoint without an interval", kSystem + kWorkload + "[checkpoint]\n",
       "bad.toml:5:1: error: checkpoint: \"interval_steps\" is missing; it must be a whole number "
       "from 1 to 1000000000000\n"},
      {"a checkpoint with wrong keys and values",
       kSystem + kWorkload +
           "[checkpoint]\n"
           "intervall_steps = 100\n"
           "size = 4e9\n"
           "mode = \"async\"\n"
           "writers = \"each\"\n",
       "bad.toml:6:1: error: checkpoint: unknown key \"intervall_steps\"; did you mean "
       "\"interval_steps\"?\n"
       "bad.toml:7:8: error: checkpoint.size must be text with a unit from \"1 kB\" to \"1 PB\"; "
       "found 4000000000\n"
       "bad.toml:8:8: error: checkpoint.mode must be one of \"synchronous\", \"asynchronous\" (did "
       "you mean \"asynchronous\"?); found \"async\"\n"
       "bad.toml:9:11: error: checkpoint.writers must be one of \"one\", \"all\"; found "
       "\"each\"\n"},
      {"a checkpoint in no known place",
       kSystem + kWorkload +
           "[checkpoint]\n"
           "interval_steps = 100\n"
           "at = \"scrath\"\n",
       "bad.toml:7:6: error: checkpoint.at: there is no volume, drive or store \"scrath\"; did you "
       "mean \"scratch\"?\n"},
      {"a checkpoint onto a store of which no writes are known",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"scratch\"\n"
           "[checkpoint]\n"
           "interval_steps = 100\n"
           "at = \"nas\"\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:9:6: error: checkpoint.at: what \"nas\" takes is not known; add write_bandwidth "
       "to netapp-aff-a800\n"},
      {"a checkpoint beside the data on such a store",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"nas\"\n"
           "[checkpoint]\n"
           "interval_steps = 100\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:7:1: error: checkpoint.at: what \"nas\" takes is not known; add write_bandwidth "
       "to netapp-aff-a800\n"},
      {"a checkpoint of what has no state",
       kSystem + "[workload]\n"
                 "kind = \"loader\"\n"
                 "dataset = \"imagenet-1k\"\n"
                 "[checkpoint]\n"
                 "interval_steps = 100\n",
       "bad.toml:5:1: error: checkpoint: only training has a state to save, and the workload's "
       "kind is \"loader\"; leave the table out\n"},
      {"a checkpoint larger than the room beside the data",
       kSystem + kWorkload +
           "[checkpoint]\n"
           "interval_steps = 100\n"
           "size = \"7.6 TB\"\n",
       "bad.toml:5:1: error: checkpoint: one is 7.6 TB, and \"scratch\" holds 7.68 TB, of which "
       "the data set takes 147 GB; use another place\n"},
      {"asynchronous checkpoints larger than the memory",
       kSystem + kWorkload +
           "[checkpoint]\n"
           "interval_steps = 100\n"
           "size = \"600 GB\"\n"
           "mode = \"asynchronous\"\n",
       "bad.toml:5:1: error: checkpoint: asynchronous ones keep 600 GB in host memory until they "
       "are written, and nvidia-dgx1-p100 has 550 GB; write them synchronously\n"},
      {"staging onto a store",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"nas\"\n"
           "staging = { from = \"nas\" }\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:6:6: error: data.staging copies onto drives, but data.at is the store \"nas\"; "
       "name a volume, or leave the staging out\n"},
      {"a data set larger than its drives",
       kSystem + "[workload]\n"
                 "model = \"resnet-50\"\n"
                 "[workload.dataset]\n"
                 "title = \"big\"\n"
                 "samples = 100_000_000\n"
                 "sample_size = \"200 kB\"\n"
                 "decode_time = \"1 ms\"\n",
       "bad.toml:1:1: error: data.at: the data set workload.dataset is 20 TB and \"scratch\" holds "
       "7.68 TB; use more or larger drives, or another place\n"},
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
       "bad.toml:5:1: error: loader.processes has no effect without loader.process_bandwidth, what "
       "each of them takes over\n"
       "bad.toml:5:1: error: loader.processes is 9, but 8 GPUs are there\n"},
      {"a loader's process whose samples have no decoded size",
       kSystem +
           "[workload]\n"
           "kind = \"loader\"\n"
           "dataset = \"imagenet-1k\"\n"
           "[loader]\n"
           "decode = \"none\"\n"
           "process_bandwidth = \"2 GB/s\"\n",
       "bad.toml:5:1: error: loader.process_bandwidth needs workload.model, which says how many "
       "bytes a decoded sample has\n"},
      {"an id used twice",
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
       "bad.toml:11:1: error: gpu \"gpu0\": the id is already that of the gpu at bad.toml:7:1\n"},
      {"an id with a blank",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu 0\"\n"
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
       "bad.toml:7:1: error: gpu \"gpu 0\": an id may hold letters, digits, - and _ only\n"},
      {"a part on nothing",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "at = \"cpu1\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:10:6: error: gpu \"gpu0\".at: there is no part \"cpu1\"; did you mean "
       "\"cpu0\"?\n"},
      {"a part on a GPU",
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
       "at = \"gpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:14:6: error: drive \"ssd0\".at: \"gpu0\" is a gpu; expected a socket or a "
       "switch\n"},
      {"an unattached part",
       "[system]\n"
       "title = \"box\"\n"
       "[[system.socket]]\n"
       "id = \"cpu0\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.gpu]]\n"
       "id = \"gpu0\"\n"
       "model = \"nvidia-p100-sxm2-16gb\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:7:1: error: system.gpu[gpu0]: \"at\" is missing; it must be the id of a part, in "
       "quotes\n"},
      {"switches that hang on each other",
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
       "[[system.switch]]\n"
       "id = \"a\"\n"
       "model = \"plx-pex8764\"\n"
       "at = \"b\"\n"
       "[[system.switch]]\n"
       "id = \"b\"\n"
       "model = \"plx-pex8764\"\n"
       "at = \"a\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:14:6: error: switch \"a\" hangs on itself: a -> b -> a; one of them must hang on "
       "a socket\n"
       "bad.toml:18:6: error: switch \"b\" hangs on itself: b -> a -> b; one of them must hang on "
       "a socket\n"},
      {"sockets without a link between",
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
       "[[system.socket]]\n"
       "id = \"cpu1\"\n"
       "model = \"intel-xeon-e5-2698v4\"\n"
       "memory = \"64 GiB\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:11:1: error: socket \"cpu1\" is not joined to \"cpu0\": a [[socket_link]] is "
       "missing\n"},
      {"a link from a socket to itself",
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
       "[[system.socket_link]]\n"
       "between = [\"cpu0\", \"cpu0\"]\n"
       "link = \"qpi-9.6\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:11:1: error: socket_link.between names \"cpu0\" twice; a link joins two parts\n"},
      {"a link with one end",
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
       "[[system.socket_link]]\n"
       "between = [\"cpu0\"]\n"
       "link = \"qpi-9.6\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:11:1: error: socket_link.between must name two sockets; found 1\n"},
      {"NVLink to a drive",
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
       "[[system.nvlink]]\n"
       "between = [\"gpu0\", \"ssd0\"]\n"
       "link = \"nvlink-1\"\n"
       "[[system.drive]]\n"
       "id = \"ssd0\"\n"
       "model = \"samsung-pm893-3.84tb\"\n"
       "at = \"cpu0\"\n"
       "[[system.volume]]\n"
       "id = \"scratch\"\n"
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:12:20: error: nvlink.between: \"ssd0\" is a drive; expected a gpu\n"},
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
      {"no GPU at all",
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
       "drives = [\"ssd0\"]\n" +
           kWorkload,
       "bad.toml:1:1: error: system has no [[gpu]]; training needs one at least\n"},
      {"replacing what is not there",
       kSystem + kWorkload +
           "[[replace]]\n"
           "part = \"hdd*\"\n"
           "with = \"samsung-pm983-1.92tb\"\n",
       "bad.toml:6:8: error: replace.part: no part of nvidia-dgx1-p100 is called \"hdd*\"; known: "
       "cpu0, cpu1, plx0, plx1, plx2, plx3, gpu0, gpu1, gpu2, gpu3, gpu4, gpu5, ...\n"},
      {"replacing a drive by a GPU",
       kSystem + kWorkload +
           "[[replace]]\n"
           "part = \"ssd*\"\n"
           "with = \"nvidia-p100-sxm2-16gb\"\n",
       "bad.toml:7:8: error: replace.with: no drive \"nvidia-p100-sxm2-16gb\" in the catalog; "
       "known: aws-ebs-gp2-1tb, aws-ebs-gp3-1tb, aws-i3-nvme-1.9tb, aws-i4i-nvme-3.75tb, "
       "aws-p4d-nvme-1tb, aws-p5-nvme-3.84tb, crucial-mx500-1tb, crucial-t700-2tb, "
       "crucial-t705-2tb, gce-local-ssd-375gb, gce-pd-ssd-1tb, hdd-10k-1.2tb-sas, ...\n"},
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
       "samples, and nvidia-dgx1-p100 has 550 GB of memory; lower loader.workers_per_gpu, "
       "loader.prefetch_batches or workload.batch_per_gpu\n"
       "bad.toml:2:1: error: workload.batch_per_gpu: training resnet-50 in fp32 takes 103 TB at "
       "batch 1000000 (307 MB for parameters, gradients and momentum; 103 MB a sample for "
       "activations), and nvidia-p100-sxm2-16gb has 17.2 GB; at most 163 samples fit\n"},
      {"io without its requests",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n",
       "bad.toml:2:1: error: workload: \"io\" is missing; io needs the requests, such as { "
       "block_size = \"4096 B\", queue_depth = 32 }\n"},
      {"an io key misspelt",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { blok_size = \"4096 B\" }\n",
       "bad.toml:4:8: error: workload.io: unknown key \"blok_size\"; did you mean "
       "\"block_size\"?\n"},
      {"requests of no bytes",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { block_size = \"0 B\" }\n",
       "bad.toml:4:21: error: workload.io.block_size must be text with a unit from \"512 B\" to "
       "\"1 GB\"; found \"0 B\"\n"},
      {"no request under way",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { queue_depth = 0 }\n",
       "bad.toml:4:22: error: workload.io.queue_depth must be a whole number from 1 to 65536; "
       "found 0\n"},
      {"a bare share of reads",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { read_share = 70 }\n",
       "bad.toml:4:21: error: workload.io.read_share must be text with a unit from \"0 %\" to "
       "\"100 %\"; found 70\n"},
      {"an order that is none",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { pattern = \"randread\" }\n",
       "bad.toml:4:18: error: workload.io.pattern must be one of \"random\", \"sequential\"; found "
       "\"randread\"\n"},
      {"io into the memory of no socket",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { memory = \"gpu0\" }\n",
       "bad.toml:4:17: error: workload.io.memory: there is no socket \"gpu0\"; did you mean "
       "\"cpu0\"?\n"},
      {"io straight into GPUs",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = {}\n"
                 "[data]\n"
                 "path = \"gpudirect\"\n",
       "bad.toml:2:1: error: data.path: an io workload moves data to and from host memory; leave "
       "it at \"host\"\n"},
      {"io with a copy-in",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = {}\n"
                 "[data]\n"
                 "at = \"scratch\"\n"
                 "staging = { from = \"nas\" }\n"
                 "[store.nas]\n"
                 "model = \"netapp-aff-a800\"\n",
       "bad.toml:7:20: error: data.staging: an io workload copies nothing in; leave it out\n"},
      {"writes to a store that are not known",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { read_share = \"50 %\" }\n"
                 "[data]\n"
                 "at = \"nas\"\n"
                 "[store.nas]\n"
                 "model = \"netapp-aff-a800\"\n",
       "bad.toml:6:6: error: data.at: what \"nas\" takes is not known; add write_bandwidth to "
       "netapp-aff-a800\n"},
      {"transfers without any",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n",
       "bad.toml:2:1: error: workload: \"tests\" is missing; transfers needs some, such as "
       "[\"host_to_device\"], or [[workload.copy]] tables\n"},
      {"a test that nvbandwidth does not have",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "tests = [\"host_to_devic\"]\n",
       "bad.toml:4:10: error: workload.tests[0] must be one of \"host_to_device\", "
       "\"device_to_host\", \"host_to_device_bidirectional\", \"device_to_host_bidirectional\", "
       "\"device_to_device\", \"device_to_device_bidirectional\", \"all_to_host\", "
       "\"host_to_all\", \"all_to_host_bidirectional\", \"host_to_all_bidirectional\" (did you "
       "mean \"host_to_device\"?); found \"host_to_devic\"\n"},
      {"a test that is no text",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "tests = [1]\n",
       "bad.toml:4:10: error: workload.tests[0] must be one of \"host_to_device\", "
       "\"device_to_host\", \"host_to_device_bidirectional\", \"device_to_host_bidirectional\", "
       "\"device_to_device\", \"device_to_device_bidirectional\", \"all_to_host\", "
       "\"host_to_all\", \"all_to_host_bidirectional\", \"host_to_all_bidirectional\"; found 1\n"},
      {"a copy onto itself",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"gpu0\"\n"
                 "to = \"gpu0\"\n",
       "bad.toml:4:1: error: workload.copy: from and to are both \"gpu0\"; name two parts\n"},
      {"a copy without an end",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"gpu0\"\n",
       "bad.toml:4:1: error: workload.copy[0]: \"to\" is missing; it must be the id of a part, in "
       "quotes\n"},
      {"a copy to nothing",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"gpu0\"\n"
                 "to = \"gpu8\"\n",
       "bad.toml:6:6: error: workload.copy.to: there is no \"gpu8\"; did you mean \"gpu0\"?\n"},
      {"a copy by way of a socket",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"gpu0\"\n"
                 "to = \"gpu5\"\n"
                 "via = \"cpu0\"\n",
       "bad.toml:7:7: error: workload.copy.via: there is no \"cpu0\"; did you mean \"gpu0\"?\n"},
      {"a copy by way of its own end",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"gpu0\"\n"
                 "to = \"gpu5\"\n"
                 "via = \"gpu5\"\n",
       "bad.toml:6:6: error: workload.copy.via: \"gpu5\" is an end of the copy; name a third "
       "GPU\n"},
      {"a copy from a socket by way of a GPU",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"cpu0\"\n"
                 "to = \"gpu5\"\n"
                 "via = \"gpu1\"\n",
       "bad.toml:5:8: error: workload.copy.via: \"cpu0\" is no GPU; only GPUs pass data on\n"},
      {"no stream",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"cpu0\"\n"
                 "to = \"gpu5\"\n"
                 "streams = 0\n",
       "bad.toml:7:11: error: workload.copy[0].streams must be a whole number from 1 to 4096; "
       "found 0\n"},
      {"a copy onto a store that takes an unknown rate",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"cpu0\"\n"
                 "to = \"nas\"\n"
                 "[store.nas]\n"
                 "model = \"netapp-aff-a800\"\n",
       "bad.toml:6:6: error: workload.copy.to: what \"nas\" takes is not known; add "
       "write_bandwidth to netapp-aff-a800\n"},
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

TEST_CASE("every malformed file is refused with its own message") {
  const auto cases = malformed();
  CHECK(cases.size() >= 40);
  for (const auto& wrong : cases) {
    CAPTURE(wrong.name);
    CHECK(error_of(wrong.text) == wrong.message);
  }
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
  CHECK(error_of(good, {"loader.workers_per_gpu=0"}) ==
        "--set loader.workers_per_gpu=0: error: loader.workers_per_gpu must be a whole number from "
        "1 to 1024; found 0\n");
  CHECK(error_of(good, {"loader.worker=1"}) ==
        "--set loader.worker=1: error: loader: unknown key \"worker\"; did you mean "
        "\"workers_per_gpu\"?\n");
  CHECK(error_of(good, {"system.drive[ssd9].model=x"}) ==
        "--set system.drive[ssd9].model=x: error: there is no system.drive[ssd9]; did you mean "
        "\"ssd0\"?\n");
  CHECK(error_of(good, {"system..x=1"}) ==
        "--set system..x=1: error: \"system..x\" is not a path such as loader.workers_per_gpu or "
        "system.drive[ssd0].model\n");
  CHECK(error_of(good, {"title.x=1"}) ==
        "--set title.x=1: error: title must be text in quotes; found a table\n");
  CHECK(error_of(good, {"=1"}) ==
        "--set =1: error: expected path=value, such as loader.workers_per_gpu=16\n");
}
