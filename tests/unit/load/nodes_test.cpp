// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

const std::string kMachine = "schema = 1\nsystem = \"nvidia-dgx1-p100\"\n";
const std::string kTwo = kMachine + "nodes = 2\n";
const std::string kJob = "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n";
const std::string kData = "[data]\nat = \"scratch\"\n";

std::string error_of(const std::string& text) {
  return refusal_of([&] { parse_scenario(text, "bad.toml", own_catalog()); });
}

std::string target(const std::string& batch) {
  return "[[workload.target]]\nglobal_batch = " + batch +
         "\nsamples = 10\nsource = \"a test\"\nbasis = \"estimate\"\n";
}

struct Wrong {
  std::string text, message;
};

}  // namespace

TEST_CASE("several nodes that do not make sense are refused, each with its own message") {
  const std::vector<Wrong> all{
      {kMachine + kJob + kData + "[fabric]\nrails = true\n",
       "bad.toml:8:1: error: fabric: one node alone uses no fabric; give nodes, or leave the table "
       "out\n"},
      {kMachine + "nodes = 3\n" + kJob + kData +
           "[exchange]\nalgorithm = \"torus\"\ntorus_width = 5\n",
       "bad.toml:9:1: error: exchange.torus_width is 5, but 24 GPUs do not fill rows of that "
       "length\n"},
      {kTwo + kJob + "global_batch = 1000\n" + kData,
       "bad.toml:4:1: error: workload.global_batch is 1000, which 16 GPUs cannot share equally; "
       "the "
       "nearest that they can is 1008\n"},
      {kTwo + kJob + "global_batch = 1024\nbatch_per_gpu = 64\n" + kData,
       "bad.toml:4:1: error: workload.batch_per_gpu and workload.global_batch exclude each other; "
       "leave one out\n"},
      {kTwo + kJob + kData + "[parallel]\ntensor = 3\n",
       "bad.toml:5:9: error: workload.model: resnet-50 does not say its blocks and block_output, "
       "which [parallel] splits; add them\n"
       "bad.toml:9:1: error: parallel: a model is split over 3 x 1 GPUs, and 16 GPUs do not make "
       "whole replicas of 3\n"},
      {kMachine + "[workload]\nmodel = \"bert-large\"\ndataset = \"mlperf-bert\"\n" + kData +
           "[loader]\ndecode = \"none\"\n[[replace]]\npart = \"gpu*\"\n"
           "with = \"nvidia-v100-sxm2-16gb\"\n[parallel]\ntensor = 8\nlayout = \"grid\"\n",
       "bad.toml:13:1: error: parallel.tensor is 8, but a grid needs a square number, such as 9\n"},
      {kMachine + "[workload]\nmodel = \"bert-large\"\ndataset = \"mlperf-bert\"\n" + kData +
           "[loader]\ndecode = \"none\"\n[[replace]]\npart = \"gpu*\"\n"
           "with = \"nvidia-v100-sxm2-16gb\"\n[parallel]\npipeline = 4\nmicro_batches = 300\n",
       "bad.toml:13:1: error: parallel.micro_batches is 300, but a replica of 4 GPUs has 256 "
       "samples "
       "in a step to divide; give at most as many\n"},
      {kTwo + kJob + kData +
           "[exchange]\nmode = \"asynchronous\"\n[parallel]\nshard = \"optimizer\"\n",
       "bad.toml:11:1: error: parallel.shard: a GPU that waits for no other holds the whole model; "
       "set exchange.mode = \"synchronous\", or leave the key out\n"},
      {kTwo + kJob + kData +
           "[exchange]\nalgorithm = \"tree\"\n[parallel]\nshard = \"parameters\"\n",
       "bad.toml:9:1: error: exchange.algorithm: replicas that share the parameters gather them, "
       "and "
       "\"tree\" only sums; set \"ring\", \"hierarchical\" or \"torus\", or leave the key out\n"},
      {kTwo + kJob + kData + "[exchange]\nfirst_bucket = \"1 MB\"\n",
       "bad.toml:9:1: error: exchange.first_bucket has no effect without exchange.bucket; give "
       "that, "
       "too, or leave the key out\n"},
      {kTwo + kJob + kData + "[loader]\njobs = 2\n",
       "bad.toml:9:1: error: loader.jobs is 2: several jobs can be simulated on one node only; set "
       "nodes = 1\n"},
      {kMachine + kJob + target("512") + target("256") + kData,
       "bad.toml:11:1: error: workload.target: global_batch 256 comes after 512; list them from "
       "small to large\n"},
      {kTwo + "[workload]\nkind = \"io\"\nio = { block_size = \"4096 B\", queue_depth = 32 }\n" +
           kData,
       "bad.toml:3:9: error: nodes: no effect on a workload of kind \"io\", only on kind "
       "\"training\", \"emulated\", \"loader\", \"collective\", \"checkpointing\"; leave it out\n"},
      {kTwo + kJob + kData + "staging = { from = \"nas\", mode = \"first-epoch\" }\n" +
           "[store.nas]\nmodel = \"netapp-aff-a800\"\n",
       "bad.toml:9:20: error: data.staging.mode: each of 2 nodes reads only its part of the first "
       "epoch, so none would have all data; set \"before\"\n"},
      {kMachine + "nodes = 0\n" + kJob + kData,
       "bad.toml:3:9: error: nodes must be a whole number from 1 to 65536; found 0\n"},
      {kTwo + kJob + kData + "[exchange]\nstaleness = 4\n",
       "bad.toml:9:1: error: exchange.staleness: in synchronous training no GPU is ahead of "
       "another; "
       "set exchange.mode = \"asynchronous\", or leave the key out\n"},
      {kMachine + kJob + kData +
           "[exchange]\nmode = \"asynchronous\"\nstaleness = -1\nalgorithm = \"ring\"\n"
           "[loader]\njobs = 2\n",
       "bad.toml:8:1: error: exchange.mode: a GPU that waits for no other exchanges with servers; "
       "set exchange.algorithm = \"parameter-server\"\n"
       "bad.toml:8:1: error: exchange.mode: several jobs on a machine are synchronous each; set "
       "\"synchronous\", or loader.jobs = 1\n"
       "bad.toml:10:13: error: exchange.staleness must be a whole number from 0 to 1000000; found "
       "-1\n"},
      {kMachine + kJob + kData + "[exchange]\nalgorithm = \"torus\"\n[loader]\njobs = 2\n",
       "bad.toml:8:1: error: exchange.algorithm: several jobs on a machine each use a ring; set "
       "\"ring\"\n"},
      {kMachine + "[workload]\nmodel = \"bert-large\"\ndataset = \"mlperf-bert\"\n" + kData +
           "[loader]\ndecode = \"none\"\n[[replace]]\npart = \"gpu*\"\n"
           "with = \"nvidia-v100-sxm2-16gb\"\n[exchange]\nalgorithm = \"tree\"\n[parallel]\n"
           "pipeline = 5\n",
       "bad.toml:13:1: error: exchange.algorithm: replicas of a split model use a ring; set "
       "\"ring\"\n"
       "bad.toml:15:1: error: parallel.pipeline is 5, but bert-large has 24 blocks to share "
       "equally\n"
       "bad.toml:15:1: error: parallel: a model is split over 1 x 5 GPUs, and 8 GPUs do not make "
       "whole replicas of 5\n"}};
  for (const Wrong& wrong : all) CHECK(error_of(wrong.text) == wrong.message);
}

TEST_CASE("a node without a network card has nothing to join it to others") {
  const std::string text =
      "schema = 1\nnodes = 2\n[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n"
      "[data]\nat = \"ssd0\"\n[system]\ntitle = \"one\"\nsource = \"a test\"\nbasis = "
      "\"estimate\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = \"intel-xeon-e5-2698v4\"\nmemory = "
      "\"256 GiB\"\n[[system.gpu]]\nid = \"gpu0\"\nmodel = \"nvidia-p100-sxm2-16gb\"\nat = "
      "\"cpu0\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = \"intel-p4510-8tb\"\nat = \"cpu0\"\n";
  CHECK(error_of(text).find("nodes is 2, but system has no [[nic]] to join them\n") !=
        std::string::npos);
}

TEST_CASE("a global batch is shared by the GPUs of all nodes") {
  const auto scenario =
      parse_scenario(kTwo + kJob + "global_batch = 1024\n" + kData, "good.toml", own_catalog());
  CHECK(scenario.workload.get<RunsEpochs>().batch_per_gpu == 64);
}
