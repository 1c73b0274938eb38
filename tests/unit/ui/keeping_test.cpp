// SPDX-License-Identifier: Apache-2.0
#include "ui/model/keep/keeping.h"

#include <doctest/doctest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "calib/probes/child.h"
#include "sim/base/files/file_lock.h"
#include "tests/support/container.h"
#include "tests/support/temporary_folder.h"

namespace gpufeed::ui {

TEST_CASE("what a window remembers comes back") {
  const TemporaryFolder folder;
  const Keeping keeping(folder / "new");
  std::string message;
  CHECK(keeping.load(message) == Remembered{});
  Remembered own{false, 1.25F, {}};
  for (const char* file : {"/a b/one.toml", "/two.toml", "/a b/one.toml"}) note_recent(own, file);
  CHECK(own.recent == std::vector<std::string>{"/a b/one.toml", "/two.toml"});
  keeping.save(own);
  CHECK(keeping.load(message) == own);
  CHECK(message.empty());
  for (int i = 0; i < 20; ++i) note_recent(own, "/" + std::to_string(i));
  CHECK(own.recent.size() == 8);
  CHECK(own.recent.front() == "/19");
}

TEST_CASE("damaged settings are set aside with a message") {
  for (const char* text :
       {"", "gpufeed-ui 2\n", "gpufeed-ui 1\ntheme green\n", "gpufeed-ui 1\nscale nan\n",
        "gpufeed-ui 1\nscale 1000\n", "gpufeed-ui 1\nrecent \n", "gpufeed-ui 1\n\x01\x02\n"}) {
    INFO(text);
    const TemporaryFolder folder;
    folder.write("window", text);
    const Keeping keeping(folder / "");
    std::string message;
    CHECK(keeping.load(message) == Remembered{});
    CHECK(message == "The window's settings could not be read and begin anew; the old ones: " +
                         (folder / "window.damaged").string());
    CHECK(std::filesystem::exists(folder / "window.damaged"));
    message.clear();
    CHECK(keeping.load(message) == Remembered{});
    CHECK(message.empty());
  }
}

TEST_CASE("edits of a window that runs no more are found, those of one that runs are not") {
  const TemporaryFolder folder;
  Keeping keeping(folder / "");
  keeping.note("/mine.toml", "nodes = 2\n");
  {
    Keeping other(folder / "");
    other.note("/other.toml", "nodes = 3\n\nb = 1\n");
    CHECK(keeping.left_behind().empty());
    CHECK(other.left_behind().empty());
  }
  const auto left = keeping.left_behind();
  REQUIRE(left.size() == 1);
  CHECK(left.front().name == "/other.toml");
  CHECK(left.front().text == "nodes = 3\n\nb = 1\n");
  Keeping::discard(left.front());
  CHECK(keeping.left_behind().empty());
  keeping.forget();
  CHECK(std::filesystem::is_empty(folder / ""));
}

TEST_CASE("windows that have one process number, as in containers, keep a copy each") {
  const TemporaryFolder folder;
  for (const char* text : {"nodes = 2\n", "nodes = 3\n"}) {
    const auto status = run_in_container([&] {
      Keeping(folder / "").note("/mine.toml", text);
      return 0;
    });
    if (!status) {
      MESSAGE("skipped: no PID namespace is permitted here");
      return;
    }
    REQUIRE(*status == 0);
  }
  const auto left = Keeping(folder / "").left_behind();
  REQUIRE(left.size() == 2);
  CHECK(left[0].text != left[1].text);
}

TEST_CASE("a copy that a window holds is not discarded by another that saw it before") {
  const TemporaryFolder folder;
  Keeping(folder / "").note("/mine.toml", "nodes = 2\n");
  const Keeping keeping(folder / "");
  const auto left = keeping.left_behind();
  REQUIRE(left.size() == 1);
  {
    const auto held =
        FileLock::take(std::filesystem::path(left.front().copy).replace_extension("lock"));
    REQUIRE(held);
    Keeping::discard(left.front());
  }
  CHECK(keeping.left_behind().size() == 1);
}

TEST_CASE("a window whose files are removed keeps its edits all the same") {
  const TemporaryFolder folder;
  {
    Keeping keeping(folder / "state");
    keeping.note("/mine.toml", "nodes = 2\n");
    std::filesystem::remove_all(folder / "state");
    keeping.note("/mine.toml", "nodes = 3\n");
    CHECK(keeping.left_behind().empty());
  }
  const auto left = Keeping(folder / "state").left_behind();
  REQUIRE(left.size() == 1);
  CHECK(left.front().text == "nodes = 3\n");
}

TEST_CASE("copies of versions that named them by a process are found, whoever has its number now") {
  const TemporaryFolder folder;
  const Child other([] {
    while (true) pause();
    return 0;
  });
  const Child window([] {
    prctl(PR_SET_NAME, "gpufeed-ui");
    while (true) pause();
    return 0;
  });
  const auto named = [](const std::string& name) {
    std::ifstream in(name);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  while (named("/proc/" + std::to_string(window.pid()) + "/comm") != "gpufeed-ui\n") usleep(1000);
  for (const std::string& owner : {std::to_string(getpid()), std::to_string(other.pid()),
                                   std::string("999999999"), std::string("999999999-1")})
    folder.write("unsaved-" + owner + ".toml", "# not saved: /other.toml\nnodes = 3\n");
  folder.write("unsaved-999999998.toml", "something else");
  const std::string running = "unsaved-" + std::to_string(window.pid()) + ".toml";
  folder.write(running, "# not saved: /other.toml\nnodes = 4\n");
  const auto left = Keeping(folder / "").left_behind();
  CHECK(left.size() == 4);
  for (const LeftBehind& one : left) {
    CHECK(one.text == "nodes = 3\n");
    Keeping::discard(one);
  }
  CHECK(Keeping(folder / "").left_behind().empty());
  CHECK(std::filesystem::exists(folder / running));
}

TEST_CASE("without a folder nothing is read or written") {
  Keeping keeping;
  std::string message;
  keeping.save({});
  keeping.note("/mine.toml", "nodes = 2\n");
  keeping.forget();
  CHECK(keeping.load(message) == Remembered{});
  CHECK(keeping.left_behind().empty());
}

}  // namespace gpufeed::ui
