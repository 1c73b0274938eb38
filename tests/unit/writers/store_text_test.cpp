// SPDX-License-Identifier: Apache-2.0
// Stores of servers, and what limits stages, as the screen says it.
#include "reports/writers/store_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "reports/writers/text.h"
#include "sim/topology/graph.h"
#include "tests/unit/writers/sample_result.h"

using namespace gpufeed;

namespace {

StoreOfServers twelve(std::int64_t may_fail, std::int64_t survives) {
  StoreOfServers store;
  store.name = "nas";
  store.servers = 12;
  store.redundancy = "8+2";
  store.may_fail = store.may_fail_for_writes = may_fail;
  store.survives = survives;
  store.raw_B = 1e15;
  store.usable_B = 8e14;
  store.read_Bps = store.write_Bps = 1e11;
  return store;
}

bool has(const StoreOfServers& store, const std::string& words) {
  CAPTURE(store_text(store));
  return store_text(store).find(words) != std::string::npos;
}

/// Without line ends, and without the spaces that follow them.
std::string in_one_line(const std::string& text) {
  std::string out;
  for (const char letter : text)
    if (letter != '\n' && !(letter == ' ' && out.ends_with(' '))) out += letter;
  return out;
}

}  // namespace

TEST_CASE(
    "how many servers may fail: all the same, or before it pauses, and before data are lost") {
  CHECK(has(twelve(2, 2), "nas: 12 servers, of which 2 may fail;"));
  CHECK(has(twelve(1, 2), "12 servers, of which 1 may fail (2 before data are lost);"));
  CHECK(has(twelve(0, 0), "12 servers, none of which may fail;"));
  CHECK(has(twelve(0, 1), "12 servers, none of which may fail (1 before data are lost);"));
  StoreOfServers writes = twelve(8, 8);
  writes.may_fail_for_writes = 7;
  CHECK(has(writes, "of which 8 may fail (7 while it takes writes);"));
  writes.failed_servers = 8;
  writes.may_fail = writes.survives = 0;
  writes.may_fail_for_writes = -1;
  writes.write_Bps = 0;
  CHECK(has(writes, "12 servers, 8 of them failed, and with one more data are lost;"));
  CHECK(has(writes, "no writes (too few chunks of a stripe are left)"));
  StoreOfServers failed = twelve(0, 1);
  failed.failed_servers = 1;
  CHECK(has(failed, "1 of them failed, and with one more it pauses;"));
  failed.may_fail = failed.may_fail_for_writes = failed.survives = 1;
  CHECK(has(failed, "1 of them failed, and 1 more may;"));
}

TEST_CASE("how often a byte is kept is said in words that fit the number") {
  StoreOfServers store = twelve(2, 2);
  store.overhead = 1;
  CHECK(has(store, "each byte kept once)"));
  store.overhead = 1.25;
  CHECK(has(store, "each byte kept 1.25 times)"));
  CHECK(has(store, "redundancy 8+2 leaves"));
  store.chunks_per_server = 4;
  CHECK(has(store, "redundancy 8+2, 4 chunks on each server, leaves"));
}

TEST_CASE("what limits a stage is told to its end, whatever it is called") {
  for (const std::string store : {"nas", "the-flashblade-of-the-cellar"})
    for (const auto limit : EnumNames<StorageLimit>::names) {
      Result result = sample_result();
      REQUIRE(!result.stages.empty());
      result.stages[0].limit =
          fact<LimiterCode::storage_parts>(std::vector{store}, std::string(limit));
      const std::string text = to_text(result);
      CAPTURE(text);
      const std::string wanted = store + " (" + std::string(limit) + ")";
      std::string unmarked = text;  // the mark stands behind the first line
      if (const auto at = unmarked.find(" <--"); at != std::string::npos) unmarked.erase(at, 4);
      CHECK(in_one_line(unmarked).find(wanted) != std::string::npos);
      for (std::size_t from = 0, end = 0; from < text.size(); from = end + 1) {
        end = std::min(text.find('\n', from), text.size());
        CHECK(end - from <= 100);
      }
    }
}
