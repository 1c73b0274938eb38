// SPDX-License-Identifier: Apache-2.0
#include "ui/model/keep/keeping.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

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
  const Keeping keeping(folder / "");
  keeping.note("/mine.toml", "nodes = 2\n");
  CHECK(keeping.left_behind().empty());
  folder.write("unsaved-999999999.toml", "# not saved: /other.toml\nnodes = 3\n\nb = 1\n");
  folder.write("unsaved-999999998.toml", "something else");
  const auto left = keeping.left_behind();
  REQUIRE(left.size() == 1);
  CHECK(left.front().name == "/other.toml");
  CHECK(left.front().text == "nodes = 3\n\nb = 1\n");
  Keeping::discard(left.front());
  CHECK(keeping.left_behind().empty());
}

TEST_CASE("without a folder nothing is read or written") {
  const Keeping keeping;
  std::string message;
  keeping.save({});
  keeping.note("/mine.toml", "nodes = 2\n");
  keeping.forget();
  CHECK(keeping.load(message) == Remembered{});
  CHECK(keeping.left_behind().empty());
}

}  // namespace gpufeed::ui
