// SPDX-License-Identifier: Apache-2.0
#include "calib/observe/monitors/monitors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sim/load/study/observed.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

namespace fs = std::filesystem;

const fs::path kSamples = GPUFEED_SOURCE_DIR "/tests/fuzz/monitors";

std::string sample(const std::string& name) {
  std::ifstream in(kSamples / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

MonitoredJob job_of(const std::vector<std::string>& names) {
  std::vector<MonitorText> texts;
  for (const std::string& name : names) texts.push_back({name, sample(name)});
  return read_monitors(texts);
}

bool tells(const std::vector<std::string>& all, const std::string& words) {
  return std::ranges::any_of(
      all, [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

void check_rate(const std::optional<SeenRate>& rate, double value) {
  REQUIRE(rate.has_value());
  CHECK(rate->value == doctest::Approx(value).epsilon(1e-6));
  CHECK(rate->spread > 0);
}

}  // namespace

TEST_CASE("monitors: use of GPUs, each the mean of its looks, all the mean of GPUs") {
  const MonitoredJob dmon = job_of({"dmon.txt"});
  check_rate(dmon.gpu_use, (0.92 + 0.78) / 2);
  CHECK(!dmon.time_s);
  CHECK(tells(dmon.left_out, "pwr"));
  const MonitoredJob cut = job_of({"dmon_cut.txt"});
  check_rate(cut.gpu_use, 0.60);
  CHECK(tells(cut.left_out, "GPU 1: its use is not told"));
  CHECK(cut.time_s == 10);
  const MonitoredJob csv = job_of({"query_gpu.csv"});
  check_rate(csv.gpu_use, (0.88 + 0.82) / 2);
  CHECK(csv.time_s == doctest::Approx(5));
  CHECK(tells(csv.left_out, "utilization.memory, memory.used, power.draw"));
  const MonitoredJob csv_cut = job_of({"query_gpu_cut.csv"});
  check_rate(csv_cut.gpu_use, 0.62);
  CHECK(tells(csv_cut.left_out, "GPU 00000000:0F:00.0: its use is not told"));
  check_rate(job_of({"dcgmi_dmon.txt"}).gpu_use, (0.94 + 0.92) / 2);
  const MonitoredJob dcgmi_cut = job_of({"dcgmi_dmon_cut.txt"});
  check_rate(dcgmi_cut.gpu_use, (0.80 + 0.90) / 2);
  CHECK(tells(dcgmi_cut.left_out, "GPU 1: its use is not told"));
  CHECK(tells(dcgmi_cut.left_out, "GPU 0: a row that is cut"));
  CHECK(tells(dcgmi_cut.left_out, "lines that begin with dcgmi:"));
}

TEST_CASE("monitors: metrics of exporters, as text and as a range query") {
  const MonitoredJob dcgm = job_of({"dcgm.prom"});
  check_rate(dcgm.gpu_use, 0.70);
  CHECK(tells(dcgm.left_out, "DCGM_FI_DEV_SM_CLOCK"));
  const MonitoredJob range = job_of({"dcgm_range.json"});
  check_rate(range.gpu_use, (0.72 + 0.62) / 2);
  check_rate(range.read_Bps, 1e9);
  CHECK(range.time_s == 30);
  CHECK(tells(range.left_out, "without a name"));
  CHECK(refusal_of([] { job_of({"dcgm_range_cut.json"}); }).find("it is cut or damaged here") !=
        std::string::npos);
}

TEST_CASE("monitors: counters become rates between two looks, of the exporter's own clock") {
  const MonitoredJob job = job_of({"node_1.prom", "node_2.prom"});
  check_rate(job.cores, 30.0 / 60);
  check_rate(job.read_Bps, 70e9 / 60);
  check_rate(job.reads_per_s, 70000.0 / 60);
  check_rate(job.received_Bps, 3e9 / 60);
  CHECK(job.time_s == 60);
  CHECK(tells(job.left_out, "dm-0"));
  CHECK(tells(job.left_out, "lo: a card of software"));
  CHECK(tells(job.left_out, "node_load1"));
  CHECK(refusal_of([] { job_of({"node_cut.prom"}); }).find("two looks") != std::string::npos);
}

TEST_CASE("monitors: sysstat's reports, without the one since the start") {
  const MonitoredJob job = job_of({"iostat.txt"});
  check_rate(job.cores, 0.25 * 96);
  check_rate(job.read_Bps, 1536000.0 * 1024);
  check_rate(job.reads_per_s, 12000);
  CHECK(tells(job.left_out, "dm-0"));
  const MonitoredJob old = job_of({"iostat_old_cut.txt"});
  check_rate(old.reads_per_s, 200);
  CHECK(tells(old.left_out, "the text ends within it"));
  CHECK(old.time_s == 10);
  const MonitoredJob json = job_of({"iostat.json"});
  check_rate(json.read_Bps, 1024000.0 * 1024);
  check_rate(json.cores, 24);
  const MonitoredJob sar = job_of({"sar.json"});
  check_rate(sar.read_Bps, 890000.0 * 1024);
  check_rate(sar.reads_per_s, 890);
  check_rate(sar.received_Bps, 2050000.0 * 1024);
  check_rate(sar.cores, 32);
  CHECK(sar.time_s == 20);
  CHECK(refusal_of([] { job_of({"sar_cut.json"}); }).find("cut or damaged") != std::string::npos);
}

TEST_CASE("monitors: stores of NFS and Lustre") {
  const MonitoredJob nfs = job_of({"nfsiostat.txt"});
  check_rate(nfs.read_Bps, 1638400.0 * 1024);
  check_rate(nfs.reads_per_s, 1600);
  const MonitoredJob lone = job_of({"nfsiostat_cut.txt"});
  CHECK(tells(lone.notes, "since it was mounted"));
  const MonitoredJob lustre = job_of({"lustre_1.txt", "lustre_2.txt"});
  check_rate(lustre.read_Bps, 40e9 / 20);
  check_rate(lustre.reads_per_s, 10000.0 / 20);
  const MonitoredJob llite = job_of({"lustre_llite_cut.txt"});
  check_rate(llite.read_Bps, 2e9);
  CHECK(tells(llite.notes, "page cache"));
}

TEST_CASE("monitors: a trace tells steps, computing without collectives, stalls and copies") {
  const MonitoredJob job = job_of({"trace_rank0.json", "trace_rank1_cut.json"});
  check_rate(job.gpu_use, 0.60);  // 25 to 85 ms of each 100, of which nccl is no part
  check_rate(job.steps_per_s, 10);
  CHECK(tells(job.notes, "rank 0: waits for the data loader 20 %"));
  CHECK(tells(job.notes, "collectives run 15 %"));
  CHECK(tells(job.notes, "400 MB of 4"));
  CHECK(tells(job.notes, "cut or damaged at its end"));
  const MonitoredJob both = job_of({"dmon.txt", "trace_rank0.json"});
  check_rate(both.gpu_use, 0.60);  // not mixed with what counts collectives too
  CHECK(tells(both.left_out, "as monitors tell it, 85 %"));
  const std::string toml = monitored_toml(job, 512);
  CHECK(toml.find("samples_per_s = { value = \"5.12 k/s\"") != std::string::npos);
  CHECK(monitored_toml(job, {}).find("--samples-per-step") != std::string::npos);
}

TEST_CASE("monitors: CSV of steps, of TensorBoard and of a loop of one's own") {
  const MonitoredJob job = job_of({"tensorboard.csv"});
  check_rate(job.steps_per_s, 5);
  CHECK(job.time_s == doctest::Approx(30));
  const MonitoredJob own = job_of({"steps_cut.csv"});
  check_rate(own.samples_per_s, 2050);
  CHECK(tells(own.left_out, "line 4"));
  CHECK(tells(own.left_out, "line 5: the text ends within it"));
}

TEST_CASE("monitors: several nodes add their reads, and share the mean of cores and cards") {
  auto two = sample("sar.json");
  two.replace(two.find("node1"), 5, "node2");
  const MonitoredJob job = read_monitors({{"a", sample("sar.json")}, {"b", two}});
  check_rate(job.read_Bps, 2 * 890000.0 * 1024);
  check_rate(job.received_Bps, 2050000.0 * 1024);
  check_rate(job.cores, 32);
  // the same drive of the same node, told twice, counts once
  const MonitoredJob twice = job_of({"sar.json", "iostat.json"});
  check_rate(twice.read_Bps, 890000.0 * 1024);
  CHECK(tells(twice.left_out, "tells it already"));
}

TEST_CASE("monitors: what observe wrote on each node of a job is one observation of it") {
  const std::string node =
      "title = \"train, watched for 60 s\"\n"
      "gpu_utilization = { value = \"80 %\", spread = \"1 %\" }\n"
      "read_bandwidth = { value = \"1.5 GB/s\", spread = \"20 MB/s\" }\n"
      "cores_busy = { value = 12, spread = 0.5 }\n";
  auto other = node;
  other.replace(other.find("80 %"), 4, "70 %");
  const MonitoredJob job = read_monitors({{"seen_0.toml", node}, {"seen_1.toml", other}});
  check_rate(job.gpu_use, 0.75);
  check_rate(job.read_Bps, 3e9);
  check_rate(job.cores, 12);
  CHECK(refusal_of([&] {
          read_monitors({{"a.toml", "read_bandwidth = { value = \"1.5 GHz\" }\n"}});
        }).find("a.toml:1:1: error: read_bandwidth: \"1.5 GHz\" is no quantity") !=
        std::string::npos);
}

TEST_CASE("monitors: what was seen is a file of simulate --observed, whatever it was made of") {
  for (const auto& entry : fs::directory_iterator(kSamples)) {
    const std::string name = entry.path().filename();
    CAPTURE(name);
    const std::string text = sample(name);
    for (std::size_t part = 1; part <= 12; ++part) try {
        const MonitoredJob job = read_monitors({{name, text.substr(0, text.size() * part / 12)}});
        const std::string toml = monitored_toml(job, 256);
        if (toml.find(" = {") == std::string::npos) continue;  // nothing but idleness
        const Observed seen = parse_observed(toml, "seen.toml", own_catalog());
        CHECK(seen.gpu_utilization.has_value() == (job.gpu_use && job.gpu_use->value > 0));
      } catch (const InputError& error) {
        CHECK(!error.problems().empty());
      }
  }
}

TEST_CASE("monitors: other texts are refused, with all that is taken") {
  CHECK(refusal_of([] {
          read_monitors({{"x.txt", "hello\n"}});
        }).find("x.txt:1:1: error: no monitor's output is known in it: it takes nvidia-smi dmon") !=
        std::string::npos);
  CHECK(refusal_of([] {
          read_monitors({{"t.json.gz", "\x1f\x8b\x08"}});
        }).find("gunzip -k t.json.gz") != std::string::npos);
}
