// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// What a number of a result rests on most: the law whose error decides how far off it may be.
enum class Mechanism {
  rate_on_one_node,       ///< a measured training rate
  rate_on_several_nodes,  ///< the same, and the network between nodes
  estimated_step,         ///< a training rate that nobody measured
  decoder_step,           ///< a step of a language model, by its architecture
  emulated_fed,           ///< accelerators of a benchmark that do not wait for data
  cores_bind,             ///< loader workers or decoding hold a job back
  storage_binds,          ///< a drive, a store, the network or a link does
  first_fill,             ///< what passes until the first step
  checkpoint_save,
  checkpoint_load,
  io_local,
  io_remote,
  collective_small,  ///< of less than 64 MiB
  collective_large,
  transfers,
  matmul,
  serving,
  pipeline
};
inline constexpr std::size_t kMechanisms = 18;
template <>
struct EnumNames<Mechanism> {
  static constexpr std::array<std::string_view, kMechanisms> names{
      "rate-on-one-node", "rate-on-several-nodes",
      "estimated-step",   "decoder-step",
      "emulated-fed",     "cores-bind",
      "storage-binds",    "first-fill",
      "checkpoint-save",  "checkpoint-load",
      "io-local",         "io-remote",
      "collective-small", "collective-large",
      "transfers",        "matmul",
      "serving",          "pipeline"};
};

/// A way in which a scenario lies outside what was measured. Each widens the prediction interval.
enum class Step {
  batch,     ///< another batch than rates were measured at; beyond four times: twice
  size,      ///< more nodes, GPUs, hosts or bytes than any measured run had
  likeness,  ///< no rate of this generation, of no network like it, or of a layout that errs more
  split,     ///< a model split over GPUs, or replicas that share what they hold
  way,       ///< data or gradients go a way on which no run was measured
  store,     ///< a store over another family of protocols than measured jobs read
  store_hardware,  ///< a store whose rate follows from its parts alone
  cache,           ///< a page cache smaller, or epochs shorter, than was measured
  checkpoints,     ///< checkpoints that cost a share of the time
  contention,      ///< computing and sums of gradients at once, on GPUs where nobody timed that
  format           ///< a number format or library that was not timed
};
inline constexpr std::size_t kStepKinds = 11;
template <>
struct EnumNames<Step> {
  static constexpr std::array<std::string_view, kStepKinds> names{
      "batch",          "size",  "likeness",    "split",      "way",   "store",
      "store-hardware", "cache", "checkpoints", "contention", "format"};
};

/// In the order of the enumeration; one that counts twice stands twice.
using Steps = std::vector<Step>;

}  // namespace gpufeed
