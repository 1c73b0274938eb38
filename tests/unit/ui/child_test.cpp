// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/child.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <stdexcept>

#include "sim/base/diagnostics.h"
#include "sim/base/files/read_file.h"
#include "sim/base/files/write_whole.h"
#include "tests/support/temporary_folder.h"
#include "ui/model/work/problems.h"

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
  CHECK(shown_lines(refused->problems) == "no way");
}

TEST_CASE("what is wrong in a child comes back as data") {
  Problem one = unknown_key({"a.toml", 3, 2}, "loader", "workers", {"workers_per_gpu"});
  const Problem two{{"b.toml", 0, 0}, "c.toml:1:2: error: is no place of it"};
  const auto refused = run_in_child(
      [&]() -> std::string {
        throw InputError(std::vector<Problem>{one, two});
      },
      never);
  REQUIRE(refused);
  REQUIRE(refused->problems.size() == 2);
  const Problem& back = refused->problems.front();
  CHECK(back.where == one.where);
  CHECK(back.code == ProblemCode::unknown_key);
  CHECK(back.subject == one.subject);
  CHECK(back.known == one.known);
  CHECK(back.fixes == one.fixes);
  CHECK(sentence(back) == sentence(one));
  CHECK(refused->problems.back().where == two.where);
  CHECK(first_sentence({two}) == two.message);
}

#ifndef __SANITIZE_ADDRESS__  // under which there is no child

TEST_CASE("the death of a child is told") {
  const auto died =
      run_in_child([]() -> std::string { return kill(getpid(), SIGKILL), ""; }, never);
  REQUIRE(died);
  CHECK(!died->good);
  CHECK(shown_lines(died->problems) == "internal error: the simulation died of signal 9 (Killed)");
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
