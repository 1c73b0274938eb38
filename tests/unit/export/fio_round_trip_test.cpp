// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/export/export.h"
#include "sim/import/fio/fio_file.h"
#include "sim/import/fio/fio_job.h"
#include "sim/load/key_values.h"
#include "sim/load/scenario_source.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

/// As forums and manuals have them.
const std::vector<std::string> kJobs{
    R"([global]
ioengine=libaio
direct=1
runtime=60
time_based
group_reporting
filename=/dev/nvme0n1
[randread]
rw=randread
bs=4k
iodepth=32
numjobs=8
)",
    R"(# through the page cache
[seq]
readwrite=read
blocksize=1M
size=10G
nrfiles=10
directory=/mnt/data
)",
    R"([global]
ioengine=io_uring
bs=16KiB
[mix]
rw=randrw
rwmixwrite=30
buffered=0
iodepth=64
iodepth_batch=16
filesize=2g
log_avg_msec=500
)",
    R"([polled]
ioengine=io_uring
hipri=1
fixedbufs=1
registerfiles=1
direct=1
rw=randwrite
bs=512
size=1g
)",
    R"([plain]
rw = write
size = 64m
)"};

std::string exported(const std::string& toml, const std::optional<ExportPattern>& pattern = {}) {
  const ScenarioSource source(toml, "own.toml", own_catalog());
  const Scenario scenario = source.load();
  const GivenKeys given = key_values(toml);
  return export_scenario(ExportTool::fio, {scenario, given, "own"}, pattern).text;
}

std::string imported(const std::string& job) {
  return fio_scenario(parse_fio_job(job, "job.fio"), "nvidia-dgx1-p100", "scratch");
}

/// Sections and options, without comments, blanks and the lines they stand on.
std::string plain(const std::string& job) { return text_of(parse_fio_file(job, "job.fio")); }

std::string refusal(const std::string& job, const std::optional<std::string>& name = {}) {
  return refusal_of([&] { parse_fio_job(job, "job.fio", name); });
}

}  // namespace

TEST_CASE("what a job file of fio says comes out again, option by option") {
  for (const std::string& job : kJobs) {
    CAPTURE(job);
    CHECK(plain(exported(imported(job), ExportPattern{job, "job.fio"})) == plain(job));
  }
}

TEST_CASE("without its file, what a job of fio asks for comes out again") {
  for (const std::string& job : kJobs) {
    CAPTURE(job);
    const IoJob before = parse_fio_job(job, "job.fio").io;
    const IoJob after = parse_fio_job(exported(imported(job)), "job.fio").io;
    CHECK(after.block_size == before.block_size);
    CHECK(after.queue_depth == before.queue_depth);
    CHECK(after.jobs == before.jobs);
    CHECK(after.pattern == before.pattern);
    CHECK(after.read_share.value == approx(before.read_share.value));
    CHECK(after.direct == before.direct);
    CHECK(after.engine == before.engine);
    CHECK(after.batch == before.batch);
    if (before.file_size) CHECK(after.file_size->value == approx(before.file_size->value));
  }
}

TEST_CASE("a job of fio is read with the options of the global sections before it") {
  const FioWorkload job = parse_fio_job(kJobs[0], "some/job.fio");
  CHECK(job.file == "job.fio");
  CHECK(job.job == "randread");
  CHECK(job.io.engine == IoEngine::libaio);
  CHECK(job.io.direct);
  CHECK(job.io.queue_depth == 32);
  CHECK(job.io.jobs == 8);
  CHECK(job.io.block_size.value == 4096);
  CHECK(job.not_modeled.empty());
  CHECK(parse_fio_job(kJobs[2], "job.fio").not_modeled == Names{"log_avg_msec=500"});
  CHECK(parse_fio_job(kJobs[2], "job.fio").io.batch == 16);
  const std::string all = "[a]\nioengine=libaio\ndirect=1\niodepth=8\niodepth_batch_submit=0\n";
  CHECK(parse_fio_job(all, "job.fio").io.batch == 8);
  CHECK(parse_fio_job(kJobs[1] + "iodepth_batch=4\n", "job.fio").not_modeled ==
        Names{"iodepth_batch_submit=4"});
  CHECK(parse_fio_job(kJobs[1], "job.fio").io.file_size->value == 1073741824.0);
  const std::string two = "[a]\nrw=read\nbs=8k\n[global]\nbs=64k\n[b]\nrw=write\n";
  CHECK(parse_fio_job(two, "job.fio", "a").io.block_size.value == 8192);
  CHECK(parse_fio_job(two, "job.fio", "b").io.block_size.value == 65536);
}

TEST_CASE("jobs of fio that are not simulated are refused, all of it at once") {
  CHECK(refusal("[a]\nrw=trim\nioengine=rados\nbs=4k-64k\niodepth=x\n") ==
        "job.fio:2:1: error: rw must be read, write, rw, randread, randwrite or randrw; found "
        "\"trim\"\n"
        "job.fio:3:1: error: ioengine must be one that is simulated: psync, sync, libaio, io_uring "
        "or spdk; found \"rados\"\n"
        "job.fio:4:1: error: bs must be one size from 512 B to 1 GB; found \"4k-64k\"\n"
        "job.fio:5:1: error: iodepth must be a whole number from 1 to 65536; found \"x\"\n");
  CHECK(refusal("[global]\nrw=read\n") ==
        "job.fio:1:1: error: no job is in it: a section beside [global], such as [job]\n");
  CHECK(refusal("[read]\nrw=read\n[write]\nrw=write\n") ==
        "job.fio:1:1: error: 2 jobs are in it; name one with --job: read, write\n");
  CHECK(refusal("[read]\nrw=read\n[write]\nrw=write\n", "raed") ==
        "job.fio:1:1: error: no job \"raed\" is in it; did you mean \"read\"?\n");
}
