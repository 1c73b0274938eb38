// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "sim/export/dlio_settings.h"
#include "sim/export/export.h"
#include "sim/export/yaml_text.h"
#include "sim/import/dlio.h"
#include "sim/load/key_values.h"
#include "sim/load/scenario_source.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/examples.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

namespace fs = std::filesystem;

/// Workload files of DLIO in its spellings of several years, with the facts of MLPerf Storage.
const std::map<std::string, std::string> kSamples{
    {"unet3d_h100.yaml",
     "model:\n  name: unet3d\n  type: cnn\n  model_size: 499153191\n"
     "framework: pytorch\n"
     "workflow:\n  generate_data: False\n  train: True\n  checkpoint: True\n"
     "dataset:\n  data_folder: data/unet3d/\n  format: npz\n  num_files_train: 168\n"
     "  num_samples_per_file: 1\n  record_length: 146600628\n  record_length_stdev: 68341808\n"
     "  record_length_resize: 2097152\n"
     "reader:\n  data_loader: pytorch\n  batch_size: 7\n  read_threads: 4\n"
     "  file_shuffle: seed\n  sample_shuffle: seed\n"
     "train:\n  epochs: 5\n  computation_time: 0.323\n"
     "checkpoint:\n  checkpoint_after_epoch: 5\n  steps: [1, 2, 3]\n"
     "metric:\n  au: 0.90\n"},
    {"resnet50_h100.yaml",
     "model:\n  name: resnet50\n"
     "framework: tensorflow\n"
     "dataset:\n  num_files_train: 1024\n  num_samples_per_file: 1251\n"
     "  record_length_bytes: 114660.07\n  record_length_bytes_resize: 150528\n"
     "  data_folder: data/resnet50\n  format: tfrecord\n"
     "train:\n  computation_time: 0.224\n  epochs: 5\n"
     "reader:\n  data_loader: tensorflow\n  read_threads: 8\n  computation_threads: 8\n"
     "  batch_size: 400\n  prefetch_size: 4\n"
     "metric:\n  au: 0.90\n"},
    {"cosmoflow_a100.yaml",
     "model: cosmoflow\nframework: tensorflow\n"
     "dataset:\n  num_files_train: 524288\n  num_samples_per_file: 1\n"
     "  record_length_bytes: 2828486\n  record_length_bytes_stdev: 71311\n  format: tfrecord\n"
     "reader: {read_threads: 4, batch_size: 1, file_shuffle: random, sample_shuffle: \"seed\", "
     "shuffle_size: 2}\n"
     "train: {epochs: 5, computation_time: {mean: 0.00551, stdev: 0.001}, seed: 7}\n"
     "metric: {au: 0.70}\n"},
    {"old_names.yaml",
     "framework: pytorch\ndataset: {format: hdf5, num_files_train: 100, record_length_bytes: "
     "1000, num_samples_per_file: 3, chunk_size: 4096}\n"
     "data_reader: {batch_size: 2, data_loader: pytorch, prefetch_size: 0, sample_shuffle: off}\n"
     "train: {computation_time: 1, total_training_steps: 5}\n"},
    {"dlrm_b200.yaml",
     "model: {name: dlrm}\nframework: pytorch\n"
     "workflow: {generate_data: False, train: True, checkpoint: False}\n"
     "dataset:\n  data_folder: data/dlrm/\n  format: parquet\n  num_files_train: 64\n"
     "  num_samples_per_file: 65536\n  record_length_bytes: 761\n  compression: none\n"
     "  parquet:\n    row_group_size: 6144\n    read_mode: row_group\n    columns:\n"
     "      - {name: f000, dtype: float32, read: true}\n"
     "      - {name: f001, dtype: float64, size: 2, read: true}\n"
     "      - {name: f002, dtype: int8, read: false}\n"
     "reader: {data_loader: pytorch, batch_size: 1024, prefetch_size: 2, read_threads: 4, "
     "file_shuffle: seed}\n"
     "train: {epochs: 1, computation_time: 0.000375}\nmetric: {au: 0.70}\n"},
    {"llama3_8b.yaml",
     "model:\n  name: llama3_8b\n  type: transformer\n  num_layers: 32\n  model_datatype: fp16\n"
     "  optimizer_datatype: fp32\n  parallelism: {tensor: 1, pipeline: 1, zero_stage: 3}\n"
     "  transformer: {vocab_size: 128256, hidden_size: 4096, ffn_hidden_size: 14336, "
     "num_attention_heads: 32, num_kv_heads: 8}\n"
     "framework: pytorch\nworkflow: {generate_data: False, train: False, checkpoint: True}\n"
     "checkpoint: {checkpoint_folder: checkpoints/x, time_between_checkpoints: 5, "
     "num_checkpoints_write: 10, num_checkpoints_read: 10, fsync: True}\n"}};

/// "dataset.format" and what stands there, of every value of a file.
void add_values(const YamlNode& node, const std::string& path,
                std::map<std::string, std::string>& out) {
  if (node.items.empty()) out[path] = node.text;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const YamlNode& item = node.items[i];
    const std::string step = node.kind == YamlNode::Kind::map ? item.key : std::to_string(i);
    add_values(item, path.empty() ? step : fmt::format("{}.{}", path, step), out);
  }
}

YamlNode tree_of(const std::string& yaml) {
  Diagnostics problems;
  auto tree = parse_yaml(yaml, "test.yaml", problems);
  problems.throw_if_any();
  return *tree;
}

std::map<std::string, std::string> values_of(const std::string& yaml) {
  std::map<std::string, std::string> values;
  add_values(tree_of(yaml), "", values);
  return values;
}

std::string imported(const std::string& yaml, const std::string& name) {
  const DlioWorkload workload = parse_dlio(yaml, name);
  DlioTarget target;
  target.system = workload.checkpointed ? "nvidia-dgx-h100" : "nvidia-dgx1-p100";
  if (workload.checkpointed)
    target.store = "weka-wekapod-nitro-8-servers";
  else
    target.accelerators = 2;
  return dlio_scenario(workload, target);
}

std::string exported(const std::string& toml, const std::optional<ExportPattern>& pattern = {}) {
  const ScenarioSource source(toml, "own.toml", own_catalog());
  const Scenario scenario = source.load();
  const GivenKeys given = key_values(toml);
  return export_scenario(ExportTool::dlio, {scenario, given, "own"}, pattern).text;
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// All samples here, those of dialogs and examples.
std::map<std::string, std::string> all_samples() {
  auto samples = kSamples;
  for (const char* file :
       {"tests/golden/cli/unet3d_h100.yaml", "examples/07_mlperf_storage/own_job.yaml"}) {
    const fs::path path = fs::path(GPUFEED_SOURCE_DIR) / file;
    samples[path.filename().string()] = content(path);
    REQUIRE_FALSE(samples[path.filename().string()].empty());
  }
  return samples;
}

/// What may stand at a key. \source  DLIO, docs/source/config.rst, and the keys of its files of
/// MLPerf Storage (metric; vocab_size and so on of a transformer)
enum class Is { word, whole, number, truth, words_of_choice };
struct DlioKey {
  Is is;
  std::set<std::string> choice = {};
};
const std::set<std::string> kShuffles{"seed", "random", "off"};
const std::set<std::string> kTypes{"fp16", "fp32", "int8", "uint8", "bf16"};
const std::map<std::string, DlioKey> kSchema{
    {"model.name", {Is::word}},
    {"model.type", {Is::word}},
    {"model.num_layers", {Is::whole}},
    {"model.model_datatype", {Is::words_of_choice, kTypes}},
    {"model.optimizer_datatype", {Is::words_of_choice, kTypes}},
    {"model.parallelism.tensor", {Is::whole}},
    {"model.parallelism.pipeline", {Is::whole}},
    {"model.parallelism.zero_stage", {Is::whole}},
    {"model.transformer.vocab_size", {Is::whole}},
    {"model.transformer.hidden_size", {Is::whole}},
    {"model.transformer.ffn_hidden_size", {Is::whole}},
    {"model.transformer.num_attention_heads", {Is::whole}},
    {"model.transformer.num_kv_heads", {Is::whole}},
    {"framework", {Is::words_of_choice, {"tensorflow", "pytorch"}}},
    {"workflow.generate_data", {Is::truth}},
    {"workflow.train", {Is::truth}},
    {"workflow.checkpoint", {Is::truth}},
    {"dataset.data_folder", {Is::word}},
    {"dataset.format",
     {Is::words_of_choice, {"tfrecord", "csv", "npz", "npy", "jpeg", "png", "hdf5"}}},
    {"dataset.num_files_train", {Is::whole}},
    {"dataset.num_samples_per_file", {Is::whole}},
    {"dataset.record_length_bytes", {Is::number}},
    {"dataset.record_length_bytes_stdev", {Is::number}},
    {"reader.data_loader", {Is::words_of_choice, {"tensorflow", "pytorch"}}},
    {"reader.batch_size", {Is::whole}},
    {"reader.read_threads", {Is::whole}},
    {"reader.prefetch_size", {Is::whole}},
    {"reader.file_shuffle", {Is::words_of_choice, kShuffles}},
    {"reader.sample_shuffle", {Is::words_of_choice, kShuffles}},
    {"reader.odirect", {Is::truth}},
    {"train.epochs", {Is::whole}},
    {"train.computation_time", {Is::number}},
    {"train.seed", {Is::whole}},
    {"train.total_training_steps", {Is::whole}},
    {"metric.au", {Is::number}},
    {"checkpoint.checkpoint_folder", {Is::word}},
    {"checkpoint.time_between_checkpoints", {Is::whole}},
    {"checkpoint.num_checkpoints_write", {Is::whole}},
    {"checkpoint.num_checkpoints_read", {Is::whole}},
    {"checkpoint.fsync", {Is::truth}}};

bool fits(const DlioKey& key, const std::string& value) {
  std::size_t end = 0;
  switch (key.is) {
    case Is::word:
      return !value.empty();
    case Is::truth:
      return value == "True" || value == "False";
    case Is::words_of_choice:
      return key.choice.contains(value);
    case Is::whole:
      return !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
    case Is::number:
      return std::stod(value, &end) >= 0 && end == value.size();
  }
  return false;
}

/// Whether DLIO's documentation has every key with such a value, and the file what it must have.
void check_schema(const std::string& yaml) {
  const auto values = values_of(yaml);
  for (const auto& one : values) {
    CAPTURE(one.first);
    CAPTURE(one.second);
    const auto key = kSchema.find(one.first);
    REQUIRE(key != kSchema.end());
    CHECK(fits(key->second, one.second));
  }
  std::vector<std::string> needed{"model.name", "framework", "workflow.train"};
  if (values.at("workflow.train") == "True")
    needed.insert(needed.end(),
                  {"dataset.format", "dataset.num_files_train", "dataset.record_length_bytes",
                   "reader.batch_size", "train.computation_time"});
  else
    needed.insert(needed.end(),
                  {"checkpoint.num_checkpoints_write", "model.transformer.hidden_size"});
  for (const auto& key : needed) CHECK_MESSAGE(values.contains(key), key);
}

}  // namespace

TEST_CASE("what a file of DLIO says comes out again, value by value") {
  for (const auto& sample : all_samples()) {
    CAPTURE(sample.first);
    const std::string toml = imported(sample.second, sample.first);
    const std::string back = exported(toml, ExportPattern{sample.second, sample.first});
    CHECK(values_of(back) == values_of(sample.second));
  }
}

TEST_CASE("without the file it came from, all that is modeled comes out again") {
  for (const auto& sample : all_samples()) {
    CAPTURE(sample.first);
    const DlioWorkload before = parse_dlio(sample.second, sample.first);
    const std::string yaml = exported(imported(sample.second, sample.first));
    const DlioWorkload after = parse_dlio(yaml, sample.first);
    CHECK(after.checkpointed == before.checkpointed);
    if (before.checkpointed) continue;
    CHECK(after.job.batch == before.job.batch);
    CHECK(after.job.compute_time.value == approx(before.job.compute_time.value));
    CHECK(after.job.style == before.job.style);
    CHECK(after.job.read_threads == before.job.read_threads);
    CHECK(after.job.prefetch == before.job.prefetch);
    CHECK(after.job.epochs == before.job.epochs);
    CHECK(after.job.threshold.value == approx(before.job.threshold.value));
    CHECK(after.job.dataset->samples == before.job.dataset->samples);
    CHECK(after.job.dataset->samples_per_file == before.job.dataset->samples_per_file);
    CHECK(after.job.dataset->sample_size.value == approx(before.job.dataset->sample_size.value));
    CHECK(after.job.dataset->sample_size_deviation.value ==
          approx(before.job.dataset->sample_size_deviation.value));
    CHECK(after.order == before.order);
    CHECK(after.mode == before.mode);
    CHECK(after.seed == before.seed);
    CHECK(after.steps == before.steps);
  }
}

TEST_CASE("a value that the scenario changed is the only one to change in DLIO's file") {
  const std::string& yaml = kSamples.at("unet3d_h100.yaml");
  std::string toml = imported(yaml, "unet3d_h100.yaml");
  const std::string old = "batch = 7";
  toml.replace(toml.find(old), old.size(), "batch = 5");
  auto expected = values_of(yaml);
  expected["reader.batch_size"] = "5";
  CHECK(values_of(exported(toml, ExportPattern{yaml, "unet3d_h100.yaml"})) == expected);
}

TEST_CASE("files of DLIO that are written keep to its documentation") {
  std::size_t count = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(GPUFEED_SOURCE_DIR) / "examples")) {
    const fs::path& path = entry.path();
    if (path.extension() != ".toml" || example_file(path) != ExampleFile::scenario) continue;
    CAPTURE(path.string());
    const ScenarioSource source(path, own_catalog(), {});
    const Scenario scenario = source.load();
    const GivenKeys given = key_values(source.canonical_text());
    const ExportSource from{scenario, given, path.stem().string()};
    std::string yaml;
    if (refusal_of([&] { yaml = export_scenario(ExportTool::dlio, from).text; }) != "accepted")
      continue;
    check_schema(yaml);
    ++count;
  }
  CHECK(count > 50);
  for (const auto& sample : kSamples) check_schema(exported(imported(sample.second, sample.first)));
}

TEST_CASE("the deviation that DLIO is told makes its square records deviate as wanted") {
  for (const double length : {1.0, 1000.0, 2828486.0, 146600628.0})
    for (const double stdev : {0.0, 1.0, 71311.0, 68341808.0, 4e8}) {
      const Bytes is = square_record_deviation({length}, {stdev});
      CHECK(told_deviation({length}, is).value == approx(stdev).epsilon(1e-9));
    }
}

TEST_CASE("a pattern that is no file of DLIO, or of another kind of job, is refused") {
  const std::string toml = imported(kSamples.at("unet3d_h100.yaml"), "unet3d_h100.yaml");
  CHECK(refusal_of([&] {
          exported(toml, ExportPattern{"- 1\n", "list.yaml"});
        }).find("list.yaml:1:1: error: a workload of DLIO must be a map") == 0);
  CHECK(
      refusal_of([&] {
        exported(toml, ExportPattern{kSamples.at("llama3_8b.yaml"), "llama3_8b.yaml"});
      }).find("llama3_8b.yaml saves checkpoints alone, of one model, and the scenario does not") !=
      std::string::npos);
}

TEST_CASE("YAML that is written reads as the same tree") {
  const std::string yaml =
      "a: {b: [1, -2, \"3\", \"x: y\", \"#\", \"\"], c: null}\nd: \"- e\"\nf:\n  - {g: 1}\n"
      "  - {h: [1, {i: 2}]}\n\"k l\": \"it's \\\"so\\\"\"\nm: -x\nn: a b\no: {}\np: []\n";
  const std::string again = yaml_text(tree_of(yaml));
  CHECK(values_of(again) == values_of(yaml));
  CHECK(yaml_text(tree_of(again)) == again);
}
