// SPDX-License-Identifier: Apache-2.0
// What a user reads of staging and checkpoints that cannot be.
#include "tests/support/malformed.h"

using namespace gpufeed;
using namespace gpufeed::malformed;  // NOLINT: the vocabulary of this file

namespace {

std::vector<Case> malformed_saving() {
  return {
      {"staging from nowhere",
       kSystem + kWorkload +
           "[data]\n"
           "staging = { from = \"nas\" }\n",
       "bad.toml:6:20: error: data.staging.from: there is no store \"nas\"; add a [store.NAME]\n"},
      {"staging at no known time",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"scratch\"\n"
           "staging = { from = \"nas\", mode = \"first_epoch\" }\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:7:34: error: data.staging.mode must be one of \"before\", \"first-epoch\", "
       "\"read-through\" (did you mean \"first-epoch\"?); found \"first_epoch\"\n"},
      {"staging in the first epoch around host memory",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"scratch\"\n"
           "path = \"gpudirect\"\n"
           "staging = { from = \"nas\", mode = \"first-epoch\" }\n"
           "[loader]\n"
           "decode = \"none\"\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:8:20: error: data.staging: what the first epoch reads is written to the drives "
       "from host memory; set data.path = \"host\", or mode = \"before\"\n"},
      {"a checkpoint without an interval", kSystem + kWorkload + "[checkpoint]\n",
       "bad.toml:5:1: error: checkpoint: \"interval_steps\" is missing; it must be a whole number "
       "from 1 to 1000000000000\n"},
      {"a checkpoint with wrong keys and values",
       kSystem + kWorkload +
           "[checkpoint]\n"
           "intervall_steps = 100\n"
           "size = 4e9\n"
           "mode = \"async\"\n"
           "writers = \"each\"\n",
       "bad.toml:6:1: error: checkpoint: unknown key \"intervall_steps\"; did you mean "
       "\"interval_steps\"?\n"
       "bad.toml:7:8: error: checkpoint.size must be text with a unit from \"1 kB\" to \"1 PB\"; "
       "found 4000000000\n"
       "bad.toml:8:8: error: checkpoint.mode must be one of \"synchronous\", \"asynchronous\" (did "
       "you mean \"asynchronous\"?); found \"async\"\n"
       "bad.toml:9:11: error: checkpoint.writers must be one of \"one\", \"all\"; found "
       "\"each\"\n"},
      {"a checkpoint in no known place",
       kSystem + kWorkload +
           "[checkpoint]\n"
           "interval_steps = 100\n"
           "at = \"scrath\"\n",
       "bad.toml:7:6: error: checkpoint.at: there is no volume, drive or store \"scrath\"; did you "
       "mean \"scratch\"?\n"},
      {"a checkpoint onto a store of which no writes are known",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"scratch\"\n"
           "[checkpoint]\n"
           "interval_steps = 100\n"
           "at = \"nas\"\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:9:6: error: checkpoint.at: what \"nas\" takes is not known; add write_bandwidth "
       "to netapp-aff-a800\n"},
      {"a checkpoint beside the data on such a store",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"nas\"\n"
           "[checkpoint]\n"
           "interval_steps = 100\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:7:1: error: checkpoint.at: what \"nas\" takes is not known; add write_bandwidth "
       "to netapp-aff-a800\n"},
      {"a checkpoint of what has no state",
       kSystem + "[workload]\n"
                 "kind = \"loader\"\n"
                 "dataset = \"imagenet-1k\"\n"
                 "[checkpoint]\n"
                 "interval_steps = 100\n",
       "bad.toml:5:1: error: checkpoint: no effect on a workload of kind \"loader\", only on kind "
       "\"training\"; leave it out\n"},
      {"a checkpoint larger than the room beside the data",
       kSystem + kWorkload +
           "[checkpoint]\n"
           "interval_steps = 100\n"
           "size = \"7.6 TB\"\n",
       "bad.toml:5:1: error: checkpoint: one is 7.6 TB, and \"scratch\" holds 7.68 TB, of which "
       "the data set takes 147 GB; use another place\n"},
      {"asynchronous checkpoints larger than the memory",
       kSystem + kWorkload +
           "[checkpoint]\n"
           "interval_steps = 100\n"
           "size = \"600 GB\"\n"
           "mode = \"asynchronous\"\n",
       "bad.toml:5:1: error: checkpoint: asynchronous ones keep 600 GB in host memory until they "
       "are written, and nvidia-dgx1-p100 has 550 GB; write them synchronously\n"},
      {"staging onto a store",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"nas\"\n"
           "staging = { from = \"nas\" }\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:6:6: error: data.staging copies onto drives, but data.at is the store \"nas\"; "
       "name a volume, or leave the staging out\n"},
      {"a cache larger than its volume",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"scratch\"\n"
           "staging = { from = \"nas\", mode = \"read-through\", capacity = \"9 TB\" }\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:7:20: error: data.staging.capacity is 9 TB, and \"scratch\" holds 7.68 TB; set it "
       "to "
       "that at most, or name a larger volume\n"},
      {"a cache of the volume that it lies on",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"scratch\"\n"
           "staging = { from = \"scratch\", mode = \"read-through\" }\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:7:20: error: data.staging.from: \"scratch\" is of the machine itself, and a copy "
       "of "
       "its data is of a store; name one: nas\n"},
      {"a cache on a store",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"nas\"\n"
           "staging = { from = \"nas\", mode = \"read-through\" }\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:6:6: error: data.staging copies onto drives, but data.at is the store \"nas\"; "
       "name a volume, or leave the staging out\n"},
      {"an unknown rule of what leaves a cache",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"scratch\"\n"
           "staging = { from = \"nas\", mode = \"read-through\", eviction = \"fifa\" }\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:7:61: error: data.staging.eviction must be one of \"lru\", \"fifo\", \"pinned\" "
       "(did "
       "you mean \"fifo\"?); found \"fifa\"\n"},
      {"what is of a cache, of a copy",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"scratch\"\n"
           "staging = { from = \"nas\", eviction = \"lru\", block = \"1 MiB\" }\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:7:20: error: data.staging.block is for mode = \"read-through\", a cache; mode = "
       "\"before\" copies all data: leave it out\n"
       "bad.toml:7:20: error: data.staging.eviction is for mode = \"read-through\", a cache; mode "
       "= "
       "\"before\" copies all data: leave it out\n"},
      {"a cache that is filled around host memory",
       kSystem + kWorkload +
           "[data]\n"
           "at = \"scratch\"\n"
           "staging = { from = \"nas\", mode = \"read-through\" }\n"
           "path = \"gpudirect\"\n"
           "[loader]\n"
           "decode = \"none\"\n"
           "[store.nas]\n"
           "model = \"netapp-aff-a800\"\n",
       "bad.toml:7:20: error: data.staging: a cache on drives is filled from host memory; set "
       "data.path = \"host\"\n"},
      {"a data set larger than its drives",
       kSystem + "[workload]\n"
                 "model = \"resnet-50\"\n"
                 "[workload.dataset]\n"
                 "title = \"big\"\n"
                 "samples = 100_000_000\n"
                 "sample_size = \"200 kB\"\n"
                 "decode_time = \"1 ms\"\n",
       "bad.toml:1:1: error: data.at: the data set workload.dataset is 20 TB and \"scratch\" holds "
       "7.68 TB; use more or larger drives, or another place\n"},
  };
}

}  // namespace

TEST_CASE("staging and checkpoints that cannot be are refused, each with its own message") {
  check_refused(malformed_saving());
}
