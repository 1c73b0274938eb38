// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "reports/writers/json.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/draws.h"
#include "tests/support/keys_to_try.h"

// Each key of a scenario changes the result of some scenario of each kind that takes it: no key is
// accepted that does nothing.

using namespace gpufeed;
using namespace gpufeed::keys_to_try;  // NOLINT: the vocabulary of this file

namespace {

enum class Effect { changes, none, refused };

/// Scenarios of a kind, and what comes out of them.
class Bases {
 public:
  explicit Bases(std::vector<std::string> texts) : catalog_(own_catalog().remembering()) {
    for (auto& text : texts) {
      const auto answer = answer_of(text, {});
      CAPTURE(text);
      REQUIRE_MESSAGE(answer, why_);
      bases_.push_back({std::move(text), *answer});
    }
  }

  /// What becomes of the scenarios with the values: one gives another answer, none does, or all
  /// are refused.
  Effect effect_of(const KeyToTry& key) {
    bool accepted = false;
    for (const auto& [text, answer] : bases_)
      for (const auto& value : key.values) {
        const auto other = answer_of(text, {parse_override(key.path + "=" + value)});
        if (other && *other != answer) return Effect::changes;
        accepted = accepted || (other && value != key.usual);
      }
    return accepted ? Effect::none : Effect::refused;
  }

  const std::string& why() const { return why_; }

 private:
  struct Base {
    std::string text;
    std::string answer;
  };

  /// All numbers of the answer; nothing where the scenario is refused.
  std::optional<std::string> answer_of(const std::string& text,
                                       const std::vector<Override>& overrides) {
    try {
      Scenario scenario = parse_scenario(text, "base.toml", catalog_, overrides);
      // A range takes many plans.
      if (overrides.empty() || overrides.front().path != "run.range_samples")
        scenario.run.range_samples = 0;
      Result result = simulate(scenario);
      // Words that repeat the scenario.
      result.scenario.clear(), result.defaults.clear(), result.warnings.clear();
      result.workload.clear(), result.storage.clear();
      return to_json(result);
    } catch (const InputError& error) {
      why_ = error.what();
      return {};
    }
  }

  Catalog catalog_;
  std::vector<Base> bases_;
  std::string why_;
};

/// Keys that change nothing by themselves: the version of a file; where a number is known from, and
/// with what it was measured; the engine, as both give the same (examples_test.cpp); the optimizer,
/// which decides what fits into a GPU's memory (gpu_time_test.cpp).
bool says_only(const std::string& path) {
  return path == "schema" || path == "workload.optimizer" || path == "run.engine" ||
         path.ends_with(".source") || path.ends_with("[0].basis") ||
         path.ends_with("[0].framework") || path.ends_with("[0].version");
}

enum class Tried { all, drawn };

/// The keys that change nothing, of all or of as many as a costly test takes.
std::string idle_keys(std::string_view kind, std::vector<std::string> texts,
                      Tried tried = Tried::all) {
  Bases bases(std::move(texts));
  std::string idle;
  int number = 0;
  for (const KeyToTry& key : Keys(kind).all()) {
    if (says_only(key.path) || (tried == Tried::drawn && !costly_drawn(number++))) continue;
    if (bases.effect_of(key) == Effect::none) idle += key.path + " ";
  }
  return idle;
}

const std::string kHead = "title = \"t\"\nsystem = \"nvidia-dgx1-p100\"\n";
/// So few steps that each key costs little; some scenarios go on until the pace is known.
const std::string kShort = "run = { max_steps = 60 }\n";
const std::string kNas =
    "[store.nas]\nvia = [\"ib0\", \"ib1\"]\nprotocol = \"nfs-tcp\"\nblades = 4\n"
    "[store.nas.model]\ntitle = \"n\"\ncapacity = \"500 TB\"\nread_bandwidth = \"3 GB/s\"\n"
    "write_bandwidth = \"2 GB/s\"\nread_rate = \"20000 /s\"\nread_latency = \"1 ms\"\n"
    "blades = 4\nstripe_bandwidth = \"200 MB/s\"\n";
const std::string kObjects =
    "[store.nas]\nmodel = \"google-cloud-storage\"\nprotocol = \"gcsfuse\"\n";
const std::string kServers =
    "[store.nas]\nservers = 12\nserver = { chassis = \"supermicro-as-1115cs-tnr\", cpu = "
    "\"amd-epyc-9354p\", memory = \"384 GB\", drives = \"10 x micron-7450-pro-7.68tb\", nics = "
    "\"nvidia-connectx-7-ndr200-200g\" }\n";
const std::string kCoded = kServers +
                           "software = \"ceph\"\nredundancy = \"8+3\"\nfailed_servers = 1\n"
                           "rebuilding = \"10 %\"\ncompression = \"150 %\"\n";
const std::string kUncoded = kServers + "redundancy = \"replica 3\"\n";
const std::string kThrough =
    "[data]\nat = \"scratch\"\nstaging = { from = \"nas\", mode = \"read-through\", "
    "capacity = \"50 GB\", eviction = \"fifo\", block = \"40 MB\" }\n";
const std::string kWhole =
    "[data]\nat = \"scratch\"\nstaging = { from = \"nas\", mode = \"read-through\" }\n";
const std::string kSlow =
    "[store.slow.model]\ntitle = \"n\"\ncapacity = \"500 TB\"\nread_bandwidth = \"1 GB/s\"\n"
    "read_rate = \"9000 /s\"\nread_latency = \"1 ms\"\n";
const std::string kReplace =
    "[[replace]]\npart = \"ssd1\"\nwith = \"samsung-pm1733-3.84tb\"\nat = \"plx0\"\n";
const std::string kLocal = "[data]\nat = \"scratch\"\nstaging = { from = \"nas\" }\n";
const std::string kDirect = "[data]\nat = \"scratch\"\nmode = \"direct\"\nrequest = \"64000 B\"\n";
const std::string kLookups =
    "[[own]]\nproduct = \"sata-ssd-1.92tb\"\nkey = \"page_time\"\nvalue = \"20 us\"\n";
/// Few samples at once, and room in memory for a part of the data set.
const std::string kSmallCache =
    "cache_memory = \"60 GB\"\nworkers_per_gpu = 3\nprocess_bandwidth = \"600 MB/s\"\n";
const std::string kTensorflow =
    "style = \"tensorflow\"\nworkers_per_gpu = 4\nreaders = 2\nprefetch_batches = 2\n";
const std::string kPlainSamples =
    "dataset = { title = \"d\", samples = 100000, sample_size = \"16 kB\" }\n";
/// Of tokens in one large file.
const std::string kIndexedTokens =
    "dataset = { title = \"d\", samples = 2000000, sample_size = \"4096 B\", tokens = 2048, "
    "samples_per_file = 2000000, format = \"indexed\" }\n";
/// A decoder on two machines; what it is split over.
std::string decoder(const std::string& model, const std::string& parallel,
                    const std::string& workload = "", const std::string& dataset = kPlainSamples) {
  return "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\nnodes = 2\n" + kShort +
         "[workload]\nmodel = \"" + model + "\"\nprecision = \"bf16\"\nbatch_per_gpu = 2\n" +
         workload + dataset + "[parallel]\n" + parallel +
         "[loader]\ndecode = \"none\"\n[data]\nat = \"scratch\"\n";
}
const std::string kDataset = "dataset = \"imagenet-1k\"\nbatch_per_gpu = 64\nsamples = 2600000\n";

/// Where reading and decoding set the pace, in several ways.
std::vector<std::string> readers(const std::string& job, const std::string& tables = "") {
  const std::string workload = job + kDataset + tables;
  return {
      kHead + job + "dataset = \"imagenet-200kb-10m\"\n" + tables + "[data]\nat = \"scratch\"\n",
      kHead + kShort + job + "dataset = \"imagenet-1k-ffcv\"\nsamples = 1281167\n" + tables +
          "[data]\nat = \"scratch\"\n[loader]\nworkers_per_gpu = 1\n",
      kHead + kShort + workload + kLocal + "[loader]\n" + kSmallCache + kNas + kSlow + kReplace,
      kHead + kShort + workload + "[data]\nat = \"nas\"\n[loader]\n" + kTensorflow + kNas,
      kHead + kShort + "nodes = 4\n" + workload +
          "[data]\nat = \"nas\"\n[loader]\nworkers_per_gpu = 2\n" +
          "[fabric]\nnodes_per_switch = 2\n" + kNas,
      kHead + kShort + workload + "[data]\nat = \"nas\"\n[loader]\nworkers_per_gpu = 2\n" +
          kObjects,
      kHead + kShort + workload + kDirect + "[loader]\nworkers_per_gpu = 1\nprefetch_batches = 1\n",
      kHead + kShort + workload + kDirect + "[loader]\nworkers_per_gpu = 1\n" + kLookups,
      kHead + kShort + workload + "[data]\nat = \"scratch\"\n[loader]\nworkers_per_gpu = 1\n" +
          "cache_memory = \"1 GB\"\n" + kLookups,
      kHead + kShort + workload + "[data]\nat = \"ssd1\"\n[loader]\nworkers_per_gpu = 2\n" +
          "[[own]]\nproduct = \"sata-ssd-1.92tb\"\nkey = \"capacity\"\nvalue = \"8 TB\"\n",
      kHead + kShort + job + kIndexedTokens + "batch_per_gpu = 64\n" + tables +
          "[data]\nat = \"scratch\"\n[loader]\ndecode = \"none\"\nworkers_per_gpu = 1\n"};
}

}  // namespace

TEST_CASE("every key of training has an effect") {
  const std::string job = "[workload]\nmodel = \"alexnet\"\nstep_jitter = \"2 %\"\n";
  const std::string tables =
      "[[workload.compute]]\ngpu = \"nvidia-p100-sxm2-16gb\"\n"
      "precision = \"fp32\"\nbatch = 64\nrate = \"2000 /s\"\n"
      "source = \"s\"\nbasis = \"measured\"\n"
      "[[workload.target]]\nglobal_batch = 256\nsamples = 1000000\n"
      "source = \"s\"\nbasis = \"measured\"\n"
      "[[workload.target]]\nglobal_batch = 1024\nsamples = 2000000\n"
      "source = \"s\"\nbasis = \"measured\"\n";
  auto texts = readers(job, tables);
  texts[2] += "[checkpoint]\ninterval_steps = 20\nsize = \"30 GB\"\n";  // the cache fills up
  for (std::string& text : texts) text += "[failures]\nmtbf = \"4000 h\"\n";
  const std::string cluster = kHead + kShort + "nodes = 4\n" + job + kDataset + tables +
                              "[data]\nat = \"scratch\"\n[fabric]\nnodes_per_switch = 2\n"
                              "uplink_bandwidth = \"10 GB/s\"\n";
  texts.push_back(cluster + "[exchange]\nalgorithm = \"ring\"\n");
  texts.push_back(cluster +
                  "[exchange]\nalgorithm = \"ring\"\nhook = \"powerSGD_hook\"\n"
                  "hook_share = \"10 %\"\n");
  texts.push_back(cluster +
                  "[exchange]\nalgorithm = \"torus\"\noverlap = \"90 %\"\n"
                  "bucket = \"100 MB\"\n");
  texts.push_back(cluster + "[exchange]\nalgorithm = \"parameter-server\"\n");
  texts.push_back(cluster + "transport = \"tcp\"\nflow_bandwidth = \"100 MB/s\"\n");
  texts.push_back(kHead + kShort + "nodes = 2\n" + job + kDataset + tables +
                  "[data]\nat = \"scratch\"\n[fabric]\ntransport = \"tcp\"\n"
                  "flow_bandwidth = \"100 MB/s\"\n");
  texts.push_back(kHead + kShort + job + kDataset + tables +
                  "[data]\nat = \"scratch\"\n[loader]\nworkers_per_gpu = 1\n"
                  "take_over_time = \"2 ms\"\n");
  texts.push_back(cluster + "[exchange]\nmode = \"asynchronous\"\nstaleness = 4\n");
  texts.push_back(kHead + kShort +
                  "[workload]\nmodel = \"bert-large\"\ndataset = \"mlperf-bert\"\n"
                  "batch_per_gpu = 8\n[loader]\ndecode = \"none\"\n[parallel]\ntensor = 4\n"
                  "pipeline = 2\nmicro_batches = 2\n[data]\nat = \"scratch\"\n");
  texts.push_back(kHead + kShort +
                  "[workload]\nmodel = \"bert-large\"\ndataset = \"mlperf-bert\"\n"
                  "batch_per_gpu = 8\n[loader]\ndecode = \"none\"\n[parallel]\ntensor = 2\n"
                  "[data]\nat = \"scratch\"\n");
  texts.push_back(decoder("qwen3-30b-a3b", "tensor = 2\npipeline = 2\nshard = \"optimizer\"\n"));
  texts.push_back(decoder("llama-3.2-1b", "shard = \"parameters\"\n"));
  texts.push_back(decoder("llama-3.2-1b", "shard = \"parameters\"\n", "", kIndexedTokens) +
                  "[checkpoint]\ninterval_steps = 100\n");
  texts.push_back(decoder("llama-3.2-1b", "shard = \"parameters\"\n", "lora = true\n"));
  texts.push_back(decoder("llama-3.2-1b", "shard = \"parameters\"\n", "attention = \"unfused\"\n"));
  texts.push_back(
      decoder("qwen3-30b-a3b", "expert = 8\nshard = \"optimizer\"\n", "cuda_graphs = true\n"));
  texts.push_back("title = \"t\"\nsystem = \"nvidia-dgx-h200\"\n" + kShort +
                  "[workload]\nmodel = \"dlrm-criteo-1tb\"\ndataset = \"criteo-1tb\"\n"
                  "optimizer = \"sgd\"\nbatch_per_gpu = 8192\n[parallel]\ntensor = 1\n"
                  "[loader]\ndecode = \"none\"\n[data]\nat = \"scratch\"\n");
  CHECK(idle_keys(kind::Training::kName, texts, Tried::drawn) == "");
}

TEST_CASE("every key of emulated jobs has an effect") {
  auto texts = readers(
      "[workload]\nkind = \"emulated\"\njob = \"mlperf-resnet50-h100\"\nmodel = \"resnet-50\"\n");
  // PyTorch's loader, over several epochs.
  texts.push_back(kHead +
                  "[workload]\nkind = \"emulated\"\njob = \"mlperf-unet3d-h100\"\ngpus = 2\n"
                  "dataset_samples = 2000\nepochs = 3\n[data]\nat = \"scratch\"\n"
                  "[loader]\nworkers_per_gpu = 2\ntake_over_time = \"2 ms\"\n");
  // All cores busy.
  texts.push_back(kHead +
                  "[workload]\nkind = \"emulated\"\njob = \"mlperf-unet3d-h100\"\ngpus = 2\n"
                  "dataset_samples = 2000\n[data]\nat = \"scratch\"\n"
                  "[loader]\nworkers_per_gpu = 4\ndecode_cores = 1\n");
  CHECK(idle_keys(kind::Emulated::kName, texts) == "");
}

TEST_CASE("every key of loaders has an effect") {
  const std::string job = "[workload]\nkind = \"loader\"\nmodel = \"alexnet\"\n";
  auto texts = readers(job);
  texts.push_back(kHead + kShort + job + kDataset +
                  "[data]\nat = \"scratch\"\n[loader]\nworkers_per_gpu = 1\n"
                  "take_over_time = \"2 ms\"\n");
  CHECK(idle_keys(kind::Loader::kName, texts, Tried::drawn) == "");
}

TEST_CASE("keys of stores of servers, and of caches on drives, are taken and have an effect") {
  const std::string job =
      kHead + kShort + "[workload]\nkind = \"loader\"\nmodel = \"alexnet\"\n" + kDataset;
  const std::string at = "[data]\nat = \"nas\"\n", few = "[loader]\ncache_memory = \"1 GB\"\n";
  Bases bases({job + at + kCoded, job + at + kUncoded, job + kThrough + few + kNas + kSlow,
               job + kWhole + few + kNas});
  const std::set<std::string> taken{
      "store.nas.servers",     "store.nas.server",     "store.nas.software",
      "store.nas.redundancy",  "store.nas.min_size",   "store.nas.encrypted",
      "store.nas.compression", "store.nas.rebuilding", "store.nas.failed_servers",
      "data.staging.mode",     "data.staging.from",    "data.staging.capacity",
      "data.staging.eviction", "data.staging.block"};
  std::size_t tried = 0;
  for (const KeyToTry& key : Keys(kind::Loader::kName).all()) {
    if (!taken.contains(key.path)) continue;
    ++tried;
    CAPTURE(key.path);
    CAPTURE(bases.why());
    CHECK(bases.effect_of(key) == Effect::changes);
  }
  CHECK(tried == taken.size());
}

TEST_CASE("every key of io has an effect") {
  const std::string io = "[workload]\nkind = \"io\"\n[workload.io]\n";
  CHECK(
      idle_keys(
          kind::Io::kName,
          {kHead + io + "block_size = \"65536 B\"\njobs = 2\n[data]\nat = \"scratch\"\n" + kReplace,
           kHead + io + "direct = false\npattern = \"sequential\"\n[data]\nat = \"ssd0\"\n",
           kHead + io + "queue_depth = 64\n[data]\nat = \"scratch\"\n",
           kHead + io + "queue_depth = 8\nblock_size = \"1 MB\"\n[data]\nat = \"nas\"\n" + kNas,
           kHead + io + "block_size = \"1 MB\"\nfile_size = \"4 MB\"\n[data]\nat = \"nas\"\n" +
               kObjects,
           kHead + io + "block_size = \"1 MB\"\n[data]\nat = \"nas\"\n" + kCoded,
           kHead + io + "block_size = \"1 MB\"\n[data]\nat = \"nas\"\n" + kUncoded,
           kHead + io +
               "log = \"" GPUFEED_SOURCE_DIR
               "/tests/golden/cli/access.csv\"\ndirect = false\n[data]\nat = \"ssd0\"\n"}) == "");
}

TEST_CASE("every key of transfers has an effect") {
  CHECK(idle_keys(kind::Transfers::kName,
                  {kHead +
                       "[workload]\nkind = \"transfers\"\ntests = [\"host_to_device\"]\n"
                       "[[workload.copy]]\nfrom = \"nas\"\nto = \"gpu0\"\nstreams = 2\n" +
                       kNas + kReplace,
                   kHead + "[workload]\nkind = \"transfers\"\n[[workload.copy]]\nfrom = \"gpu0\"\n"
                           "to = \"gpu5\"\n",
                   kHead + "[workload]\nkind = \"transfers\"\n[[workload.copy]]\nfrom = \"ssd1\"\n"
                           "to = \"gpu0\"\n",
                   kHead +
                       "[workload]\nkind = \"transfers\"\n[[workload.copy]]\nfrom = \"ssd1\"\n"
                       "to = \"cpu0\"\n" +
                       kReplace}) == "");
}

TEST_CASE("every key of collectives has an effect") {
  const std::string collective = "[workload]\nkind = \"collective\"\n";
  const std::string cluster = "nodes = 4\n" + collective +
                              "[fabric]\nnodes_per_switch = 2\nuplink_bandwidth = \"1 GB/s\"\n";
  const std::string pair = "nodes = 2\n" + collective + "[fabric]\n";
  CHECK(idle_keys(kind::Collective::kName,
                  {kHead + collective + kReplace, kHead + cluster + kReplace,
                   kHead + cluster + "transport = \"tcp\"\nflow_bandwidth = \"100 MB/s\"\n",
                   kHead + pair + "transport = \"tcp\"\nflow_bandwidth = \"100 MB/s\"\n",
                   "title = \"t\"\nsystem = \"workstation-4x-rtx-3090\"\n" + collective +
                       "[[replace]]\npart = \"gpu0\"\nwith = \"nvidia-rtx-4090\"\n"}) == "");
}

TEST_CASE("every key of matrix products has an effect") {
  const std::string product = "[[workload.product]]\nm = 1000\nn = 1000\nk = 1000\n";
  const std::string matmul =
      "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\nkind = \"matmul\"\n";
  CHECK(idle_keys(kind::Matmul::kName,
                  {matmul + product, matmul + "precision = \"fp8\"\n" + product}) == "");
}

TEST_CASE("every key of pipelines has an effect") {
  const std::string stages =
      "[[workload.stage]]\nname = \"clean\"\nat = \"nas\"\noutput = \"50 %\"\nrate = \"100 MB/s\"\n"
      "[[workload.stage]]\nname = \"train\"\nat = \"scratch\"\noutput = \"0 %\"\n";
  CHECK(idle_keys(
            kind::Pipeline::kName,
            {kHead + "[workload]\nkind = \"pipeline\"\ninput = \"2 TB\"\n" + stages +
                 "[data]\nat = \"nas\"\n" + kNas + kReplace,
             kHead + "[workload]\nkind = \"pipeline\"\ndataset = \"imagenet-1k\"\n" + stages + kNas,
             kHead +
                 "[workload]\nkind = \"pipeline\"\ndataset = \"imagenet-1k\"\n"
                 "[[workload.stage]]\nname = \"clean\"\nat = \"nas\"\n"
                 "[data]\nat = \"scratch\"\n" +
                 kNas}) == "");
}

TEST_CASE("every key of inference has an effect") {
  const std::string service =
      "[workload]\nkind = \"inference\"\nmodel = \"alexnet\"\ndataset = \"imagenet-1k\"\n"
      "serving = { request_rate = \"3000 /s\", largest_batch = 4, longest_wait = \"2 ms\", "
      "requests = 2000 }\n";
  const std::string row =
      "[[workload.forward]]\ngpu = \"nvidia-p100-sxm2-16gb\"\nprecision = "
      "\"fp32\"\nsource = \"s\"\nbasis = \"measured\"\n";
  const std::string forward =
      row + "batch = 4\nrate = \"3000 /s\"\n" + row + "batch = 1\nrate = \"1500 /s\"\n";
  const std::string trained =
      "[[workload.compute]]\ngpu = \"nvidia-p100-sxm2-16gb\"\nprecision = \"fp32\"\nbatch = 4\n"
      "rate = \"1000 /s\"\nsource = \"s\"\nbasis = \"measured\"\n";
  CHECK(idle_keys(
            kind::Inference::kName,
            {kHead + service + forward + "[data]\nat = \"scratch\"\n" + kReplace,
             kHead + service + trained + "[data]\nat = \"nas\"\n" + kNas, kHead + service + kDirect,
             kHead + service + forward + "[data]\nat = \"nas\"\n" + kObjects,
             kHead + service + "[data]\nat = \"ssd0\"\n[loader]\ndecode = \"none\"\n",
             kHead + "[workload]\nkind = \"inference\"\nmodel = \"alexnet\"\n"
                     "dataset = \"imagenet-1k\"\nserving = { clients = 8, requests = 2000 }\n"}) ==
        "");
}

TEST_CASE("every key of checkpointing has an effect") {
  const std::string job = "[workload]\nkind = \"checkpointing\"\n";
  const std::string at = "[data]\nat = \"nas\"\n";
  const std::string fast =
      "[store.fast]\nvia = [\"ib0\", \"ib1\"]\n[store.fast.model]\ntitle = \"f\"\ncapacity = \"500 "
      "TB\"\nread_bandwidth = \"1 TB/s\"\n"
      "write_bandwidth = \"1 TB/s\"\nread_rate = \"1e9 /s\"\nread_latency = \"1 ms\"\n";
  const std::string card =
      "[[replace]]\npart = \"ib0\"\nwith = \"mellanox-connectx-6-hdr-200g\"\nat = \"plx0\"\n";
  CHECK(idle_keys(kind::Checkpointing::kName,
                  {kHead + job + at + kNas + fast, kHead + job + at + kCoded + fast,
                   kHead + job + at + kUncoded + fast,
                   kHead + job + "[data]\nat = \"fast\"\n" + fast + kNas + card,
                   kHead + "nodes = 8\n" + job + "[data]\nat = \"fast\"\n" + fast +
                       "[fabric]\nnodes_per_switch = 2\nuplink_bandwidth = \"10 GB/s\"\n"}) == "");
}
