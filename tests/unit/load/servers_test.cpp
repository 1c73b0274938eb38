// SPDX-License-Identifier: Apache-2.0
// What is refused of stores that are made of servers.
#include <doctest/doctest.h>

#include <string>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

const std::string kServer =
    "server = { chassis = \"supermicro-as-1115cs-tnr\", cpu = \"amd-epyc-9354p\", "
    "memory = \"384 GB\", drives = \"10 x micron-7450-pro-7.68tb\", nics = "
    "\"nvidia-connectx-7-ndr200-200g\" }\n";

/// What a scenario with a store of these keys, at line 7, is told.
std::string told(const std::string& keys) {
  return refusal_of([&] {
    parse_scenario(
        "system = \"nvidia-dgx-h100\"\n[workload]\nkind = \"loader\"\n"
        "dataset = \"imagenet-1k\"\n[data]\nat = \"nas\"\n[store.nas]\n" +
            keys,
        "s.toml", own_catalog(), {});
  });
}

}  // namespace

TEST_CASE("a store is an array or servers, and not both") {
  CHECK(told("servers = 12\nredundancy = \"8+2\"\n" + kServer) == "accepted");
  CHECK(told("servers = 12\nredundancy = \"8+2\"\n") ==
        "s.toml:7:8: error: store.nas: \"server\" is missing; a store of servers needs servers and "
        "server\n");
  CHECK(told("servers = 12\nredundancy = \"8+2\"\nmodel = \"vast-ceres-8-cnodes\"\n" + kServer) ==
        "s.toml:10:1: error: store.nas.model is given, and servers, too: leave one of them out "
        "(--set "
        "store.nas.model= does)\n");
  CHECK(told("model = \"vast-ceres-8-cnodes\"\nfailed_servers = 1\n") ==
        "s.toml:9:1: error: store.nas.failed_servers is for stores of servers, and this one has "
        "none; give servers and server in the place of model, or leave it out\n");
}

TEST_CASE("a server that cannot be built is refused once, not told to be missing as well") {
  std::string small = kServer;
  small.replace(small.find("384 GB"), 6, "256 GB");
  CHECK(told("servers = 12\nredundancy = \"8+2\"\n" + small) ==
        "s.toml:10:83: error: store.nas.server.memory: 256 GB cannot be made of modules that fill "
        "the 12 channels of each CPU evenly; the nearest are 192 GB (12 x 16 GB) and 384 GB (12 x "
        "32 GB)\n");
}

TEST_CASE("redundancy is one of three forms, known to the software, with servers enough") {
  CHECK(
      told("servers = 12\nredundancy = \"raid6\"\n" + kServer) ==
      "s.toml:9:14: error: store.nas.redundancy must be \"none\", copies such as \"replica 3\", or "
      "chunks of data and spare ones such as \"8+2\"; found \"raid6\"\n");
  CHECK(
      told("servers = 12\n" + kServer) ==
      "s.toml:7:1: error: store.nas.redundancy is missing, and without software nothing is usual; "
      "say \"8+2\", \"replica 3\" or \"none\"\n");
  CHECK(told("servers = 9\nredundancy = \"8+2\"\n" + kServer) ==
        "s.toml:8:1: error: store.nas.servers is 9, and \"8+2\" keeps the 10 chunks of a stripe on "
        "servers of their own; take 10 servers or more, or a narrower redundancy\n");
  CHECK(told("servers = 12\nsoftware = \"beegfs\"\nredundancy = \"8+2\"\n" + kServer) ==
        "s.toml:10:1: error: store.nas.redundancy is \"8+2\", and beegfs, as the catalog knows it, "
        "has no erasure code; say \"replica 2\" or \"none\"\n");
  CHECK(
      told("servers = 12\nsoftware = \"minio\"\nredundancy = \"replica 3\"\n" + kServer) ==
      "s.toml:10:1: error: store.nas.redundancy is \"replica 3\", and minio, as the catalog knows "
      "it, keeps no copies; say an erasure code such as \"8+2\", or \"none\"\n");
  CHECK(told("servers = 12\nsoftware = \"cephs\"\nredundancy = \"8+2\"\n" + kServer)
            .find("did you mean \"ceph\"?") != std::string::npos);
  CHECK(told("servers = 12\nredundncy = \"8+2\"\n" + kServer)
            .find("unknown key \"redundncy\"; did you mean \"redundancy\"?") != std::string::npos);
}

TEST_CASE("failures that lose data are refused, with how much they lose") {
  CHECK(told("servers = 12\nredundancy = \"8+2\"\nfailed_servers = 2\n" + kServer) == "accepted");
  CHECK(
      told("servers = 12\nredundancy = \"8+2\"\nfailed_servers = 6\n" + kServer) ==
      "s.toml:10:1: error: store.nas.failed_servers is 6, and \"8+2\" survives 2: of 100 % of the "
      "stripes too many chunks are lost, and with them data; take more spare chunks or copies\n");
  CHECK(told("servers = 3\nredundancy = \"replica 3\"\nsoftware = \"ceph\"\nfailed_servers = 2\n" +
             kServer) ==
        "s.toml:11:1: error: store.nas.failed_servers is 2, and ceph serves a stripe of \"replica "
        "3\" while 2 of its 3 copies are left (min_size): 100 % of the stripes pause, and who "
        "reads them waits; take more spare copies, or min_size = 1 where it is set so\n");
  CHECK(told("servers = 12\nredundancy = \"8+2\"\nsoftware = \"ceph\"\nfailed_servers = 2\n" +
             kServer) ==
        "s.toml:11:1: error: store.nas.failed_servers is 2, and ceph serves a stripe of \"8+2\" "
        "while 9 of its 10 chunks are left (min_size): 68.2 % of the stripes pause, and who reads "
        "them waits; take more spare chunks, or min_size = 8 where it is set so\n");
  CHECK(told("servers = 12\nredundancy = \"8+2\"\nmin_size = 11\n" + kServer) ==
        "s.toml:10:1: error: store.nas.min_size is 11, and a stripe of \"8+2\" is read with 8 of "
        "its chunks and has 10; take 8 to 10\n");
  CHECK(told("model = \"vast-ceres-8-cnodes\"\nmin_size = 2\n") ==
        "s.toml:9:1: error: store.nas.min_size is for stores of servers, and this one has none; "
        "give servers and server in the place of model, or leave it out\n");
  CHECK(told("servers = 12\nredundancy = \"replica 3\"\nfailed_servers = 12\n" + kServer) ==
        "s.toml:10:1: error: store.nas.failed_servers is 12 of 12 servers: none is left\n");
  CHECK(told("servers = 12\nredundancy = \"6+6\"\nfailed_servers = 6\n" + kServer) == "accepted");
  CHECK(told("servers = 12\nredundancy = \"8+2\"\nrebuilding = \"20 %\"\n" + kServer) ==
        "s.toml:10:1: error: store.nas.rebuilding is given, and no server failed (failed_servers); "
        "leave it out\n");
  CHECK(told("servers = 10\nredundancy = \"8+2\"\nfailed_servers = 1\nrebuilding = \"20 %\"\n" +
             kServer) ==
        "s.toml:11:1: error: store.nas.rebuilding is given, but of 10 servers 9 are left, and "
        "\"8+2\" needs 10 for the chunks of a stripe: nothing can be made up for; leave it out\n");
}

TEST_CASE("MinIO's chunks need sets of drives that lie evenly on servers") {
  CHECK(told("servers = 12\nsoftware = \"minio\"\nredundancy = \"12+4\"\n" + kServer) ==
        "s.toml:10:1: error: store.nas.redundancy is \"12+4\", and minio spreads a stripe over a "
        "set of drives, as many as its 16 chunks; 12 servers of 10 drives make sets of 2, 3, 4, 5, "
        "6, 8, 10, 12: take as many chunks in all\n");
  CHECK(told("servers = 12\nsoftware = \"minio\"\nredundancy = \"4+8\"\n" + kServer) ==
        "s.toml:10:1: error: store.nas.redundancy is \"4+8\", and of the chunks of minio half are "
        "spare at most; take \"6+6\"\n");
  CHECK(told("servers = 17\nsoftware = \"minio\"\n" + kServer) ==
        "s.toml:8:1: error: store.nas.servers is 17, of 10 drives each, and minio spreads its "
        "stripes evenly over sets of 2 to 16 drives, which these do not make; take another number "
        "of servers or drives, or say redundancy\n");
  CHECK(told("servers = 12\nsoftware = \"minio\"\nfailed_servers = 1\nrebuilding = \"20 %\"\n" +
             kServer) ==
        "s.toml:11:1: error: store.nas.rebuilding is given, but what minio lost with a server it "
        "makes up for once that is replaced, and not on others; leave it out\n");
}
