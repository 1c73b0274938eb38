// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/catalog/products.h"
#include "sim/model/kinds/step_line.h"

// Keys that several kinds of workload take. A kind derives from what it has in common with others,
// and lists the keys among its own.
namespace gpufeed {

/// Samples of a data set are read.
struct ReadsDataset {
  Ref<Dataset> dataset;
  std::optional<std::int64_t> dataset_samples;

  template <class Visit>
  static constexpr void dataset_field(Visit&& visit) {
    visit(key("dataset", &ReadsDataset::dataset, "the data: a name, a path or a table"));
  }
  template <class Visit>
  static constexpr void dataset_fields(Visit&& visit) {
    dataset_field(visit);
    visit(key("dataset_samples", &ReadsDataset::dataset_samples,
              "how many samples it has; default: what the data set says, emulated: what the "
              "job's rules ask for")
              .between(1, 1000000000000));
  }
};

/// GPUs, or what stands in their place, take the samples in.
struct FeedsGpus : ReadsDataset {
  Ref<Model> model;
  std::optional<std::int64_t> gpus;

  template <class Visit>
  static constexpr void model_field(Visit&& visit) {
    visit(key("model", &FeedsGpus::model,
              "the network: a name, a path or a table (emulated, loader: what a decoded sample "
              "holds)"));
  }
  template <class Visit>
  static constexpr void input_fields(Visit&& visit) {
    model_field(visit);
    dataset_fields(visit);
  }
  template <class Visit>
  static constexpr void gpu_fields(Visit&& visit) {
    visit(key("gpus", &FeedsGpus::gpus,
              "how many GPUs (emulated: accelerators, loader: loaders) of each node take "
              "part; default: all, and one where there are none")
              .between(1, 4096));
  }
};

/// The model is computed on the GPUs.
struct ComputesModel : FeedsGpus {
  std::string precision = "fp32";
  std::vector<ComputeRow> compute;
  LearnFrom learn_from = LearnFrom::all;
  std::vector<StepLine> step_lines;  ///< the loader's, for GPUs with one rate or none

  template <class Visit>
  static constexpr void precision_field(Visit&& visit) {
    visit(key("precision", &ComputesModel::precision, "number format of the compute rates to use"));
  }
  template <class Visit>
  static constexpr void compute_field(Visit&& visit) {
    visit(key("compute", &ComputesModel::compute,
              "training rates to use instead of the model's own of the same GPU"));
    visit(key("learn_from", &ComputesModel::learn_from,
              "which measured rates may be used; all but \"all\" show how good an estimate is"));
  }
};

/// Samples are taken in steps of a batch on each GPU, epoch by epoch.
struct RunsEpochs {
  Defaulted<std::int64_t> batch_per_gpu{64};
  std::optional<std::int64_t> samples;
  std::optional<std::int64_t> epochs;

  template <class Visit>
  static constexpr void batch_field(Visit&& visit, std::string_view exception = {}) {
    visit(key("batch_per_gpu", &RunsEpochs::batch_per_gpu, "samples per GPU and step")
              .between(1, 1000000)
              .except(exception));
  }
  template <class Visit>
  static constexpr void length_fields(Visit&& visit) {
    visit(key("samples", &RunsEpochs::samples,
              "how many samples to train on; default: every sample once")
              .between(1, 1000000000000000));
    visit(key("epochs", &RunsEpochs::epochs, "instead of samples: passes over the data set")
              .between(1, 1000000));
  }
};

}  // namespace gpufeed
