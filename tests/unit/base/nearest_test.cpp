// SPDX-License-Identifier: Apache-2.0
#include "sim/base/nearest.h"

#include <doctest/doctest.h>

using namespace gpufeed;

TEST_CASE("a slip of the keyboard finds its word; another word does not") {
  const Names known{"workers_per_gpu", "prefetch_batches", "style"};
  CHECK(nearest("worker_per_gpu", known) == "workers_per_gpu");
  CHECK(nearest("wrokers_per_gpu", known) == "workers_per_gpu");
  CHECK(nearest("prefetch", known) == "prefetch_batches");
  CHECK(!nearest("color", known));
  // Cut short, it may be either, and not the other word that is two slips away.
  CHECK(suggestion("worker", {"workers_per_gpu", "worker_start", "order"}) ==
        "did you mean one of workers_per_gpu, worker_start?");
  CHECK(!nearest("", known));
}

TEST_CASE("a product is known by its number, whatever stands around it") {
  const Names known{"nvidia-rtx-4080", "nvidia-rtx-4090", "nvidia-l40s", "nvidia-a100-pcie-40gb",
                    "nvidia-a100-sxm4-40gb"};
  CHECK(suggestion("nvidia-geforce-rtx-4090-24gb-founders", known) ==
        "did you mean \"nvidia-rtx-4090\"?");
  CHECK(suggestion("tesla A100 of 40 gb on a card", known) ==
        "did you mean one of nvidia-a100-pcie-40gb, nvidia-a100-sxm4-40gb?");
  CHECK(suggestion("some-other-card", known).starts_with("known: nvidia-rtx-4080"));
}

TEST_CASE("a suggestion lists what is known where nothing is near, a dozen at most") {
  CHECK(suggestion("styl", {"style"}) == "did you mean \"style\"?");
  CHECK(suggestion("x", {"aaa", "bbb"}) == "known: aaa, bbb");
  CHECK(suggestion("dgx-1", {"nvidia-dgx1-p100", "nvidia-dgx1-v100", "nvidia-dgx2"}) ==
        "did you mean one of nvidia-dgx1-p100, nvidia-dgx1-v100?");
  CHECK(suggestion("DGX-2", {"nvidia-dgx1-p100", "nvidia-dgx2"}) ==
        "did you mean \"nvidia-dgx2\"?");
  CHECK(suggestion("x", {}) == "none is known");
  CHECK(suggestion("x", Names(20, "long-name")).ends_with("long-name, ..."));
}
