// SPDX-License-Identifier: Apache-2.0
#include "reports/study/study_pool.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>

#include "reports/writers/pooled_json.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

using Texts = std::vector<std::string>;

StudyPool pool_in(
    const TemporaryFolder& folder, const std::string& of = "this",
    std::function<bool()> stop = [] { return false; }) {
  StudyPool pool(folder / "pool", "1.0", {}, std::move(stop));
  pool.is_of({{"the scenario", of}});
  return pool;
}

std::string square(std::size_t i) { return fmt::format("{}\n", i * i); }

}  // namespace

TEST_CASE("workers of a study share each round, and all go on from the same") {
  constexpr std::size_t kTasks = 40;
  const TemporaryFolder folder;
  std::atomic<int> done = 0;
  std::vector<Texts> found(3);
  std::vector<std::thread> workers;
  for (Texts& mine : found)
    workers.emplace_back([&] {
      StudyPool pool = pool_in(folder);
      const auto work = [&](std::size_t i) {
        ++done;
        return square(i);
      };
      const Texts first = pool.round(kTasks, 2, work);
      mine = pool.round(first.size() / 2, 1, [&](std::size_t i) { return first[i] + "again"; });
    });
  for (std::thread& one : workers) one.join();
  CHECK(done < 2 * static_cast<int>(kTasks));  // else each has done all
  REQUIRE(found.front().size() == kTasks / 2);
  for (std::size_t i = 0; i < kTasks / 2; ++i) CHECK(found.front()[i] == square(i) + "again");
  for (const Texts& other : found) CHECK(other == found.front());
  // One who comes when all is over has nothing to do.
  StudyPool late = pool_in(folder);
  const auto none = [](std::size_t) -> std::string { throw std::logic_error("there is no work"); };
  CHECK(late.round(kTasks, 1, none).back() == square(kTasks - 1));
  CHECK(late.round(kTasks / 2, 1, none) == found.front());
}

TEST_CASE("a round may have no tasks, and texts of any bytes") {
  const TemporaryFolder folder;
  StudyPool pool = pool_in(folder);
  CHECK(pool.round(0, 4, square).empty());
  const std::string bytes("7\n\0{\"\n", 6);
  CHECK(pool.round(2, 1, [&](std::size_t i) { return i == 0 ? "" : bytes; }) == Texts{"", bytes});
}

TEST_CASE("another study, and a damaged pool, are refused") {
  const TemporaryFolder folder;
  StudyPool first = pool_in(folder);
  first.round(2, 1, square);
  CHECK(refusal_of([&] {
          pool_in(folder, "that").round(2, 1, square);
        }).find("the pool is of something else: the scenario differs") != std::string::npos);
  CHECK(refusal_of([&] {
          pool_in(folder).round(3, 1, square);
        }).find("the number of tasks differs") != std::string::npos);
  for (const char* const damaged :
       {"", "1\n0", "900\n0", "x", "-1\n0", "18446744073709551615\n0"}) {
    folder.write("pool/round-1/rows", damaged);
    CHECK(refusal_of([&] {
            pool_in(folder).round(2, 1, square);
          }).find("is damaged: remove the folder of the pool") != std::string::npos);
  }
  std::filesystem::remove(folder / "pool/round-1/rows");
  CHECK(refusal_of([&] {
          pool_in(folder).round(2, 1, square);
        }).find("rows: error: cannot be read: remove the folder") != std::string::npos);
}

TEST_CASE("a worker that is asked to end leaves, and so does one whose task fails") {
  const TemporaryFolder folder;
  std::atomic<bool> stop = false;
  StudyPool stopped = pool_in(folder, "this", [&] { return stop.load(); });
  const auto one_only = [&](std::size_t i) {
    stop = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    return square(i);
  };
  CHECK_THROWS_AS(stopped.round(50, 1, one_only), PoolStopped);
  StudyPool fails = pool_in(folder);
  CHECK_THROWS_WITH_AS(
      fails.round(50, 2, [](std::size_t) -> std::string { throw std::runtime_error("no"); }), "no",
      std::runtime_error);
  StudyPool ends = pool_in(folder);  // what they left is free at once
  CHECK(ends.round(50, 2, square).back() == square(49));
}

TEST_CASE("what workers tell each other reads back as it was") {
  PooledChoice choice;
  choice.stage = 5;
  choice.most_samples_per_s = std::numeric_limits<double>::infinity();
  choice.price_USD = 0.1;
  choice.optimistic = {{{true, 1.0 / 3, {}}, {false, 0, "nvme"}, {}}, {}};
  choice.choice.values = {{"drives", "system.drives", "'2 x a'"}};
  choice.refusal = "\"no\"\n\t";
  const PooledChoices choices{{PooledChoice{}, choice}};
  const PooledChoices back = pooled_choices_from_json(to_json(choices));
  CHECK(to_json(back) == to_json(choices));
  CHECK(back.choices.at(1).optimistic.at(0).at(0).number == 1.0 / 3);
  CHECK(back.choices.at(1).most_samples_per_s == choice.most_samples_per_s);
  PooledChange change;
  change.row.emplace().gain = 0.25;
  change.held_back = "x";
  CHECK(to_json(pooled_change_from_json(to_json(change))) == to_json(change));
  PooledCase one;
  one.rows.resize(2);
  one.rows[1].predicted = 0.7;
  one.message = "m";
  CHECK(to_json(pooled_case_from_json(to_json(one))) == to_json(one));
  CHECK(pooled_chance_from_json(to_json(PooledChance{0.5})).chance == 0.5);
  CHECK_FALSE(refusal_of([] { pooled_chance_from_json("{}"); }).empty());
}
