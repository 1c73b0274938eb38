// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "calib/fit/fio_json.h"
#include "calib/probes/child.h"
#include "calib/probes/decode_probe.h"
#include "calib/probes/filling_probe.h"
#include "calib/probes/fio_probe.h"
#include "calib/probes/memory_probe.h"
#include "calib/probes/opening_probe.h"
#include "calib/probes/pytorch_program.h"
#include "calib/probes/scratch.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

TEST_CASE("fio's jobs name a file, never a device, one job at a time, sizes in bare bytes") {
  const FioTest test{{4096, 1048576}, {1, 16}, false, {1.5}, {1e9}};
  CHECK(settings_of(test) == 4);
  CHECK(fio_jobs(test, "/data/scratch/data") ==
        "[global]\nfilename=/data/scratch/data\nsize=1000000000\nioengine=libaio\ndirect=1\n"
        "norandommap=1\nrandrepeat=0\nrw=randread\ntime_based=1\nruntime=1500ms\nstonewall\n"
        "[read-4096-1]\nbs=4096\niodepth=1\n[read-4096-16]\nbs=4096\niodepth=16\n"
        "[read-1048576-1]\nbs=1048576\niodepth=1\n[read-1048576-16]\nbs=1048576\niodepth=16\n");
}

TEST_CASE("made samples decode to as many bytes as they have pixels, and damage is noticed") {
  for (const Codec codec : {Codec::jpeg, Codec::png, Codec::npz}) {
    CAPTURE(name_of_codec(codec));
    std::string sample = make_sample(codec, 64, 48, 0.3, 1);
    std::vector<std::uint8_t> out;
    CHECK(decode_sample(codec, sample, out));
    CHECK(out.size() == 64 * 48 * 3);
    if (codec == Codec::jpeg) continue;  // which shows what it can
    sample[sample.size() / 2] = static_cast<char>(sample[sample.size() / 2] ^ 0x40);
    CHECK(!decode_sample(codec, sample, out));
  }
}

TEST_CASE("workers decode into batches that one process takes over") {
  const TemporaryFolder folder;
  const DecodeTest test{Codec::npz, 64, 48, 0, 2, 4, {0.01}};
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

TEST_CASE("without an interpreter, or a probe beside this program, PyTorch is not measured") {
  const TemporaryFolder folder;
  const PytorchProbe none = measure_pytorch("no-such-python", folder / "", Seconds{0.01});
  CHECK(none.json.empty());
  CHECK((none.why_none == "there is no program no-such-python" ||
         none.why_none == "gpufeed-pytorch-probe is not beside this program"));
}

TEST_CASE("a scratch folder goes away, and takes along what a killed run left") {
  const TemporaryFolder folder;
  const auto left = folder / "gpufeed-scratch";
  std::filesystem::create_directories(left);
  std::ofstream(left / "old") << "x";
  {
    const Scratch scratch(folder / "", {1e6});
    CHECK(scratch.path() == left);
    CHECK(std::filesystem::is_empty(left));
    std::ofstream(left / "new") << "x";
  }
  CHECK(!std::filesystem::exists(left));
  CHECK(refusal_of([&] { Scratch(folder / "gone", {1}); }).ends_with("there is no such folder\n"));
  CHECK(refusal_of([&] {
          Scratch(folder / "", {1e18});
        }).find("are needed; --max-bytes takes less") != std::string::npos);
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
