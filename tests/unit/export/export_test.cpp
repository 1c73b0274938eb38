// SPDX-License-Identifier: Apache-2.0
#include "sim/export/export.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/import/fio/fio_file.h"
#include "sim/load/key_values.h"
#include "sim/load/scenario_source.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/examples.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

const std::string kIo =
    "title = \"requests\"\nsystem = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"io\"\n"
    "[workload.io]\nblock_size = \"16 KiB\"\nqueue_depth = 32\njobs = 4\npattern = \"random\"\n"
    "read_share = \"70 %\"\nengine = \"io_uring\"\nfile_size = \"1 GiB\"\n[data]\nat = "
    "\"scratch\"\n";

const std::string kTraining =
    "system = \"nvidia-dgx-h100\"\nnodes = 2\n[workload]\nmodel = \"resnet-50\"\n"
    "framework = \"pytorch\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
    "batch_per_gpu = 256\n[loader]\nworkers_per_gpu = 14\n";

Exported made(ExportTool tool, const std::string& toml,
              const std::optional<ExportPattern>& pattern = {}) {
  const ScenarioSource source(toml, "own.toml", own_catalog());
  const Scenario scenario = source.load();
  const GivenKeys given = key_values(toml);
  return export_scenario(tool, {scenario, given, "own"}, pattern);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool lists(const Exported& one, const std::string& part) {
  return std::ranges::any_of(one.left_out, [&](const auto& left) { return holds(left, part); });
}

}  // namespace

TEST_CASE("a job of fio comes out as it is") {
  const Exported out = made(ExportTool::fio, kIo);
  for (const char* line :
       {"ioengine=io_uring\n", "rw=randrw\n", "rwmixread=70\n", "bs=16384\n", "direct=1\n",
        "iodepth=32\n", "numjobs=4\n", "filesize=1073741824\n", "time_based=1\n", "runtime=60\n"})
    CHECK_MESSAGE(holds(out.text, line), line);
  REQUIRE(out.left_out.size() == 1);
  CHECK(out.left_out[0] ==
        "the machine and its place for data (data.at, system): it runs on the one it is started "
        "on");
  CHECK(out.chosen == Names{"60 seconds (runtime)"});
}

TEST_CASE("options of fio's own file that no scenario has stay, and what means the same is left") {
  const std::string job =
      "; of a drive\n[global]\nioengine=io_uring\niodepth=32\nramp_time=5\nbs=16k\n\n[job]\n"
      "readwrite=randrw\nrwmixread=70\nnumjobs=4\nsize=1g\ndirect=1\nnorandommap\n";
  const std::string kept =
      "[global]\nioengine=io_uring\niodepth=32\nramp_time=5\nbs=16k\n[job]\nreadwrite=randrw\n"
      "rwmixread=70\nnumjobs=4\nsize=1g\ndirect=1\nnorandommap\n";
  const ExportPattern pattern{job, "job.fio"};
  CHECK(made(ExportTool::fio, kIo, pattern).text.ends_with("\n" + kept));

  std::string changed = kIo;
  changed.replace(changed.find("jobs = 4"), 8, "jobs = 7");
  std::string expected = kept;
  expected.replace(expected.find("numjobs=4"), 9, "numjobs=7");
  CHECK(made(ExportTool::fio, changed, pattern).text.ends_with("\n" + expected));
}

TEST_CASE("a file that is no single job of fio is refused") {
  const auto refusal = [](const std::string& job) {
    return refusal_of([&] { made(ExportTool::fio, kIo, ExportPattern{job, "job.fio"}); });
  };
  CHECK(refusal("[a]\nrw=read\n[b]\nrw=read\n") ==
        "job.fio: error: 2 jobs are in it, and a scenario is one: name a job file with one section "
        "beside [global]\n");
  CHECK(refusal("") ==
        "job.fio: error: 0 jobs are in it, and a scenario is one: name a job file with one section "
        "beside [global]\n");
  CHECK(refusal("rw=read\n") ==
        "job.fio:1:1: error: a job file of fio begins with a section such as [global]; found "
        "\"rw=read\"\n");
  CHECK(refusal("[]\n") ==
        "job.fio:1:1: error: a section of a job file of fio is a name in brackets, [job]; found "
        "\"[]\"\n");
}

TEST_CASE("loaders are readers of files, as many as there are workers") {
  const Exported fio = made(ExportTool::fio, kTraining);
  CHECK(holds(fio.text, "numjobs=112\n"));
  // 1,281,167 files in the order of a new permutation, over 2 nodes of 8 GPUs with 14 workers each
  CHECK(holds(fio.text, "nrfiles=5720\n"));
  CHECK(lists(fio, "2 nodes at once"));
  CHECK(lists(fio, "decoding"));
  const Exported elbencho = made(ExportTool::elbencho, kTraining);
  CHECK(holds(elbencho.text, "elbencho -t 112 -n 1 -N 5720 "));
  CHECK(holds(elbencho.text, "--hosts \"$HOSTS\""));
  const Exported ior = made(ExportTool::ior, kTraining);
  CHECK(holds(ior.text, "mpirun -np 224 ior -a POSIX -F -t "));
}

TEST_CASE("nccl-tests is told the sizes of the buckets that gradients travel in") {
  const Exported out = made(ExportTool::nccl_tests, kTraining +
                                                        "[exchange]\nbucket = \"25 MiB\"\n"
                                                        "first_bucket = \"1 MiB\"\n");
  // parameters of 4 B each (autocast): 1 MiB, three of 25 MiB, the rest, and all together
  const ScenarioSource source(kTraining, "own.toml", own_catalog());
  const double all = 4 * static_cast<double>(source.load().workload.model()->parameters);
  CHECK(holds(out.text, "all_reduce_perf -b 1048576 -e 1048576 -d float -g 1\n"));
  CHECK(holds(out.text, "all_reduce_perf -b 26214400 -e 26214400 -d float -g 1\n"));
  CHECK(holds(out.text, fmt::format("-b {0:.0f} -e {0:.0f} ", all)));
  CHECK(holds(out.text, fmt::format("-b {0:.0f} ", all - 1048576 - 3 * 26214400.0)));
  CHECK(holds(out.text, "mpirun -np 16 -N 8 "));
}

TEST_CASE("a collective comes out as nccl-tests' own options") {
  const Exported out = made(ExportTool::nccl_tests,
                            "system = \"nvidia-dgx-h100\"\n[workload]\nkind = \"collective\"\n"
                            "operations = [\"all-gather\", \"all-to-all\"]\ngpus = 4\n"
                            "from = \"1 KiB\"\nto = \"64 MiB\"\nfactor = 4\n");
  CHECK(holds(out.text,
              "\nall_gather_perf -b 1024 -e 67108864 -f 4 -g 4\n"
              "alltoall_perf -b 1024 -e 67108864 -f 4 -g 4\n"));
  CHECK(out.left_out.size() == 1);
}

TEST_CASE("a loader comes out as the arguments of PyTorch's DataLoader") {
  const Exported out = made(ExportTool::pytorch, kTraining +
                                                     "prefetch_batches = 4\npinned_memory = false\n"
                                                     "drop_last = false\ncache = \"none\"\n");
  for (const char* argument :
       {"    batch_size=256,\n", "num_replicas=16, rank=rank, shuffle=True, seed=1,",
        "    num_workers=14,\n", "    prefetch_factor=4,\n", "    pin_memory=False,\n",
        "    drop_last=False,\n"})
    CHECK_MESSAGE(holds(out.text, argument), argument);
  CHECK(lists(out, "loader.cache = \"none\""));
  CHECK(refusal_of([] {
          made(ExportTool::pytorch, kTraining + "style = \"tensorflow\"\n");
        }).find("loader.style is \"tensorflow\": its loader is tf.data") != std::string::npos);
}

TEST_CASE("a kind that a tool has nothing for is refused by its name") {
  const std::string copies =
      "system = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"transfers\"\n"
      "tests = [\"host_to_device\"]\n";
  for (const auto tool : {ExportTool::fio, ExportTool::dlio, ExportTool::elbencho, ExportTool::ior,
                          ExportTool::nccl_tests, ExportTool::pytorch}) {
    const std::string said = refusal_of([&] { made(tool, copies); });
    CHECK_MESSAGE(holds(said, "own.toml:2:1: error: workload.kind is \"transfers\", and "), said);
    CHECK_MESSAGE(holds(said, " has nothing for it: "), said);
  }
}

TEST_CASE("every key that an example gives is exported or named as left out") {
  std::size_t checked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(GPUFEED_SOURCE_DIR) / "examples")) {
    const auto& path = entry.path();
    if (path.extension() != ".toml" || example_file(path) != ExampleFile::scenario) continue;
    CAPTURE(path.string());
    const ScenarioSource source(path, own_catalog(), {});
    const Scenario scenario = source.load();
    const GivenKeys given = key_values(source.canonical_text());
    for (std::size_t i = 0; i < EnumNames<ExportTool>::names.size(); ++i) {
      const auto tool = static_cast<ExportTool>(i);
      Exported out;
      const std::string said = refusal_of([&] {
        out = export_scenario(tool, {scenario, given, path.stem().string()});
      });
      if (said != "accepted") {
        CHECK_MESSAGE(holds(said, "error: "), said);
        continue;
      }
      // loaders' caches and checkpoints are nothing that any of them can be told
      for (const char* key : {"loader.cache", "checkpoint.interval_steps"})
        if (given.contains(key) && tool != ExportTool::nccl_tests)
          CHECK_MESSAGE(lists(out, key), name_of(tool));
      CHECK(out.text.find('\t') == std::string::npos);
      ++checked;
    }
  }
  CHECK(checked > 300);
}
