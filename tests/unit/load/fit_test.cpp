// SPDX-License-Identifier: Apache-2.0
// What does not fit together is refused, with the cause and a repair.
#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

std::string error_of(const std::string& text) {
  return refusal_of([&] { parse_scenario(text, "fit.toml", own_catalog()); });
}

/// A machine with one socket of 128 lanes; `more` follows the socket.
std::string machine(const std::string& more, const std::string& memory = "256 GiB") {
  return "[system]\n"
         "title = \"server\"\n" +
         more +
         "[[system.socket]]\n"
         "id = \"cpu0\"\n"
         "model = \"amd-epyc-74f3\"\n"
         "memory = \"" +
         memory + "\"\n";
}

std::string drives(int count, const std::string& model = "micron-9400-pro-7.68tb") {
  std::string text;
  for (int i = 0; i < count; ++i)
    text +=
        fmt::format("[[system.drive]]\nid = \"nvme{}\"\nmodel = \"{}\"\nat = \"cpu0\"\n", i, model);
  return text;
}

std::string volume(const std::string& layout) {
  return fmt::format("[[system.volume]]\nid = \"scratch\"\ndrives = [\"nvme*\"]\nlayout = \"{}\"\n",
                     layout);
}

const std::string kLoader =
    "[workload]\nkind = \"loader\"\ndataset = \"imagenet-1k\"\n[data]\nat = \"scratch\"\n";

std::string store(const std::string& keys) {
  return machine("") +
         "[[system.nic]]\nid = \"nic0\"\nmodel = \"mellanox-connectx-6-dx-100g\"\nat = \"cpu0\"\n"
         "[workload]\nkind = \"loader\"\ndataset = \"imagenet-1k\"\n[data]\nat = \"nas\"\n"
         "[store.nas]\nmodel = \"pure-flashblade-15-blade\"\n" +
         keys;
}

}  // namespace

TEST_CASE("RAID layouts need their drives") {
  const auto with = [](int count, const std::string& layout) {
    return error_of(machine("") + drives(count) + volume(layout) + kLoader);
  };
  CHECK(with(1, "raid0") == "accepted");
  CHECK(with(1, "raid1") ==
        "fit.toml:11:1: error: volume \"scratch\": raid1 needs 2 drives at least, and it has 1; "
        "add drives, or use another layout\n");
  CHECK(with(2, "raid5") ==
        "fit.toml:15:1: error: volume \"scratch\": raid5 needs 3 drives at least, and it has 2; "
        "add drives, or use another layout\n");
  CHECK(with(3, "raid5") == "accepted");
  CHECK(with(3, "raid6") ==
        "fit.toml:19:1: error: volume \"scratch\": raid6 needs 4 drives at least, and it has 3; "
        "add drives, or use another layout\n");
  CHECK(with(5, "raid10") ==
        "fit.toml:27:1: error: volume \"scratch\": raid10 needs pairs of drives, and it has 5; "
        "add one, or use another layout\n");
}

TEST_CASE("copies and parity take from the space of a volume") {
  // 6.85 TB of samples; two drives of 480 GB hold 0.96 TB, or 0.48 TB twice.
  const auto with = [](const std::string& layout, const std::string& samples) {
    return error_of(machine("") + drives(4, "samsung-pm883-480gb") + volume(layout) +
                    "[workload]\nkind = \"loader\"\ndataset_samples = " + samples +
                    "\ndataset = \"imagenet-1k\"\n[data]\nat = \"scratch\"\n");
  };
  // 10 M samples of 114660 B are 1.15 TB; four drives of 480 GB hold 1.92 TB.
  CHECK(with("raid0", "10_000_000") == "accepted");
  CHECK(with("files", "10_000_000") == "accepted");
  CHECK(with("raid5", "10_000_000") == "accepted");
  CHECK(with("raid6", "10_000_000") ==
        "fit.toml:32:6: error: data.at: the data set imagenet-1k is 1.15 TB and \"scratch\" holds "
        "960 GB; use more or larger drives, or another place\n");
  CHECK(with("raid1", "5_000_000") ==
        "fit.toml:32:6: error: data.at: the data set imagenet-1k is 573 GB and \"scratch\" holds "
        "480 GB; use more or larger drives, or another place\n");
}

TEST_CASE("a socket has only so many PCIe lanes") {
  CHECK(error_of(machine("") + drives(32) + volume("raid0") + kLoader) == "accepted");
  CHECK(error_of(machine("") + drives(33) + volume("raid0") + kLoader) ==
        "fit.toml:3:1: error: socket \"cpu0\": the parts on it take 132 PCIe lanes, and "
        "amd-epyc-74f3 has 128; hang some on another socket or behind a switch, or give them fewer "
        "lanes\n");
}

TEST_CASE("power supplies must bear what all parts draw") {
  CHECK(error_of(machine("power_supply = \"300 W\"\n") + drives(2) + volume("raid0") + kLoader) ==
        "accepted");
  CHECK(error_of(machine("power_supply = \"280 W\"\n") + drives(2) + volume("raid0") + kLoader) ==
        "fit.toml:1:1: error: system: its parts draw 290 W at full load, and its power supplies "
        "deliver 280 W; take fewer or thriftier parts, or a larger power_supply\n");
}

TEST_CASE("what the loaders hold must fit into memory") {
  const std::string loader = "[loader]\nworkers_per_gpu = 64\nprefetch_batches = 8\n";
  const std::string big =
      "[workload]\nkind = \"loader\"\nbatch_per_gpu = 256\n[workload.dataset]\ntitle = \"t\"\n"
      "samples = 100000\nsample_size = \"3 MB\"\ndecode_time = \"1 ms\"\n[data]\nat = "
      "\"scratch\"\n";
  CHECK(error_of(machine("", "512 GiB") + drives(1) + volume("raid0") + big + loader) ==
        "accepted");
  CHECK(error_of(machine("", "256 GiB") + drives(1) + volume("raid0") + big + loader) ==
        "fit.toml:25:1: error: the loaders may hold 512 batches, 393 GB of stored and decoded "
        "samples, and system has 266 GB of memory for them; lower loader.workers_per_gpu, "
        "loader.prefetch_batches or workload.batch_per_gpu\n");
  CHECK(error_of(machine("") + drives(1) + volume("raid0") + kLoader +
                 "[loader]\ncache_memory = \"1 TB\"\n") ==
        "fit.toml:20:1: error: loader.cache_memory is 1 TB, and system has 266 GB of memory for "
        "it; lower "
        "it\n");
}

TEST_CASE("where samples are dropped once read, only what they become waits in memory") {
  // 64 readers of 30 MB, and 512 batches of 256 samples of 2 MiB: 277 GB, or 258 GiB; and 8 GiB
  // for the system.
  const auto with = [](const std::string& memory) {
    return error_of(machine("", memory) + drives(1) + volume("raid0") +
                    "[workload]\nkind = \"loader\"\nbatch_per_gpu = 256\n[workload.dataset]\n"
                    "title = \"t\"\nsamples = 100000\nsample_size = \"30 MB\"\ndecoder = \"npz\"\n"
                    "[data]\nat = \"scratch\"\n"
                    "[loader]\nworkers_per_gpu = 64\nprefetch_batches = 8\n");
  };
  CHECK(with("268 GiB") == "accepted");
  CHECK(with("256 GiB") ==
        "fit.toml:25:1: error: the loaders may hold 512 batches, 277 GB of stored and decoded "
        "samples, and system has 266 GB of memory for them; lower loader.workers_per_gpu, "
        "loader.prefetch_batches or workload.batch_per_gpu\n");
}

TEST_CASE("readers have a pace of their own where they decode while they read") {
  const TemporaryFolder folder;
  const auto file =
      folder.write("slow.toml",
                   "title = \"slow\"\nsource = \"a test\"\nbasis = \"estimate\"\n"
                   "reader_bandwidth = \"100 MB/s\"\n[[cost]]\nper_sample = \"1 ms\"\n"
                   "source = \"a test\"\nbasis = \"estimate\"\n");
  CHECK(error_of(machine("") + drives(1) + volume("raid0") +
                 "[workload]\nkind = \"loader\"\n[workload.dataset]\ntitle = \"t\"\n"
                 "samples = 100000\nsample_size = \"3 MB\"\ndecoder = \"" +
                 file.string() + "\"\n[data]\nat = \"scratch\"\n") ==
        "fit.toml:17:1: error: workload.dataset: decoder slow has a reader_bandwidth, but does not "
        "decode while reading; add decodes_while_reading = true to it\n");
}

TEST_CASE("an engine that decodes is part of a GPU") {
  const TemporaryFolder folder;
  const auto file = folder.write("engine.toml",
                                 "title = \"engine\"\nsource = \"a test\"\n"
                                 "basis = \"estimate\"\n[[cost]]\nper_sample = \"1 ms\"\n"
                                 "engine = \"nvjpg\"\nsource = \"a test\"\n"
                                 "basis = \"estimate\"\n");
  CHECK(error_of(machine("") + drives(1) + volume("raid0") +
                 "[workload]\nkind = \"loader\"\n[workload.dataset]\ntitle = \"t\"\n"
                 "samples = 100000\nsample_size = \"3 MB\"\ndecoder = \"" +
                 file.string() + "\"\n[data]\nat = \"scratch\"\n") ==
        file.string() +
            ":4:1: error: cost.engine: nvjpg is part of a GPU, and this cost of decoder engine is "
            "one of cores; add the gpu, or leave engine out\n");
}

TEST_CASE("GPUDirect needs a GPU, no core to decode, and RDMA") {
  const std::string gpu =
      "[[system.gpu]]\nid = \"gpu0\"\nmodel = \"nvidia-v100-sxm2-16gb\"\nat = \"cpu0\"\n";
  const std::string job =
      "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\nbatch_per_gpu = 128\n";
  CHECK(error_of(machine("") + drives(1) + volume("raid0") + kLoader + "path = \"gpudirect\"\n") ==
        "fit.toml:20:8: error: data.path: no effect on a workload of kind \"loader\", only on kind "
        "\"training\", \"transfers\", \"inference\"; leave it out\n");
  CHECK(error_of(machine("") + gpu + drives(1) + volume("raid0") + job +
                 "[data]\nat = \"scratch\"\npath = \"gpudirect\"\n") ==
        "fit.toml:24:6: error: data.path = \"gpudirect\" reads into GPUs, where no core can "
        "decode; set loader.decode = \"gpu\", or \"none\" where samples are stored ready for "
        "training\n");
  CHECK(error_of(machine("") + gpu + drives(1) + volume("raid0") + job +
                 "[data]\nat = \"scratch\"\npath = \"gpudirect\"\n[loader]\ndecode = \"none\"\n") ==
        "accepted");
}

TEST_CASE("GPUDirect reads stores by RDMA alone, whatever the protocol is called") {
  const auto told = [](const std::string& protocol, const std::string& data) {
    return error_of(
        "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
        "\"imagenet-1k\"\n[loader]\ndecode = \"none\"\n[store.nas]\nmodel = "
        "\"iei-as13000-3-nodes\"\nprotocol = " +
        protocol + "\n[data]\nat = \"nas\"\npath = \"gpudirect\"\n" + data);
  };
  for (const char* name : {"nfs-rdma", "nvme-rdma", "lustre", "lustre-cray", "weka"})
    CHECK(told(fmt::format("\"{}\"", name), "") == "accepted");
  for (const char* name :
       {"s3", "s3-express", "smb-3", "hdfs", "azure-blob", "gcs-grpc", "nfs-tcp", "nfs-tcp-ec2",
        "nfs-tcp-efs", "nfs-tcp-nconnect", "lustre-tcp", "nvme-tcp"})
    CHECK(
        told(fmt::format("\"{}\"", name), "") ==
        fmt::format("fit.toml:11:6: error: data.path = \"gpudirect\" needs RDMA to the store "
                    "\"nas\", and {} goes through host memory; use nfs-rdma, nvme-rdma, lustre or "
                    "weka, whichever it speaks, or data.path = \"host\"\n",
                    name));
  const std::string own = "{ title = \"ours\", source = \"us\", basis = \"estimate\", rdma = ";
  CHECK(told(own + "true }", "") == "accepted");
  CHECK(told(own + "false }", "").find("needs RDMA") != std::string::npos);
  CHECK(told("\"weka\"", "mode = \"direct\"\n") == "accepted");
  CHECK(told("\"weka\"", "mode = \"buffered\"\n") ==
        "fit.toml:11:6: error: data.path = \"gpudirect\" goes around the page cache; set data.mode "
        "= \"direct\", or leave it out\n");
}

TEST_CASE("copies between a store and a GPU by GPUDirect need RDMA, too") {
  const auto told = [](const std::string& copy) {
    return error_of(
        "system = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"transfers\"\n[[workload.copy]]\n" +
        copy + "[store.nas]\nmodel = \"dell-powerscale-f710-4-nodes\"\nprotocol = \"nfs-tcp\"\n" +
        "[data]\npath = \"gpudirect\"\n");
  };
  const std::string needs =
      "error: data.path = \"gpudirect\" needs RDMA to the store \"nas\", and nfs-tcp goes through "
      "host memory; use nfs-rdma, nvme-rdma, lustre or weka, whichever it speaks, or data.path = "
      "\"host\"\n";
  CHECK(told("from = \"nas\"\nto = \"gpu0\"\n") == "fit.toml:5:8: " + needs);
  CHECK(told("from = \"gpu0\"\nto = \"nas\"\n") == "fit.toml:6:6: " + needs);
  CHECK(told("from = \"nas\"\nto = \"cpu0\"\n") == "accepted");
}

TEST_CASE("a store is asked only in what it speaks") {
  const auto told = [](const std::string& model, const std::string& protocol) {
    return error_of(
        "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
        "\"imagenet-1k\"\n[store.nas]\nmodel = " +
        model + "\nprotocol = " + protocol + "\n[data]\nat = \"nas\"\n");
  };
  CHECK(told("\"netapp-aff-a90\"", "\"nfs-tcp-ec2\"") == "accepted");
  CHECK(told("\"weka-wekapod-nitro-8-servers\"", "\"weka\"") == "accepted");
  CHECK(told("\"netapp-aff-a90\"", "\"weka\"") ==
        "fit.toml:5:1: error: store.nas: netapp-aff-a90 speaks nfs, smb, nvme, s3, and weka is of "
        "the family weka; choose another protocol or store\n");
  CHECK(
      told("\"amazon-s3-one-prefix\"", "\"lustre\"") ==
      "fit.toml:5:1: error: store.nas: amazon-s3-one-prefix speaks s3, and lustre is of the family "
      "lustre; choose another protocol or store\n");
  CHECK(told("\"amazon-s3-one-prefix\"", "\"none\"\nconnections = 4") ==
        "fit.toml:5:1: error: store.nas: connections is given, but no protocol to say what one "
        "carries; add one, such as protocol = \"s3\"\n");
  // Of what is not known, anything is possible.
  CHECK(told("\"iei-as13000-3-nodes\"", "\"weka\"") == "accepted");
  CHECK(told("\"netapp-aff-a90\"", "{ title = \"ours\", source = \"us\", basis = \"estimate\" }") ==
        "accepted");
}

TEST_CASE("a store is asked only for what it has") {
  CHECK(error_of(store("")) == "accepted");
  CHECK(error_of(store("protocol = \"nfs-tcp\"\nconnections = 16\n")) == "accepted");
  CHECK(error_of(store("connections = 16\n")) == "accepted");
  CHECK(error_of(store("protocol = \"none\"\nconnections = 16\n")) ==
        "fit.toml:16:1: error: store.nas: connections is given, but no protocol to say what one "
        "carries; add one, such as protocol = \"nfs-tcp\"\n");
  CHECK(error_of(store("stripes = 4\n")) ==
        "fit.toml:16:1: error: store.nas: stripes is given, but pure-flashblade-15-blade does not "
        "say what one of its storage targets gives (stripe_bandwidth); leave it out\n");
  CHECK(error_of(store("blades = 30\n")) == "accepted");
  CHECK(error_of(store("blades = 300\n")) ==
        "fit.toml:16:1: error: store.nas: 300 blades are asked for, and pure-flashblade-15-blade "
        "takes 150 at most\n");
}
