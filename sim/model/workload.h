// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/parts.h"

namespace gpufeed {

/// What a measured training rate already contains.
enum class Includes { exchange, barrier };
template <>
struct EnumNames<Includes> {
  static constexpr std::array<std::string_view, 2> names{"exchange", "barrier"};
};

/// One measured training rate of a model on one GPU. It says what it includes, so that nothing is
/// counted twice.
struct ComputeRow {
  Ref<Gpu> gpu;
  std::string precision = "fp32";
  std::int64_t batch = 1;
  Rate rate;
  std::vector<Includes> includes;
  std::string source;
  Basis basis = Basis::estimate;
  Location where;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple{
        key<ComputeRow>("gpu", &ComputeRow::gpu, "the GPU it was measured on").needed(),
        key<ComputeRow>("precision", &ComputeRow::precision, "number format: fp32, fp16, ..."),
        key<ComputeRow>("batch", &ComputeRow::batch, "samples per GPU and step")
            .needed()
            .between(1, 1000000),
        key<ComputeRow>("rate", &ComputeRow::rate, "samples per second of one GPU, never waiting")
            .needed()
            .between(1e-6_per_s, 1e9_per_s),
        key<ComputeRow>("includes", &ComputeRow::includes,
                        "what the rate already contains: exchange, barrier"),
        key<ComputeRow>("source", &ComputeRow::source, "document, page or measurement").needed(),
        key<ComputeRow>("basis", &ComputeRow::basis, "measured, calibrated, datasheet or estimate")
            .needed()};
  }
};

/// A network to train.
struct Model : Entry {
  static constexpr std::string_view kKind = "model";
  std::int64_t parameters = 0;
  Bytes input_size;
  std::vector<ComputeRow> compute;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple_cat(
        entry_fields<Model>(),
        std::tuple{
            key<Model>("parameters", &Model::parameters, "trainable parameters")
                .needed()
                .between(1, 100000000000000),
            key<Model>("input_size", &Model::input_size,
                       "bytes of one decoded sample, as copied to the GPU")
                .needed()
                .between(1_B, 100_GB),
            key<Model>("compute", &Model::compute, "measured training rates, one table each")});
  }
};

/// A data set to read.
struct Dataset : Entry {
  static constexpr std::string_view kKind = "dataset";
  std::int64_t samples = 0;
  Bytes sample_size;
  Bytes sample_size_deviation;
  Seconds decode_time;

  static constexpr auto fields() {
    using namespace literals;
    return std::tuple_cat(
        entry_fields<Dataset>(),
        std::tuple{
            key<Dataset>("samples", &Dataset::samples, "how many samples")
                .needed()
                .between(1, 1000000000000),
            key<Dataset>("sample_size", &Dataset::sample_size, "mean bytes of one sample as stored")
                .needed()
                .between(1_B, 1_TB),
            key<Dataset>("sample_size_deviation", &Dataset::sample_size_deviation,
                         "standard deviation of the bytes of one sample")
                .between(0_B, 1_TB),
            key<Dataset>("decode_time", &Dataset::decode_time,
                         "time of one core to decode and augment one sample")
                .needed()
                .between(0_s, 1_h)});
  }
};

}  // namespace gpufeed
