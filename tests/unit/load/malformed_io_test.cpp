// SPDX-License-Identifier: Apache-2.0
// What a user reads of requests and copies that cannot be.
#include "tests/support/malformed.h"

using namespace gpufeed;
using namespace gpufeed::malformed;  // NOLINT: the vocabulary of this file

namespace {

std::vector<Case> malformed_io() {
  return {
      {"io without its requests",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n",
       "bad.toml:2:1: error: workload: \"io\" is missing; io needs the requests, such as { "
       "block_size = \"4096 B\", queue_depth = 32 }\n"},
      {"an io key misspelt",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { blok_size = \"4096 B\" }\n",
       "bad.toml:4:8: error: workload.io: unknown key \"blok_size\"; did you mean "
       "\"block_size\"?\n"},
      {"requests of no bytes",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { block_size = \"0 B\" }\n",
       "bad.toml:4:21: error: workload.io.block_size must be text with a unit from \"512 B\" to "
       "\"1 GB\"; found \"0 B\"\n"},
      {"no request under way",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { queue_depth = 0 }\n",
       "bad.toml:4:22: error: workload.io.queue_depth must be a whole number from 1 to 65536; "
       "found 0\n"},
      {"a bare share of reads",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { read_share = 70 }\n",
       "bad.toml:4:21: error: workload.io.read_share must be text with a unit from \"0 %\" to "
       "\"100 %\"; found 70\n"},
      {"an order that is none",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { pattern = \"randread\" }\n",
       "bad.toml:4:18: error: workload.io.pattern must be one of \"random\", \"sequential\"; found "
       "\"randread\"\n"},
      {"io into the memory of no socket",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { memory = \"gpu0\" }\n",
       "bad.toml:4:17: error: workload.io.memory: there is no socket \"gpu0\"; did you mean "
       "\"cpu0\"?\n"},
      {"io straight into GPUs",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = {}\n"
                 "[data]\n"
                 "path = \"gpudirect\"\n",
       "bad.toml:6:8: error: data.path: no effect on a workload of kind \"io\", only on kind "
       "\"training\", \"transfers\", \"inference\"; leave it out\n"},
      {"io with a copy-in",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = {}\n"
                 "[data]\n"
                 "at = \"scratch\"\n"
                 "staging = { from = \"nas\" }\n"
                 "[store.nas]\n"
                 "model = \"netapp-aff-a800\"\n",
       "bad.toml:7:11: error: data.staging: no effect on a workload of kind \"io\", only on kind "
       "\"training\", \"emulated\", \"loader\"; leave it out\n"},
      {"writes to a store that are not known",
       kSystem + "[workload]\n"
                 "kind = \"io\"\n"
                 "io = { read_share = \"50 %\" }\n"
                 "[data]\n"
                 "at = \"nas\"\n"
                 "[store.nas]\n"
                 "model = \"netapp-aff-a800\"\n",
       "bad.toml:6:6: error: data.at: what \"nas\" takes is not known; add write_bandwidth to "
       "netapp-aff-a800\n"},
      {"transfers without any",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n",
       "bad.toml:2:1: error: workload: \"tests\" is missing; transfers needs some, such as "
       "[\"host_to_device\"], or [[workload.copy]] tables\n"},
      {"a test that nvbandwidth does not have",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "tests = [\"host_to_devic\"]\n",
       "bad.toml:4:10: error: workload.tests[0] must be one of \"host_to_device\", "
       "\"device_to_host\", \"host_to_device_bidirectional\", \"device_to_host_bidirectional\", "
       "\"device_to_device\", \"device_to_device_bidirectional\", \"all_to_host\", "
       "\"host_to_all\", \"all_to_host_bidirectional\", \"host_to_all_bidirectional\" (did you "
       "mean \"host_to_device\"?); found \"host_to_devic\"\n"},
      {"a test that is no text",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "tests = [1]\n",
       "bad.toml:4:10: error: workload.tests[0] must be one of \"host_to_device\", "
       "\"device_to_host\", \"host_to_device_bidirectional\", \"device_to_host_bidirectional\", "
       "\"device_to_device\", \"device_to_device_bidirectional\", \"all_to_host\", "
       "\"host_to_all\", \"all_to_host_bidirectional\", \"host_to_all_bidirectional\"; found 1\n"},
      {"a copy onto itself",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"gpu0\"\n"
                 "to = \"gpu0\"\n",
       "bad.toml:4:1: error: workload.copy: from and to are both \"gpu0\"; name two parts\n"},
      {"a copy without an end",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"gpu0\"\n",
       "bad.toml:4:1: error: workload.copy[0]: \"to\" is missing; it must be the id of a part, in "
       "quotes\n"},
      {"a copy to nothing",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"gpu0\"\n"
                 "to = \"gpu8\"\n",
       "bad.toml:6:6: error: workload.copy.to: there is no \"gpu8\"; did you mean \"gpu0\"?\n"},
      {"a copy by way of a socket",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"gpu0\"\n"
                 "to = \"gpu5\"\n"
                 "via = \"cpu0\"\n",
       "bad.toml:7:7: error: workload.copy.via: there is no \"cpu0\"; did you mean \"gpu0\"?\n"},
      {"a copy by way of its own end",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"gpu0\"\n"
                 "to = \"gpu5\"\n"
                 "via = \"gpu5\"\n",
       "bad.toml:6:6: error: workload.copy.via: \"gpu5\" is an end of the copy; name a third "
       "GPU\n"},
      {"a copy from a socket by way of a GPU",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"cpu0\"\n"
                 "to = \"gpu5\"\n"
                 "via = \"gpu1\"\n",
       "bad.toml:5:8: error: workload.copy.via: \"cpu0\" is no GPU; only GPUs pass data on\n"},
      {"no stream",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"cpu0\"\n"
                 "to = \"gpu5\"\n"
                 "streams = 0\n",
       "bad.toml:7:11: error: workload.copy[0].streams must be a whole number from 1 to 4096; "
       "found 0\n"},
      {"a copy onto a store that takes an unknown rate",
       kSystem + "[workload]\n"
                 "kind = \"transfers\"\n"
                 "[[workload.copy]]\n"
                 "from = \"cpu0\"\n"
                 "to = \"nas\"\n"
                 "[store.nas]\n"
                 "model = \"netapp-aff-a800\"\n",
       "bad.toml:6:6: error: workload.copy.to: what \"nas\" takes is not known; add "
       "write_bandwidth to netapp-aff-a800\n"},
  };
}

}  // namespace

TEST_CASE("requests and copies that cannot be are refused, each with its own message") {
  check_refused(malformed_io());
}
