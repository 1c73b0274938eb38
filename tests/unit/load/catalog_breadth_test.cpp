// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <string>

#include <algorithm>
#include <fstream>
#include <set>

#include "sim/model/scenario.h"
#include "sim/topology/routes.h"
#include "tests/support/approx.h"
#include "tests/support/entries.h"
#include "tests/support/refusals.h"

using namespace gpufeed;
using namespace gpufeed::literals;

namespace {

std::string value_of(const EntryText& entry, std::string_view key) {
  for (const auto& line : entry.lines)
    if (line.key == key) return line.value;
  return kUnknown;
}

bool known(const std::string& kind, const std::string& name) {
  return std::ranges::count(own_catalog().names(kind), name) == 1;
}

/// How many entries of a kind have this value.
long count_with(const std::string& kind, std::string_view key, std::string_view value) {
  const auto names = own_catalog().names(kind);
  return std::ranges::count_if(
      names, [&](const std::string& name) { return value_of(entry_of(kind, name), key) == value; });
}

Scenario on_system(const std::string& system) {
  return parse_scenario("system = \"" + system +
                            "\"\n[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n"
                            "batch_per_gpu = 16\n",
                        "test.toml", own_catalog());
}

/// A catalog with a GPU, a drive and a machine that hold every model and every data set.
class AmpleCatalog {
 public:
  AmpleCatalog() {
    write("gpu/ample.toml",
          "link = \"pcie-5.0\"\nlanes = 16\nmemory = \"10 TB\"\npeak_fp32 = \"10 TFLOP/s\"\n");
    write("drive/ample.toml",
          "link = \"pcie-5.0\"\nlanes = 4\ncapacity = \"1 PB\"\nread_bandwidth = \"10 GB/s\"\n"
          "write_bandwidth = \"10 GB/s\"\nread_rate = \"1 MIOPS\"\nread_latency = \"50 us\"\n");
    write("system/ample.toml",
          "[[socket]]\nid = \"cpu0\"\nmodel = \"amd-epyc-9654\"\nmemory = \"2 TiB\"\n"
          "[[gpu]]\nid = \"gpu0\"\nmodel = \"ample\"\nat = \"cpu0\"\n"
          "[[drive]]\nid = \"ssd0\"\nmodel = \"ample\"\nat = \"cpu0\"\n");
    // It does not say what it holds, so that any network takes it.
    write("dataset/ample.toml",
          "samples = 1_000_000\nsample_size = \"100 kB\"\ndecode_time = \"1 ms\"\n");
  }
  AmpleCatalog(const AmpleCatalog&) = delete;
  AmpleCatalog& operator=(const AmpleCatalog&) = delete;
  ~AmpleCatalog() { std::filesystem::remove_all(folder_); }

  Scenario train(const std::string& model, const std::string& dataset,
                 const std::string& more = {}) const {
    const Catalog catalog({folder_, kSource + "/hw_catalog", kSource + "/workloads"});
    return parse_scenario(
        "system = \"ample\"\n[workload]\nmodel = \"" + model + "\"\ndataset = \"" + dataset +
            "\"\nbatch_per_gpu = 1\noptimizer = \"sgd\"\n" + more + "[data]\nat = \"ssd0\"\n",
        "test.toml", catalog);
  }

 private:
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << "title = \"ample\"\nsource = \"a test\"\n"
                                     "basis = \"estimate\"\n"
                                  << text;
  }

  inline static const std::string kSource = GPUFEED_SOURCE_DIR;
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "gpufeed-ample-catalog";
};

const std::string kRate =
    "[[workload.compute]]\ngpu = \"ample\"\nbatch = 1\nrate = \"1 /s\"\nsource = \"a test\"\n"
    "basis = \"estimate\"\n";

struct MlperfJob {
  std::string name, dataset, accelerator;
  std::int64_t batch;
  Seconds compute_time;
  std::int64_t read_threads, epochs;
  double threshold;
};

}  // namespace

TEST_CASE("the catalog is as broad as it says") {
  const auto count = [](const std::string& kind) { return own_catalog().names(kind).size(); };
  CHECK(count("gpu") >= 24);
  CHECK(count("cpu") >= 30);
  CHECK(count("drive") >= 50);
  CHECK(count("nic") >= 20);
  CHECK(count("array") >= 12);
  CHECK(count("system") >= 18);
  CHECK(count("model") >= 9 + 20);
  CHECK(count("dataset") >= 20);
}

TEST_CASE("every kind of drive is there, of each several") {
  const long disks = count_with("drive", "medium", "disk");
  CHECK(disks >= 5);
  CHECK(count_with("drive", "link", "sata-3") - disks >= 5);
  CHECK(count_with("drive", "link", "sas-3") + count_with("drive", "link", "sas-4") >= 3);
  for (const auto* generation : {"pcie-3.0", "pcie-4.0", "pcie-5.0"})
    CHECK(count_with("drive", "link", generation) >= 5);
  CHECK(count_with("drive", "endurance_class", "read-intensive") >= 10);
  CHECK(count_with("drive", "endurance_class", "mixed-use") >= 10);
}

TEST_CASE("every link between processors and GPUs is there") {
  for (const auto* name :
       {"pcie-2.0", "pcie-3.0", "pcie-4.0", "pcie-5.0",  "pcie-6.0", "nvlink-1", "nvlink-2",
        "nvlink-3", "nvlink-4", "nvlink-5", "qpi-8.0",   "qpi-9.6",  "upi-10.4", "upi-11.2",
        "upi-16",   "upi-20",   "upi-24",   "xgmi-10.7", "xgmi-16",  "xgmi-18",  "xgmi-32"}) {
    CAPTURE(name);
    CHECK(known("link", name));
  }
}

TEST_CASE("every value of every entry has a source and a basis, and every price a year") {
  long priced_drives = 0;
  for (const auto& kind : catalog_kinds())
    for (const auto& name : own_catalog().names(kind)) {
      CAPTURE(name);
      const EntryText entry = entry_of(kind, name);
      for (const auto& line : entry.lines) {
        CAPTURE(line.key);
        CHECK_FALSE((line.source.empty() ? entry.source : line.source).empty());
        CHECK_FALSE((line.basis.empty() ? entry.basis : line.basis).empty());
      }
      const bool priced = value_of(entry, "price") != kUnknown;
      CHECK(priced == (value_of(entry, "price_year") != kUnknown));
      if (kind == "drive" && priced) ++priced_drives;
    }
  CHECK(priced_drives >= 50);
}

TEST_CASE("every shared store is read with every protocol that it speaks, and there is one") {
  std::map<std::string, std::string> families;
  for (const auto& protocol : own_catalog().names("protocol"))
    families[protocol] = value_of(entry_of("protocol", protocol), "family");
  for (const auto& array : own_catalog().names("array")) {
    const std::string spoken = value_of(entry_of("array", array), "protocols");
    int spoken_here = 0;
    for (const auto& known : families) {
      const std::string& protocol = known.first;
      const std::string& family = known.second;
      if (spoken != kUnknown && spoken.find(family) == std::string::npos) continue;
      ++spoken_here;
      CAPTURE(array);
      CAPTURE(protocol);
      const Scenario scenario = parse_scenario(
          fmt::format("system = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"resnet-50\"\n"
                      "dataset = \"imagenet-1k\"\n[data]\nat = \"shared\"\n[store.shared]\n"
                      "model = \"{}\"\nprotocol = \"{}\"\nvia = [\"eth*\"]\n",
                      array, protocol),
          "test.toml", own_catalog());
      const Graph graph = build_graph(scenario, {.request = 128_kB});
      CHECK(read_route(scenario, graph, {PartKind::store, 0}, graph.gpu(7), {.gpu = 7}));
    }
    CAPTURE(array);
    CHECK(spoken_here > 0);
  }
}

TEST_CASE("what reads of another socket attain is known of a Xeon Platinum 8160") {
  const EntryText cpu = entry_of("cpu", "intel-xeon-platinum-8160");
  for (const auto* key : {"remote_dma_read", "remote_dma_write", "remote_core_read"})
    CHECK(value_of(cpu, key) == "34 GB/s");
}

TEST_CASE("the machines that must be known are known") {
  for (const auto* name : {"nvidia-dgx1-p100",     "nvidia-dgx1-v100",
                           "nvidia-dgx2",          "nvidia-dgx-a100",
                           "nvidia-dgx-h100",      "hpe-apollo-6500-8to1",
                           "hpe-apollo-6500-4to1", "dell-c4130-b",
                           "dell-c4130-c",         "dell-c4130-g",
                           "dell-c4130-k",         "dell-c4140-b",
                           "dell-c4140-k",         "dell-c4140-m",
                           "supermicro-4028gr-tr", "supermicro-4028gr-tr2",
                           "inspur-nf5280m4",      "inspur-nf5568m4",
                           "inspur-agx-2",         "inspur-sr-ai-rack",
                           "ibm-s822lc",           "single-root-workstation-4-gpus",
                           "aws-p2.8xlarge",       "aws-p3.16xlarge",
                           "aws-p4d.24xlarge",     "aws-p5.48xlarge",
                           "gce-8x-k80",           "workstation-4x-rtx-3090"}) {
    CAPTURE(name);
    CHECK(known("system", name));
  }
}

TEST_CASE("on every machine data find a way from each drive to each GPU and memory, and back") {
  for (const auto& name : own_catalog().names("system")) {
    CAPTURE(name);
    const Scenario scenario = on_system(name);
    const System& system = *scenario.system;
    const Graph graph = build_graph(scenario, {.request = 128_kB});
    std::vector<VertexIndex> targets;
    for (std::size_t i = 0; i < system.sockets.size(); ++i)
      targets.push_back(graph.memory_of({PartKind::socket, i}));
    for (std::size_t i = 0; i < system.gpus.size(); ++i) targets.push_back(graph.gpu(i));
    CHECK_FALSE(system.gpus.empty());
    CHECK_FALSE(system.drives.empty());
    for (std::size_t i = 0; i < system.drives.size(); ++i)
      for (const VertexIndex target : targets) {
        CAPTURE(i);
        CHECK(read_route(scenario, graph, {PartKind::drive, i}, target, {}));
        CHECK(write_route(scenario, graph, target, {PartKind::drive, i}, {}));
      }
    for (std::size_t i = 1; i < system.gpus.size(); ++i)
      CHECK(peer_route(scenario, graph, 0, i, true));
  }
}

TEST_CASE("every data set can train every model that takes what it holds") {
  const AmpleCatalog ample;
  const std::set<std::string> pixels{"images", "video", "volumes"};  // slices, frames
  std::set<std::string> kinds_of_sets;
  for (const auto& dataset : own_catalog().names("dataset")) {
    CAPTURE(dataset);
    const std::string holds = value_of(entry_of("dataset", dataset), "content");
    const bool first_of_sets = kinds_of_sets.insert(holds).second;
    std::set<std::string> kinds_of_models;
    std::int64_t trained = 0;
    for (const auto& model : own_catalog().names("model")) {
      CAPTURE(model);
      const std::string takes = value_of(entry_of("model", model), "takes");
      // All models with one set of each kind, and all sets with one model of each
      if (!kinds_of_models.insert(takes).second && !first_of_sets) continue;
      const std::string refusal = refusal_of([&] { ample.train(model, dataset, kRate); });
      if (takes == holds || takes == kUnknown || (pixels.contains(takes) && pixels.contains(holds)))
        CHECK(refusal == "accepted");
      else
        CHECK(refusal ==
              fmt::format("test.toml:3:9: error: workload.model: {} takes {}, and the data set {} "
                          "holds {}; choose another network or data set\n",
                          model, takes, dataset, holds));
      trained += refusal == "accepted" ? 1 : 0;
    }
    CHECK(trained > 0);
  }
}

TEST_CASE("the step of every model is estimated on a GPU where nobody measured it") {
  const AmpleCatalog ample;
  for (const auto& model : own_catalog().names("model")) {
    CAPTURE(model);
    const Scenario scenario = ample.train(model, "ample");
    REQUIRE(scenario.workload.get<ComputesModel>().step_lines.size() == 1);
    CHECK(scenario.workload.get<ComputesModel>().step_lines.front().per_sample > 0_s);
  }
  for (const auto& gpu : own_catalog().names("gpu")) {
    CAPTURE(gpu);
    // Intel states no rate of Gaudi 3 in fp32.
    const char* const known = gpu == "intel-gaudi-3" ? "peak_bf16" : "peak_fp32";
    CHECK(value_of(entry_of("gpu", gpu), known) != kUnknown);
    CHECK(value_of(entry_of("gpu", gpu), "memory_bandwidth") != kUnknown);
  }
}

TEST_CASE("layers of published networks count to their published parameters") {
  const auto parameters = [](const std::string& model) {
    return value_of(entry_of("model", model), "parameters");
  };
  CHECK(parameters("bert-base") == "109,482,240");
  CHECK(parameters("gpt-2-small") == "124,439,808");
  CHECK(parameters("gpt-2-xl") == "1,557,611,200");
  CHECK(parameters("vit-b-16") == "86,567,656");
  CHECK(parameters("vit-l-16") == "304,326,632");
  CHECK(parameters("mnist-mlp") == "11,972,510");
}

TEST_CASE("every workload of MLPerf Storage has the benchmark's parameters") {
  const std::vector<MlperfJob> jobs{
      {"mlperf-unet3d-v100", "mlperf-unet3d", "V100", 4, {1.3604}, 4, 5, 0.90},
      {"mlperf-bert-v100", "mlperf-bert", "V100", 48, {0.968}, 1, 1, 0.90},
      {"mlperf-unet3d-a100", "mlperf-unet3d", "A100", 7, {0.636}, 4, 5, 0.90},
      {"mlperf-unet3d-h100", "mlperf-unet3d", "H100", 7, {0.323}, 4, 5, 0.90},
      {"mlperf-resnet50-a100", "mlperf-resnet50", "A100", 400, {0.435}, 8, 5, 0.90},
      {"mlperf-resnet50-h100", "mlperf-resnet50", "H100", 400, {0.224}, 8, 5, 0.90},
      {"mlperf-cosmoflow-a100", "mlperf-cosmoflow", "A100", 1, {0.00551}, 4, 5, 0.70},
      {"mlperf-cosmoflow-h100", "mlperf-cosmoflow", "H100", 1, {0.0035}, 4, 5, 0.70},
      {"mlperf-unet3d-b200", "mlperf-unet3d-v3", "B200", 7, {0.162}, 4, 5, 0.90},
      {"mlperf-retinanet-b200", "mlperf-retinanet", "B200", 24, {0.04755}, 4, 8, 0.85},
      {"mlperf-retinanet-mi355", "mlperf-retinanet", "MI355X", 36, {0.071325}, 4, 8, 0.85}};
  CHECK(own_catalog().names("job").size() == jobs.size());
  for (const auto& expected : jobs) {
    CAPTURE(expected.name);
    const Scenario scenario =
        parse_scenario("system = \"inspur-agx-2\"\n[workload]\nkind = \"emulated\"\njob = \"" +
                           expected.name + "\"\ngpus = 1\n",
                       "test.toml", own_catalog());
    const Job& job = **scenario.workload.get<kind::Emulated>().job;
    CHECK(job.dataset.name == expected.dataset);
    CHECK(job.accelerator == expected.accelerator);
    CHECK(job.batch == expected.batch);
    CHECK(job.compute_time.value == approx(expected.compute_time.value));
    CHECK(job.read_threads == expected.read_threads);
    CHECK(job.epochs == expected.epochs);
    CHECK(job.threshold.value == approx(expected.threshold));
    CHECK(job.least_steps == 500);
    CHECK(job.memory_multiple == 5);
  }
}
