// SPDX-License-Identifier: Apache-2.0
// What a user reads for wrong pipelines and services, to the letter.
#include <doctest/doctest.h>

#include <vector>

#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

std::string error_of(const std::string& text) {
  return refusal_of([&] { parse_scenario(text, "bad.toml", own_catalog()); });
}

const std::string kPipeline =
    "system = \"nvidia-dgx1-p100\"\n"
    "store.nas.model = \"pure-flashblade-15-blade\"\n"
    "[workload]\n"
    "kind = \"pipeline\"\n";
const std::string kData = "dataset = \"imagenet-1k\"\n";
const std::string kStage =
    "[[workload.stage]]\n"
    "name = \"explore\"\n"
    "at = \"scratch\"\n"
    "output = \"0 %\"\n";
const std::string kService =
    "system = \"nvidia-dgx1-p100\"\n"
    "[workload]\n"
    "kind = \"inference\"\n"
    "model = \"resnet-50\"\n"
    "dataset = \"imagenet-1k\"\n";

struct Case {
  const char* name;
  std::string text;
  std::string message;
};

std::vector<Case> pipelines() {
  return {
      {"a pipeline without data and stages", kPipeline,
       "bad.toml:3:1: error: workload: \"dataset\" is missing; pipeline needs the data that its "
       "first stage reads: a name in the catalog, a path to a file, or a table; or input = \"2 "
       "TB\"\n"
       "bad.toml:3:1: error: workload: \"stage\" is missing; pipeline needs one at least: "
       "[[workload.stage]] tables\n"},
      {"two amounts of data", kPipeline + kData + "input = \"1 TB\"\n" + kStage,
       "bad.toml:3:1: error: workload.dataset and workload.input exclude each other; leave one "
       "out\n"},
      {"a stage without a name and a place", kPipeline + kData + "[[workload.stage]]\n",
       "bad.toml:6:1: error: workload.stage[0]: \"at\" is missing; it must be the id of a part, in "
       "quotes\n"
       "bad.toml:6:1: error: workload.stage[0]: \"name\" is missing; it must be text in quotes\n"},
      {"a stage at no place",
       kPipeline + kData + "[[workload.stage]]\nname = \"clean\"\nat = \"scratc\"\n",
       "bad.toml:8:6: error: workload.stage.at: there is no volume, drive or store \"scratc\"; did "
       "you mean \"scratch\"?\n"},
      {"data at no place", kPipeline + kData + kStage + "[data]\nat = \"nass\"\n",
       "bad.toml:11:6: error: data.at: there is no volume, drive or store \"nass\"; did you mean "
       "\"nas\"?\n"},
      {"two stages of one name", kPipeline + kData + kStage + kStage,
       "bad.toml:10:1: error: workload.stage: two stages are called \"explore\"; rename one\n"},
      {"two rates",
       kPipeline + kData + kStage +
           "rate = \"1 GB/s\"\n"
           "samples_rate = \"10 samples/s\"\n",
       "bad.toml:6:1: error: workload.stage: rate and samples_rate of \"explore\" exclude each "
       "other; leave one out\n"},
      {"samples of plain bytes",
       kPipeline + "input = \"1 TB\"\n" + kStage + "samples_rate = \"10 samples/s\"\n",
       "bad.toml:6:1: error: workload.stage: samples_rate of \"explore\" needs samples, and "
       "workload.input has none; give rate, or a dataset\n"},
      {"a rate without a unit", kPipeline + kData + kStage + "rate = 5\n",
       "bad.toml:10:8: error: workload.stage[0].rate must be text with a unit from \"1 kB/s\" to "
       "\"1000 TB/s\"; found 5\n"},
      {"no server", kPipeline + kData + kStage + "servers = 0\n",
       "bad.toml:10:11: error: workload.stage[0].servers must be a whole number from 1 to 1000000; "
       "found 0\n"},
      {"a copy rate where nothing is copied",
       kPipeline + kData + kStage + "copy_rate = \"1 GB/s\"\n",
       "bad.toml:6:1: error: workload.stage: copy_rate of \"explore\" has nothing to limit: its "
       "data lie at \"scratch\" already; leave it out\n"},
      {"two stages that train",
       kPipeline + kData + kStage + "trains = true\n" +
           "[[workload.stage]]\nname = \"train\"\nat = \"scratch\"\noutput = \"0 %\"\n"
           "trains = true\n",
       "bad.toml:3:1: error: workload.stage: 2 stages have trains = true; leave one\n"},
      {"a stage that writes to a store of unknown write rate",
       kPipeline + kData + "[[workload.stage]]\nname = \"clean\"\nat = \"nas\"\n",
       "bad.toml:8:6: error: workload.stage.at: what \"nas\" takes is not known; add "
       "write_bandwidth to pure-flashblade-15-blade\n"},
      {"a copy to a store of unknown write rate",
       kPipeline + kData + kStage +
           "[[workload.stage]]\nname = \"train\"\nat = \"nas\"\noutput = \"0 %\"\n",
       "bad.toml:12:6: error: workload.stage.at: what \"nas\" takes is not known; add "
       "write_bandwidth to pure-flashblade-15-blade\n"},
      {"more than a place holds",
       kPipeline + "input = \"5 TB\"\n" +
           "[[workload.stage]]\nname = \"clean\"\nat = \"scratch\"\noutput = \"60 %\"\n",
       "bad.toml:8:6: error: workload.stage.at: \"clean\" reads and writes 8 TB, and \"scratch\" "
       "holds 7.68 TB; use more or larger drives, or another place\n"},
      {"a pipeline straight into GPUs",
       kPipeline + kData + kStage + "[data]\npath = \"gpudirect\"\n",
       "bad.toml:11:8: error: data.path: no effect on a workload of kind \"pipeline\", only on "
       "kind "
       "\"training\", \"transfers\", \"inference\"; leave it out\n"},
      {"a pipeline with a copy-in of its own",
       kPipeline + kData + kStage + "[data]\nstaging = { from = \"nas\" }\n",
       "bad.toml:11:11: error: data.staging: no effect on a workload of kind \"pipeline\", only on "
       "kind \"training\", \"emulated\", \"loader\"; leave it out\n"},
  };
}

std::vector<Case> services() {
  const std::string good = "serving = { clients = 1 }\n";
  return {
      {"a service without anything",
       "system = \"nvidia-dgx1-p100\"\n"
       "[workload]\n"
       "kind = \"inference\"\n",
       "bad.toml:2:1: error: workload: \"dataset\" is missing; inference needs the inputs of "
       "requests: a name in the catalog, a path to a file, or a table\n"
       "bad.toml:2:1: error: workload: \"model\" is missing; inference needs the network to serve: "
       "a name in the catalog, a path to a file, or a table\n"
       "bad.toml:2:1: error: workload: \"serving\" is missing; inference needs the requests, such "
       "as { request_rate = \"100 samples/s\", largest_batch = 8 }\n"},
      {"requests of no number", kService + "serving = {}\n",
       "bad.toml:6:11: error: workload.serving: how many requests come is missing; give "
       "request_rate, or clients that wait for their answers\n"},
      {"requests of two numbers",
       kService + "serving = { clients = 1, request_rate = \"10 samples/s\" }\n",
       "bad.toml:6:11: error: workload.serving: request_rate and clients exclude each other; leave "
       "one out\n"},
      {"no batch", kService + "serving = { clients = 1, largest_batch = 0 }\n",
       "bad.toml:6:42: error: workload.serving.largest_batch must be a whole number from 1 to "
       "4096; found 0\n"},
      {"too few requests to tell anything", kService + "serving = { clients = 1, requests = 10 }\n",
       "bad.toml:6:37: error: workload.serving.requests must be a whole number from 1000 to "
       "2000000; found 10\n"},
      {"inputs from nowhere", kService + "serving = { clients = 1, inputs = \"disk\" }\n",
       "bad.toml:6:35: error: workload.serving.inputs must be one of \"storage\", \"memory\"; "
       "found \"disk\"\n"},
      {"a misspelt key of a service", kService + "serving = { client = 1 }\n",
       "bad.toml:6:11: error: workload.serving: how many requests come is missing; give "
       "request_rate, or clients that wait for their answers\n"
       "bad.toml:6:13: error: workload.serving: unknown key \"client\"; did you mean "
       "\"clients\"?\n"},
      {"a model larger than a GPU", kService + good + "model_size = \"20 GB\"\n",
       "bad.toml:4:9: error: workload.model: resnet-50 takes 20 GB in fp32, and "
       "nvidia-p100-sxm2-16gb holds 17.2 GB; use another precision or GPU\n"},
      {"no rate in a precision", kService + good + "precision = \"fp8\"\n",
       "bad.toml:4:9: error: workload.model: no training rate of resnet-50 on "
       "nvidia-p100-sxm2-16gb in fp8 is known; known: nvidia-a100-sxm4-40gb fp16, "
       "nvidia-a100-sxm4-40gb tf32, nvidia-a100-sxm4-80gb fp16, nvidia-a100-sxm4-80gb tf32, "
       "nvidia-h200-sxm5-141gb bf16, nvidia-h200-sxm5-141gb fp16, nvidia-k80-die fp32, "
       "nvidia-p100-sxm2-16gb fp32, nvidia-v100-sxm2-16gb fp16, nvidia-v100-sxm2-16gb fp32, "
       "nvidia-v100-sxm2-32gb fp16, nvidia-v100-sxm2-32gb fp32; none can be estimated: "
       "nvidia-p100-sxm2-16gb does not say its "
       "peak in fp8; add a [[workload.compute]] table with a measured rate\n"},
      {"rates of the forward pass on another GPU",
       kService + good +
           "[[workload.forward]]\n"
           "gpu = \"nvidia-l40s\"\n"
           "batch = 1\n"
           "rate = \"100 samples/s\"\n"
           "source = \"a test\"\n"
           "basis = \"estimate\"\n",
       "bad.toml:7:1: error: workload.forward: no rate on nvidia-p100-sxm2-16gb in fp32 is given; "
       "add a [[workload.forward]] table for it\n"},
      {"decoding on GPUs", kService + good + "[loader]\ndecode = \"gpu\"\n",
       "bad.toml:5:11: error: workload.dataset: imagenet-1k has no decoder; add one that decodes "
       "on GPUs, or set loader.decode = \"none\" where samples are stored ready for training\n"
       "bad.toml:7:1: error: loader.decode: inference decodes on cores; set it to \"cpu\", or to "
       "\"none\" where inputs arrive ready for the GPU\n"},
      {"inputs straight into GPUs that cores must decode",
       kService + good + "[data]\nat = \"scratch\"\npath = \"gpudirect\"\n",
       "bad.toml:8:6: error: data.path = \"gpudirect\" reads inputs into GPUs, where no core can "
       "decode; set loader.decode = \"none\", or workload.serving.inputs = \"memory\" where only "
       "the model is read that way\n"},
      {"a model straight into GPUs over TCP",
       kService + "serving = { clients = 1, inputs = \"memory\" }\n" +
           "[data]\nat = \"nas\"\npath = \"gpudirect\"\n"
           "[store.nas]\nmodel = \"netapp-aff-a800\"\nprotocol = \"nfs-tcp\"\n",
       "bad.toml:8:6: error: data.path = \"gpudirect\" needs RDMA to the store \"nas\", and "
       "nfs-tcp "
       "goes through host memory; use nfs-rdma, nvme-rdma, lustre or weka, whichever it speaks, "
       "or data.path = \"host\"\n"},
      {"a service that copies in",
       kService + good +
           "[data]\nat = \"scratch\"\nstaging = { from = \"nas\" }\n"
           "[store.nas]\nmodel = \"netapp-aff-a800\"\n",
       "bad.toml:9:11: error: data.staging: no effect on a workload of kind \"inference\", only on "
       "kind \"training\", \"emulated\", \"loader\"; leave it out\n"},
      {"a forward pass with a part of training",
       kService + good +
           "[[workload.forward]]\ngpu = \"nvidia-p100-sxm2-16gb\"\nbatch = 4\nrate = \"900 /s\"\n"
           "includes = [\"exchange\"]\nsource = \"s\"\nbasis = \"measured\"\n",
       "bad.toml:7:1: error: workload.forward: includes says what else a training rate holds; a "
       "forward pass holds nothing else, so leave it out\n"},
      {"two rates of one batch",
       kService + good +
           "[[workload.forward]]\ngpu = \"nvidia-p100-sxm2-16gb\"\nbatch = 4\nrate = \"900 /s\"\n"
           "source = \"s\"\nbasis = \"measured\"\n"
           "[[workload.forward]]\ngpu = \"nvidia-p100-sxm2-16gb\"\nbatch = 4\nrate = \"800 /s\"\n"
           "source = \"s\"\nbasis = \"measured\"\n",
       "bad.toml:13:1: error: workload.forward: two rates on nvidia-p100-sxm2-16gb in fp32 at "
       "batch "
       "4 are given; leave one out\n"},
      {"more GPUs than there are", kService + good + "gpus = 9\n",
       "bad.toml:2:1: error: workload.gpus is 9, but nvidia-dgx1-p100 has 8 GPUs\n"},
  };
}

}  // namespace

TEST_CASE("every malformed pipeline is refused with its own message") {
  for (const auto& wrong : pipelines()) {
    CAPTURE(wrong.name);
    CHECK(error_of(wrong.text) == wrong.message);
  }
  CHECK(error_of(kPipeline + kData + kStage) == "accepted");
}

TEST_CASE("every malformed service is refused with its own message") {
  for (const auto& wrong : services()) {
    CAPTURE(wrong.name);
    CHECK(error_of(wrong.text) == wrong.message);
  }
  CHECK(error_of(kService + "serving = { clients = 1 }\n") == "accepted");
}

TEST_CASE("pipelines and services read back from the TOML that they are written as") {
  const std::string pipeline =
      kPipeline + kData + kStage + "rate = \"1 GB/s\"\nservers = 3\ntrains = true\n";
  const std::string service =
      kService + "model_size = \"1 GB\"\n[workload.serving]\nrequest_rate = \"5 samples/s\"\n";
  for (const std::string& text : {pipeline, service}) {
    const std::string written = to_toml(parse_scenario(text, "a.toml", own_catalog(), {}));
    CHECK(to_toml(parse_scenario(written, "b.toml", own_catalog(), {})) == written);
  }
}
