// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/file_lock.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <set>
#include <system_error>

#include "calib/probes/child.h"
#include "tests/support/temporary_folder.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

/// Another process that holds the lock of a file, or of the one that it makes.
class Holder {
 public:
  explicit Holder(const fs::path& file) : child_([&] { return hold(file); }) {
    char told = 0;
    REQUIRE(read(ends_[0], &told, 1) == 1);
    REQUIRE(told == 'h');
  }
  ~Holder() {
    for (const int end : ends_) close(end);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

 private:
  int hold(const fs::path& file) const {
    const auto lock = fs::exists(file) ? FileLock::take(file) : FileLock::make(file);
    const char tell = lock ? 'h' : 'n';
    if (write(ends_[1], &tell, 1) != 1) return 1;
    while (true) pause();
  }
  static std::array<int, 2> opened() {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    return ends;
  }

  std::array<int, 2> ends_ = opened();
  Child child_;
};

}  // namespace

TEST_CASE("a lock is one process' until that ends, however it does") {
  const TemporaryFolder folder;
  for (const fs::path& held : {folder.write("file", "text"), folder / "new", folder / ""}) {
    INFO(held.string());
    {
      const Holder other(held);
      CHECK(!FileLock::take(held));
    }  // killed
    CHECK(FileLock::take(held));
    auto one = FileLock::take(held);
    CHECK(!FileLock::take(held));
    one.reset();
    CHECK(FileLock::take(held));
  }
  CHECK(fs::file_size(folder / "file") == 4);
  CHECK(fs::is_empty(folder / "new"));
}

TEST_CASE("a file is there only once it is locked, and what is not there or a link has no lock") {
  const TemporaryFolder folder;
  CHECK(FileLock::make(folder / "held"));
  CHECK(std::distance(fs::directory_iterator(folder / ""), fs::directory_iterator()) == 1);
  CHECK_THROWS_AS(FileLock::make(folder / "none/held"), std::system_error);
  CHECK(!FileLock::take(folder / "none"));
  fs::create_symlink(folder / "held", folder / "link");
  CHECK(!FileLock::take(folder / "link"));
  CHECK(FileLock::take(folder / "held"));
}

TEST_CASE("a program that is started does not hold a lock when its owner is gone") {
  const TemporaryFolder folder;
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  Child owner([&] {
    const auto lock = FileLock::make(folder / "held");
    const pid_t program = fork();
    if (program == 0) execlp("sleep", "sleep", "60", nullptr);
    _exit(write(ends[1], &program, sizeof program) == sizeof program ? 0 : 1);
    return 0;
  });
  CHECK(owner.wait() == 0);
  pid_t program = 0;
  REQUIRE(read(ends[0], &program, sizeof program) == sizeof program);
  close(ends[1]);
  CHECK(read(ends[0], &program, 1) == 0);  // nobody has the other end any more: it was started
  close(ends[0]);
  CHECK(kill(program, 0) == 0);
  CHECK(FileLock::take(folder / "held"));
  kill(program, SIGKILL);
}

TEST_CASE("names of one's own are no one else's") {
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) names.insert(name_of_its_own());
  CHECK(names.size() == 1000);
  for (const std::string& name : names) CHECK(name.size() == 16);
}

}  // namespace gpufeed
