// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/child.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <stdexcept>

#include "sim/base/files/read_file.h"
#include "sim/base/files/write_whole.h"
#include "tests/support/temporary_folder.h"

namespace gpufeed::ui {
namespace {

bool never() { return false; }

}  // namespace

TEST_CASE("what a child returns comes back whole") {
  const std::string long_text(3'000'000, 'x');  // more than a pipe holds
  const auto end = run_in_child([&] { return std::string(long_text); }, never);
  REQUIRE(end);
  CHECK(end->good);
  CHECK(end->text == long_text);
}

TEST_CASE("what a child reads counts as read, too") {
  const TemporaryFolder folder;
  const auto file = folder.write("read by a child", "words\n");
  const auto end = run_in_child(
      [&] {
        Diagnostics none;
        return read_text_file(file, kMaxTextSize, none).value();
      },
      never);
  REQUIRE(end);
  CHECK(end->text == "words\n");
  CHECK_THROWS_AS(write_whole("report", file, "x"), InputError);
  CHECK_NOTHROW(write_whole("report", folder / "another", "x"));
}

TEST_CASE("what a child throws is its text") {
  const auto refused =
      run_in_child([]() -> std::string { throw std::runtime_error("no way"); }, never);
  REQUIRE(refused);
  CHECK(!refused->good);
  CHECK(refused->text == "no way");
}

#ifndef __SANITIZE_ADDRESS__  // under which there is no child

TEST_CASE("the death of a child is told") {
  const auto died =
      run_in_child([]() -> std::string { return kill(getpid(), SIGKILL), ""; }, never);
  REQUIRE(died);
  CHECK(!died->good);
  CHECK(died->text == "internal error: the simulation died of signal 9 (Killed)\n");
}

TEST_CASE("a child that is not wanted any more is stopped") {
  int asked = 0;
  const auto end = run_in_child(
      []() -> std::string {
        while (true) pause();
      },
      [&] { return ++asked > 3; });
  CHECK(!end);
}

#endif

}  // namespace gpufeed::ui
