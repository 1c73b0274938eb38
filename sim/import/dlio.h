// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/nearest.h"
#include "sim/model/data.h"
#include "sim/model/kinds/checkpointing.h"
#include "sim/model/loader.h"
#include "sim/model/workload.h"

namespace gpufeed {

/// What a workload file of DLIO, the benchmark behind MLPerf Storage, says in gpufeed's terms.
struct DlioWorkload {
  std::string file;  ///< its name, without folders
  Job job;           ///< with its data set; host work of a step is not in such a file: 0
  ReadMode mode = ReadMode::buffered;
  SampleOrder order = SampleOrder::permutation;
  bool common_seed = true;
  DecodeOn decode = DecodeOn::cpu;
  std::optional<std::int64_t> seed;
  std::optional<std::int64_t> steps;  ///< that end the job, where those of its epochs are more
  std::optional<CheckpointedModel> checkpointed;  ///< it trains nothing, and saves this model
  Names not_modeled;  ///< keys of the file that ask for something gpufeed does not model
};

/// Reads a workload file, or the configuration that DLIO leaves beside its results. Left out keys
/// have DLIO's own defaults; the record length, the number of files, the format, the batch size,
/// the loader and the computation time must be there.
/// - PyTorch shares `prefetch_size` among its workers, and takes 2 for each where it is 0.
/// - Order: samples shuffled, `permutation`; only files, `shards` (or the same as `permutation`,
///   where each has one sample); neither, `sequential`. TensorFlow shuffles TFRecord files in any
///   case, on each accelerator for itself, and samples only within a small buffer, which is left
///   out.
/// - Of Parquet whose row groups are read (`read_mode: row_group`), the columns with `read: true`
///   alone are read: their bytes are the sample's.
/// - `workflow.train: False` with `checkpoint: True` is the checkpointing of MLPerf Storage, of one
///   of its models.
/// - The deviation of records: `square_record_deviation`.
/// \throws InputError  with every problem found
DlioWorkload parse_dlio(std::string_view text, const std::string& name);
DlioWorkload load_dlio(const std::filesystem::path& file);

/// DLIO makes records square. It draws both sides from normals of mean m = sqrt(length) and
/// deviation s = stdev / (2 m), so that bytes deviate by sqrt(2 m^2 s^2 + s^4), which is less than
/// `stdev`: for 146,600,628 B and 68,341,808 B it is 49.0 MB.
/// \source  get_dimension() in dlio_benchmark/data_generator/data_generator.py
Bytes square_record_deviation(Bytes length, Bytes stdev);

/// What a workload file does not say.
struct DlioTarget {
  std::string system;
  std::optional<std::string> at;             ///< where the data lie
  std::optional<std::int64_t> accelerators;  ///< default: the GPUs of the machine
  std::int64_t gpus_of_machine = 1;          ///< of all its nodes; what steps count samples by
  std::optional<std::string> store;  ///< of the catalog; it holds the data, `at` is left out then
  bool mlperf_size = false;  ///< as many samples as MLPerf Storage demands, instead of the file's
};

/// A scenario as TOML.
std::string dlio_scenario(const DlioWorkload& workload, const DlioTarget& target);

}  // namespace gpufeed
