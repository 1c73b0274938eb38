// SPDX-License-Identifier: Apache-2.0
// What is left of stores of servers when some fail, by each software that the catalog has.
#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

/// A store of so many servers, of as many drives each.
struct Asked {
  int servers = 16;
  int drives = 4;
  std::string software;
  std::string redundancy;
  int failed = 0;
  std::string more = {};
};

std::string job(const Asked& asked) {
  const std::string of_software =
      asked.software.empty() ? "" : "software = \"" + asked.software + "\"\n";
  return "system = \"nvidia-dgx-h100\"\n[workload]\nkind = \"loader\"\n"
         "dataset = \"imagenet-1k\"\n[data]\nat = \"nas\"\n" +
         asked.more +
         "[store.nas]\nserver = { chassis = \"supermicro-as-1115cs-tnr\", cpu = "
         "\"amd-epyc-9354p\", memory = \"384 GB\", drives = \"" +
         std::to_string(asked.drives) +
         " x micron-7450-pro-7.68tb\", nics = \"nvidia-connectx-7-ndr200-200g\" }\nservers = " +
         std::to_string(asked.servers) + "\nfailed_servers = " + std::to_string(asked.failed) +
         "\n" + of_software +
         (asked.redundancy.empty() ? "" : "redundancy = \"" + asked.redundancy + "\"\n");
}

/// What such a store gives; nothing where it is refused.
std::optional<StoreOfServers> given(const Asked& asked, const std::string& keys = "") {
  try {
    static const Catalog catalog = own_catalog().remembering();
    return parse_scenario(job(asked) + keys, "s.toml", catalog, {}).store.at(0).of_servers;
  } catch (const InputError&) {
    return {};
  }
}

/// Servers that may fail at once and leave a store that is read.
int most_failed(Asked asked, const std::string& keys = "") {
  while (given(asked, keys)) ++asked.failed;
  return asked.failed - 1;
}

}  // namespace

TEST_CASE("each software serves what is left as its documentation has it") {
  struct Row {
    const char* software;
    const char* redundancy;
    int most;
  };
  for (const Row& row :
       {Row{"ceph", "8+2", 1}, Row{"ceph", "8+1", 1}, Row{"ceph", "8+3", 2},
        Row{"ceph", "replica 2", 1}, Row{"ceph", "replica 3", 1}, Row{"ceph", "replica 4", 2},
        Row{"daos", "8+2", 2}, Row{"daos", "replica 3", 2}, Row{"beegfs", "replica 2", 1},
        Row{"weka", "8+2", 2}, Row{"weka", "5+4", 4}, Row{"minio", "12+4", 4},
        Row{"minio", "8+8", 8}, Row{"aistore", "none", 0}, Row{"", "8+2", 2},
        Row{"", "replica 3", 2}}) {
    CAPTURE(row.software);
    CAPTURE(row.redundancy);
    const Asked asked{16, 4, row.software, row.redundancy};
    CHECK(most_failed(asked) == row.most);
    const auto sound = given(asked);
    REQUIRE(sound);
    CHECK(sound->may_fail == row.most);
    // Other settings are told apart by min_size alone.
    const auto kept = parse_redundancy(row.redundancy);
    REQUIRE(kept);
    for (std::int64_t min_size = kept->data; min_size <= kept->width(); ++min_size)
      CHECK(most_failed(asked, "min_size = " + std::to_string(min_size) + "\n") ==
            kept->width() - min_size);
  }
}

TEST_CASE("a pool that goes on below Ceph's default gives what another software's would") {
  const Asked asked{12, 10, "ceph", "8+2", 2};
  CHECK_FALSE(given(asked));
  const auto set = given(asked, "min_size = 8\n");
  REQUIRE(set);
  CHECK(set->may_fail == 0);
  CHECK(set->survives == 0);
  const auto sound = given({12, 10, "ceph", "8+2"}, "min_size = 8\n");
  CHECK(set->read_Bps < sound->read_Bps);
  CHECK(sound->may_fail == 2);
}

TEST_CASE("MinIO takes no writes where half of a set is left, and reads go on") {
  Asked asked{16, 4, "minio", "8+8", 7};
  REQUIRE(given(asked));
  CHECK(given(asked)->write_Bps > 0);
  CHECK(given(asked)->may_fail_for_writes == 0);
  asked.failed = 8;
  REQUIRE(given(asked));
  CHECK(given(asked)->write_Bps == 0);
  CHECK(given(asked)->read_Bps > 0);
  const std::string writes =
      "system = \"nvidia-dgx-h100\"\nnodes = 2\n[workload]\nkind = \"checkpointing\"\n";
  const std::string stored = job(asked).substr(job(asked).find("[data]"));
  CHECK(refusal_of([&] {
          parse_scenario(writes + stored, "s.toml", own_catalog(), {});
        }).find("leaves too few chunks of stripes for writes") != std::string::npos);
}

TEST_CASE("chunks of MinIO share few servers: its documentation's four of four drives") {
  const auto four = given({4, 4, "minio", ""});
  REQUIRE(four);
  CHECK(four->redundancy == "12+4");
  CHECK(four->chunks_per_server == 4);
  CHECK(most_failed({4, 4, "minio", ""}) == 1);  // 12 of 16 drives are left, as many as data
  CHECK(most_failed({4, 4, "minio", "8+8"}) == 2);
  // Any server is asked, and has a quarter: 1 + 3/4 bytes are sent for each that is read.
  const double cards = 2 * 25e9 * 0.93;
  CHECK(four->read_Bps <= 4 * cards / 1.75 * (1 + 1e-9));
  CHECK(four->usable_B == about(16 * 7.68e12 * 12 / 16));
}

TEST_CASE(
    "MinIO's sets are the largest that lie evenly on servers, with the parity of their size") {
  struct Row {
    int servers, drives;
    const char* redundancy;  ///< nullptr: it makes none
    int chunks = 1;
  };
  for (const Row& row :
       {Row{4, 4, "12+4", 4}, Row{16, 1, "12+4"}, Row{32, 10, "12+4"}, Row{12, 10, "8+4"},
        Row{5, 3, "11+4", 3}, Row{6, 4, "8+4", 2}, Row{7, 1, "4+3"}, Row{5, 1, "3+2"},
        Row{3, 1, "2+1"}, Row{1, 4, "2+2", 4}, Row{17, 1, nullptr}}) {
    CAPTURE(row.servers);
    CAPTURE(row.drives);
    const auto store = given({row.servers, row.drives, "minio", ""});
    REQUIRE(store.has_value() == (row.redundancy != nullptr));
    if (!store) continue;
    CHECK(store->redundancy == row.redundancy);
    CHECK(store->chunks_per_server == row.chunks);
  }
  CHECK(given({12, 10, "minio", "8+2"}));         // sets of ten, as MinIO lets one set them
  CHECK_FALSE(given({12, 10, "minio", "12+4"}));  // sixteen lie on twelve servers unevenly
  CHECK_FALSE(given({16, 4, "minio", "4+12"}));
}
