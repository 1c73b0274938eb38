// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "calib/fit/fio_json.h"
#include "calib/probes/child.h"
#include "calib/probes/decode_probe.h"
#include "calib/probes/filling_probe.h"
#include "calib/probes/fio_probe.h"
#include "calib/probes/memory_cgroup.h"
#include "calib/probes/memory_probe.h"
#include "calib/probes/opening_probe.h"
#include "calib/probes/pace.h"
#include "calib/probes/pages_apart.h"
#include "calib/probes/pytorch_program.h"
#include "calib/probes/raw.h"
#include "calib/probes/scratch.h"
#include "calib/probes/written.h"
#include "sim/base/files/file_lock.h"
#include "tests/support/container.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

TEST_CASE("fio's jobs name a file, never a device, one job at a time, sizes in bare bytes") {
  FioTest test{{{4096, 1}, {8388608, 16}}, false, {1.5}, {1e9}};
  CHECK(fio_jobs(test, "/data/scratch/data") ==
        "[global]\nfilename=/data/scratch/data\nsize=1000000000\nioengine=psync\ndirect=1\n"
        "thread=1\nnorandommap=1\nrandrepeat=0\niomem_align=2097152\nrw=randread\ntime_based=1\n"
        "group_reporting=1\nruntime=1500ms\nstonewall\n[read-4096-1]\nbs=4096,2097152\nnumjobs=1\n"
        "[read-8388608-16]\nbs=8388608,8388608\nnumjobs=16\n");
  test = {{{4096, 16, {40960}}}, true, {0.5}, {1e9}};
  CHECK(fio_jobs(test, "/data/scratch/data") ==
        "[global]\nfilename=/data/scratch/data\nsize=1000000000\nioengine=libaio\ndirect=1\n"
        "thread=1\nnorandommap=1\nrandrepeat=0\niomem_align=2097152\nrw=randwrite\nruntime=500ms\n"
        "stonewall\n[write-4096-16]\nbs=2097152,4096\niodepth=16\nio_size=40960\n");
}

TEST_CASE("fio's grid shows roofs first and last; what it may write is never exceeded") {
  for (const int passes : {1, 3}) {
    CAPTURE(passes);
    std::map<std::pair<std::int64_t, std::int64_t>, int> times;
    for (const auto& part : fio_grid({4096, 1048576}, {1, 16}, passes))
      for (const FioSetting& setting : part) ++times[{setting.block_size, setting.depth}];
    CHECK(times ==
          std::map<std::pair<std::int64_t, std::int64_t>, int>{{{4096, 1}, passes},
                                                               {{4096, 16}, passes + 2},
                                                               {{1048576, 1}, passes},
                                                               {{1048576, 16}, passes + 2}});
  }
  const auto parts = fio_grid({4096, 1048576}, {1, 16}, 1);
  REQUIRE(parts.size() == 4);
  for (const double written : {0.0, 0.5, 1.0}) {  // part of what each part may write
    CAPTURE(written);
    constexpr double kMost = 400e6;
    WriteBudget budget({kMost}, parts);
    double sum = 0;
    std::size_t settings = 0;
    for (const auto& part : parts) {
      double allowed = 0;
      for (const FioSetting& setting : budget.share(part)) {
        CHECK(setting.most_written.value >=
              2 * static_cast<double>(setting.block_size * setting.depth));
        allowed += setting.most_written.value;
        ++settings;
      }
      budget.settle({written * allowed});
      sum += written * allowed;
      CHECK(sum + (1 - written) * allowed <= kMost);
    }
    CHECK(settings == 8);
    if (written == 1) CHECK(sum > 0.95 * kMost);
  }
  WriteBudget small({1e6}, parts);  // less than one large request for each
  for (const auto& part : parts)
    for (const FioSetting& setting : small.share(part)) CHECK(setting.block_size == 4096);
}

TEST_CASE("what fio wrote is told by its own count") {
  CHECK(written_by("fio: a warning\n{\"jobs\": [{\"write\": {\"io_bytes\": 4096}}, "
                   "{\"write\": {\"io_bytes\": 100}}, {\"read\": {\"io_bytes\": 7}}]}")
            .value == 4196);
  CHECK(written_by("nothing").value == 0);
}

TEST_CASE("a time is divided among the settings that remain, and never exceeded but by the least") {
  Pace pace({60});
  pace.expect(40, {0.5});
  CHECK(pace.least().value == doctest::Approx(40 * 0.7));
  CHECK(pace.about().value == doctest::Approx(60));
  double passed = 0;
  for (int i = 0; i < 20; ++i) passed += pace.next({passed}, 1, {0.5}).value + 0.5;
  CHECK(passed == doctest::Approx(30));
  for (int i = 0; i < 15; ++i) passed += pace.next({passed}, 1, {0.5}).value + 0.8;  // it is slow
  for (int i = 0; i < 5; ++i) passed += pace.next({passed}, 1, {0.5}).value + 0.5;
  CHECK(passed == doctest::Approx(60));
  Pace late({10});
  late.expect(10, {0});
  CHECK(late.next({100}, 1, {0}).value == doctest::Approx(0.2));
  Pace early({1000});
  early.expect(10, {0});
  CHECK(early.next({0}, 1, {0}).value == doctest::Approx(5));
  CHECK(early.about().value == doctest::Approx(45));
}

TEST_CASE("what is written is counted, that of other processes with it") {
  const TemporaryFolder folder;
  const Bytes before = written_so_far();
  const auto write = [&](const char* name) { make_random_file(folder / name, {4e6}); };
  write("own");
  const Bytes own = written_so_far() - before;
  if (own.value == 0) return;  // it lies in memory
  CHECK(own.value >= 4e6);
  CHECK(own.value < 4.5e6);
  Child([&] {
    write("other");
    return 0;
  }).wait();
  CHECK((written_so_far() - before).value >= 8e6);
}

TEST_CASE("made samples decode to as many bytes as they have pixels, and damage is noticed") {
  for (const ProbedCodec codec : {ProbedCodec::jpeg, ProbedCodec::png, ProbedCodec::npz}) {
    CAPTURE(name_of_codec(codec));
    std::string sample = make_sample(codec, 64, 48, 0.3, 1);
    std::vector<std::uint8_t> out;
    CHECK(decode_sample(codec, sample, out));
    CHECK(out.size() == 64 * 48 * 3);
    if (codec == ProbedCodec::jpeg) continue;  // which shows what it can
    sample[sample.size() / 2] = static_cast<char>(sample[sample.size() / 2] ^ 0x40);
    CHECK(!decode_sample(codec, sample, out));
  }
}

TEST_CASE("workers decode into batches that one process takes over") {
  const TemporaryFolder folder;
  const DecodeTest test{ProbedCodec::npz, 64, 48, 0, 2, 4, {0.01}};
  const DecodePoint point = measure_decoding(test, folder / "");
  CHECK(point.samples >= 4 * 4);  // of eight batches the first four are not counted
  CHECK(point.of_sample_read.value > 0);
  CHECK(point.of_sample.value > point.of_sample_read.value);
  CHECK(point.of_batch_taken.value > 0);
  CHECK(point.decoded.value == 4 * 64 * 48 * 3);
}

TEST_CASE("the same files are read from storage and from the page cache, and small ones opened") {
  const TemporaryFolder folder;
  const CacheFilling filling = measure_filling(folder / "", Seconds{0.01});
  CHECK(filling.read.value >= 128 * 262144.0);
  CHECK(filling.missed.value > 0);
  CHECK(filling.cached.value > 0);
  CHECK(filling.again.value > 0);
  const OpeningTimes opening = measure_opening(folder / "", Seconds{0.05});
  CHECK(opening.readers == 2);
  CHECK(opening.of_block.value > 0);
  CHECK(opening.of_file.value > 0);
}

TEST_CASE("small files that cannot be written say why") {
  const TemporaryFolder folder;
  Child limited([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit little{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &little);
    const std::string said = refusal_of([&] { measure_opening(folder / "", Seconds{0.01}); });
    return said.ends_with("/opened-0: error: cannot be written: File too large\n") ? 0 : 1;
  });
  CHECK(limited.wait() == 0);
}

TEST_CASE("a file system in memory is told from others") {
  CHECK(!lies_in_memory("/proc"));
  CHECK(!lies_in_memory("/no-such-folder"));
  struct statfs info {};
  if (statfs("/dev/shm", &info) == 0 && info.f_type == TMPFS_MAGIC)
    CHECK(lies_in_memory("/dev/shm"));
}

TEST_CASE("without an interpreter, or a probe beside this program, PyTorch is not measured") {
  const TemporaryFolder folder;
  const PytorchProbe none = measure_pytorch("no-such-python", folder / "", Seconds{0.01});
  CHECK(none.json.empty());
  CHECK((none.why_none == "there is no program no-such-python" ||
         none.why_none == "gpufeed-pytorch-probe is not beside this program"));
  const PytorchProbe training = measure_training("no-such-python", folder / "", Seconds{0.01});
  CHECK(training.json.empty());
  CHECK((training.why_none == "there is no program no-such-python" ||
         training.why_none == "gpufeed-training-probe is not beside this program"));
}

TEST_CASE("a scratch folder goes away with what a killed run left, and nothing of others") {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  const auto entries = [&] {
    return std::distance(fs::directory_iterator(folder / ""), fs::directory_iterator());
  };
  Child([&] {  // ends without tidying up
    const Scratch scratch(folder / "", {1e6});
    std::ofstream(scratch.path() / "old") << "x";
    _exit(0);
    return 0;
  })
      .wait();
  CHECK(entries() == 1);
  {
    const Scratch scratch(folder / "", {1e6});
    CHECK(entries() == 1);  // its own
    CHECK(!fs::exists(scratch.path() / "old"));
    std::ofstream(scratch.path() / "new") << "x";
    const Scratch other(folder / "", {1e6});  // at the same time
    CHECK(other.path() != scratch.path());
    CHECK(fs::exists(scratch.path() / "new"));
  }
  CHECK(entries() == 0);
  for (const char* own : {"gpufeed-scratch", "gpufeed-scratch-thesis"})
    folder.write((fs::create_directories(folder / own), own + std::string("/notes")), "x");
  fs::create_directories(folder / "gpufeed-scratch-other");
  const auto held = FileLock::make(folder / "gpufeed-scratch-other/held-by-gpufeed");
  fs::create_directory_symlink(folder / "gpufeed-scratch-thesis", folder / "gpufeed-scratch-link");
  folder.write("gpufeed-scratch-thesis/held-by-gpufeed", "");
  { const Scratch scratch(folder / "", {1e6}); }
  CHECK(entries() == 3);
  CHECK(refusal_of([&] { Scratch(folder / "gone", {1}); }).ends_with("there is no such folder\n"));
  CHECK(refusal_of([&] {
          Scratch(folder / "", {1e18});
        }).find("are needed; --max-bytes takes less") != std::string::npos);
}

TEST_CASE("a scratch folder that is used is safe from a process that cannot see its owner") {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  const Scratch scratch(folder / "", {1e6});
  std::ofstream(scratch.path() / "new") << "x";
  const auto status = run_in_container([&] {
    const Scratch other(folder / "", {1e6});
    std::ofstream(other.path() / "left") << "x";
    _exit(0);  // without tidying up
    return 0;
  });
  if (!status) {
    MESSAGE("skipped: no PID namespace is permitted here");
    return;
  }
  CHECK(*status == 0);
  CHECK(fs::exists(scratch.path() / "new"));
  const Scratch third(folder / "", {1e6});
  CHECK(std::distance(fs::directory_iterator(folder / ""), fs::directory_iterator()) == 2);
}

TEST_CASE("a memory cgroup that is used is safe from a process that cannot see its owner") {
  std::optional<MemoryCgroup> cgroup;
  try {
    cgroup.emplace(Bytes{1e6});
  } catch (const InputError& refused) {
    MESSAGE("skipped: ", refused.what());
    return;
  }
  const auto status = run_in_container([&] {
    const MemoryCgroup other({1e6});
    other.enter();
    return other.usage().value >= 0 ? 0 : 1;
  });
  if (!status) {
    MESSAGE("skipped: no PID namespace is permitted here");
    return;
  }
  CHECK(*status == 0);
  cgroup->limit({1e9});
  CHECK(cgroup->usage().value >= 0);
}

TEST_CASE("a process that is waited for tells its status, and one that is dropped is gone") {
  CHECK(Child([] { return 7; }).wait() == 7);
  pid_t pid = 0;
  {
    const Child sleeper([] {
      while (true) pause();
      return 0;
    });
    pid = sleeper.pid();
    CHECK(kill(pid, 0) == 0);
  }
  CHECK(kill(pid, 0) != 0);
}

TEST_CASE("a process is asked to end first, and what it started ends with it") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const auto tell = [&](char what) { return write(ends[1], &what, 1) == 1 ? 0 : 1; };
  char heard = 0;
  {
    const Child parent([&] {
      if (fork() == 0) {  // as fio's jobs, it would wait for ever
        signal(SIGTERM, SIG_IGN);
        while (true) pause();
      }
      sigset_t asked;
      sigemptyset(&asked);
      sigaddset(&asked, SIGTERM);
      sigprocmask(SIG_BLOCK, &asked, nullptr);
      tell('r');
      int signal = 0;
      sigwait(&asked, &signal);
      return tell('t');
    });
    REQUIRE(read(ends[0], &heard, 1) == 1);
    CHECK(heard == 'r');
  }
  close(ends[1]);
  REQUIRE(read(ends[0], &heard, 1) == 1);
  CHECK(heard == 't');
  CHECK(read(ends[0], &heard, 1) == 0);  // nobody holds the other end any more
  close(ends[0]);
}

TEST_CASE("a process that will not end is killed") {
  pid_t pid = 0;
  {
    const Child stubborn([] {
      signal(SIGTERM, SIG_IGN);
      while (true) pause();
      return 0;
    });
    pid = stubborn.pid();
  }
  CHECK(kill(pid, 0) != 0);
}

TEST_CASE("a lost terminal interrupts, unless that is to be ignored") {
  const auto before = signal(SIGHUP, SIG_DFL);
  {
    const InterruptGuard guard;
    raise(SIGHUP);
    CHECK(interrupted());
  }
  signal(SIGHUP, SIG_IGN);  // as nohup does
  {
    const InterruptGuard guard;
    raise(SIGHUP);
    CHECK(!interrupted());
  }
  const bool still_ignored = signal(SIGHUP, before) == SIG_IGN;
  CHECK(still_ignored);
}

TEST_CASE("SIGTERM ends what is waited for, by a message") {
  const InterruptGuard guard;
  Child sleeper([] {
    while (true) pause();
    return 0;
  });
  const pid_t self = getpid();
  Child sender([self] { return kill(self, SIGTERM); });
  try {
    sleeper.wait();
    FAIL("it waited on");
  } catch (const Interrupted& interruption) {
    CHECK(interruption.signal() == SIGTERM);
    CHECK(interruption.what() == std::string("nothing was written"));
  }
  CHECK(interrupted());
}

TEST_CASE("a file of random bytes is as long as asked, to the byte") {
  const TemporaryFolder folder;
  for (const double size : {1.0, 65536.0, 1048576.0, 2500001.0}) {
    make_random_file(folder / "file", {size});
    CHECK(static_cast<double>(std::filesystem::file_size(folder / "file")) == size);
  }
}

TEST_CASE("pages of a file lie behind one another or apart in memory, where the kernel tells it") {
  const TemporaryFolder folder;
  const auto file = folder / "file";
  std::ofstream(file, std::ios::binary) << std::string(262144, 'x');
  const auto apart = pages_apart(file);
  CHECK(apart.has_value() == (geteuid() == 0));
  if (apart) {
    CHECK(*apart >= 0);
    CHECK(*apart <= 1);
  }
  std::ofstream(folder / "small") << "one page";
  CHECK_FALSE(pages_apart(folder / "small"));
  CHECK_FALSE(pages_apart(folder / "none"));
}
