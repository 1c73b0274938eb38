// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/plan.h"
#include "sim/plan/reading.h"

namespace gpufeed {

/// How the loaders of a scenario work on their batches, by `loader.style`. TensorFlow's
/// TFRecordDataset, as DLIO uses it, takes records from as many files in turn as it has readers
/// (`num_parallel_reads`), and opens twice as many ahead, each with a thread of its own that reads
/// until two records wait (tf.data's legacy parallel interleave): files of one sample, of which
/// each is a batch, are so many batches in the making or waiting.
LoaderShape loader_shape(const Scenario& scenario);

/// In how many parts the `makers` of a job's batches make each. Many are where they are by chance;
/// a few that each read a whole batch and then decode it would march in step, as no real ones do,
/// who turn from reading to decoding with every sample.
std::int64_t parts_per_batch(std::int64_t makers, std::int64_t batch);

/// Where and how a job's loaders read: what `data` says.
ReadFrom read_from(const Scenario& scenario);

/// The time to shuffle the list of files, before an epoch's first is read.
Seconds shuffle_time(const Scenario& scenario);

/// The socket whose memory holds the batches of loader `number` of a node: that of its GPU, or the
/// one of `loader.placement`. Loaders without a GPU take sockets in turn.
PartId socket_of_loader(const Scenario& scenario, std::size_t number);

/// As which a loader of a node takes the NICs of a store. \param before  the loaders before it
NicUser nic_user(const Scenario& scenario, const std::vector<GpuPlan>& before,
                 const GpuFeed& loader);

}  // namespace gpufeed
