// SPDX-License-Identifier: Apache-2.0
// Which stripes are served when servers fail, against a count of all ways to place them.
#include <doctest/doctest.h>

#include <bit>

#include "sim/model/storage/server_law.h"
#include "tests/support/approx.h"

using namespace gpufeed;

namespace {

/// Of all ways to place a stripe on `over` of `servers` servers, of which the first failed, the
/// part that leaves it fewer chunks than that.
double counted(unsigned servers, unsigned failed, unsigned over, unsigned each, unsigned chunks) {
  double all = 0, fewer = 0;
  for (unsigned placed = 0; placed < 1U << servers; ++placed) {
    if (static_cast<unsigned>(std::popcount(placed)) != over) continue;
    ++all;
    const unsigned left = static_cast<unsigned>(std::popcount(placed >> failed)) * each;
    if (left < chunks) ++fewer;
  }
  return fewer / all;
}

}  // namespace

TEST_CASE("stripes with too few chunks left are as many as a count of all placements says") {
  for (unsigned servers = 2; servers <= 9; ++servers)
    for (unsigned over = 1; over <= servers; ++over)
      for (unsigned each = 1; each <= 3; ++each)
        for (unsigned chunks = 1; chunks <= over * each; ++chunks) {
          ServerLaw law;
          law.servers = servers;
          law.chunks_per_server = each;
          law.redundancy = {chunks, over * each - chunks};
          std::int64_t most = -1;
          for (unsigned failed = 0; failed < servers; ++failed) {
            law.failed = failed;
            const double expected = counted(servers, failed, over, each, chunks);
            const double share = share_with_fewer(law, chunks);
            CAPTURE(servers);
            CAPTURE(over);
            CAPTURE(each);
            CAPTURE(chunks);
            CAPTURE(failed);
            CHECK(share == doctest::Approx(expected).epsilon(1e-9));
            CHECK((share > 0) == (expected > 0));  // a store that loses nothing is not refused
            if (expected == 0) most = failed;
          }
          CHECK(may_fail(law, chunks) == most);
        }
}

TEST_CASE("written out: 8+2 on twelve servers, of which some failed") {
  ServerLaw law;
  law.servers = 12;
  law.redundancy = {8, 2};
  law.failed = 2;  // 66 ways to fail, in C(10, 2) = 45 of which both are in the stripe
  CHECK(share_with_fewer(law, 9) == about(45.0 / 66));
  CHECK(share_with_fewer(law, 8) == 0);
  law.failed = 3;  // 220 ways, in C(10, 3) = 120 of which all three are
  CHECK(share_with_fewer(law, 8) == about(120.0 / 220));
  law.redundancy = {};
  law.failed = 6;  // of single chunks, half
  CHECK(share_with_fewer(law, 1) == about(0.5));
}

TEST_CASE("how many chunks must be left: Ceph's min_size, MinIO's quorums, as they document them") {
  struct Row {
    Redundancy kept;
    std::int64_t data, spare, majority;
  };
  // size - size / 2 of copies, k + min(1, m - 1) of codes; K, and K + 1 where parity is half
  for (const Row& row : {Row{{1, 0}, 1, 1, 1}, Row{{1, 1}, 1, 1, 2}, Row{{1, 2}, 1, 2, 2},
                         Row{{1, 3}, 1, 2, 3}, Row{{1, 4}, 1, 3, 3}, Row{{4, 1}, 4, 4, 4},
                         Row{{4, 2}, 4, 5, 4}, Row{{8, 2}, 8, 9, 8}, Row{{8, 3}, 8, 9, 8},
                         Row{{2, 2}, 2, 3, 3}, Row{{8, 8}, 8, 9, 9}, Row{{12, 4}, 12, 13, 12}}) {
    CAPTURE(text(row.kept));
    CHECK(least_chunks(LeastChunks::data, row.kept) == row.data);
    CHECK(least_chunks(LeastChunks::spare, row.kept) == row.spare);
    CHECK(least_chunks(LeastChunks::majority, row.kept) == row.majority);
  }
}
