// SPDX-License-Identifier: Apache-2.0
#include "sim/import/dlio.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/base/numbers/random.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

// The facts of MLPerf Storage v1.0, in the spelling of DLIO's files of then and of now.
const std::string kUnet3d =
    "model:\n  name: unet3d\n  type: cnn\n  model_size: 499153191\n"
    "framework: pytorch\n"
    "workflow:\n  generate_data: False\n  train: True\n  checkpoint: True\n"
    "dataset:\n  data_folder: data/unet3d/\n  format: npz\n  num_files_train: 168\n"
    "  num_samples_per_file: 1\n  record_length: 146600628\n  record_length_stdev: 68341808\n"
    "  record_length_resize: 2097152\n"
    "reader:\n  data_loader: pytorch\n  batch_size: 7\n  read_threads: 4\n"
    "  file_shuffle: seed\n  sample_shuffle: seed\n"
    "train:\n  epochs: 5\n  computation_time: 0.323\n"
    "checkpoint:\n  checkpoint_after_epoch: 5\n"
    "metric:\n  au: 0.90\n";

const std::string kResnet50 =
    "model:\n  name: resnet50\n"
    "framework: tensorflow\n"
    "dataset:\n  num_files_train: 1024\n  num_samples_per_file: 1251\n"
    "  record_length_bytes: 114660.07\n  record_length_bytes_resize: 150528\n"
    "  data_folder: data/resnet50\n  format: tfrecord\n"
    "train:\n  computation_time: 0.224\n  epochs: 5\n"
    "reader:\n  data_loader: tensorflow\n  read_threads: 8\n  computation_threads: 8\n"
    "  batch_size: 400\n"
    "metric:\n  au: 0.90\n";

const std::string kCosmoflow =
    "model: cosmoflow\n"
    "framework: tensorflow\n"
    "dataset:\n  num_files_train: 524288\n  num_samples_per_file: 1\n"
    "  record_length_bytes: 2828486\n  record_length_bytes_stdev: 71311\n  format: tfrecord\n"
    "reader: {read_threads: 4, batch_size: 1, file_shuffle: seed, sample_shuffle: seed, "
    "shuffle_size: 2}\n"
    "train: {epochs: 5, computation_time: {mean: 0.00551, stdev: 0.001}}\n"
    "metric: {au: 0.70}\n";

const std::string kSmall =
    "framework: pytorch\n"
    "dataset: {format: npz, num_files_train: 100, record_length_bytes: 1000}\n"
    "reader: {batch_size: 2}\n"
    "train: {computation_time: 1}\n";

Scenario loaded(const std::string& yaml, const std::string& name, bool mlperf_size = true) {
  DlioTarget target;
  target.system = "nvidia-dgx1-p100";
  target.accelerators = 2;
  target.mlperf_size = mlperf_size;
  return parse_scenario(dlio_scenario(parse_dlio(yaml, name), target), "imported.toml",
                        own_catalog());
}

Scenario from_catalog(const std::string& job) {
  return parse_scenario(
      "system = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"emulated\"\n"
      "gpus = 2\njob = \"" +
          job + "\"\n",
      "catalog.toml", own_catalog());
}

void check_same(const std::string& yaml, const std::string& name, const std::string& job) {
  CAPTURE(job);
  const Scenario imported = loaded(yaml, name);
  const Scenario known = from_catalog(job);
  const Job& a = **imported.workload.get<kind::Emulated>().job;
  const Job& b = **known.workload.get<kind::Emulated>().job;
  CHECK(a.accelerator == b.accelerator);
  CHECK(a.batch == b.batch);
  CHECK(a.compute_time.value == approx(b.compute_time.value).epsilon(1e-9));
  CHECK(a.style == b.style);
  CHECK(a.read_threads == b.read_threads);
  CHECK(a.prefetch == b.prefetch);
  CHECK(a.epochs == b.epochs);
  CHECK(a.threshold.value == approx(b.threshold.value));
  CHECK(imported.loader.workers_per_gpu == known.loader.workers_per_gpu);
  CHECK(imported.loader.prefetch_batches == known.loader.prefetch_batches);
  CHECK(static_cast<double>(*imported.workload.get<ReadsDataset>().dataset_samples) ==
        approx(static_cast<double>(*known.workload.get<ReadsDataset>().dataset_samples))
            .epsilon(1e-6));
  const Dataset& c = *a.dataset;
  const Dataset& d = *b.dataset;
  CHECK(c.sample_size.value == approx(d.sample_size.value).epsilon(1e-6));
  CHECK(c.sample_size_deviation.value == approx(d.sample_size_deviation.value).epsilon(1e-3));
  CHECK(c.samples_per_file == d.samples_per_file);
  CHECK(c.decoder->name == d.decoder->name);
}

double normal(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform(0, 1);
  return sum;
}

std::string error_of(const std::string& yaml) {
  return refusal_of([&] { parse_dlio(yaml, "bad.yaml"); });
}

std::string replaced(std::string text, const std::string& old, const std::string& now) {
  const auto at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), now);
}

}  // namespace

TEST_CASE("the workloads of MLPerf Storage import as the catalog has them") {
  check_same(kUnet3d, "unet3d_h100.yaml", "mlperf-unet3d-h100");
  check_same(kResnet50, "conf/resnet50_h100.yaml", "mlperf-resnet50-h100");
  check_same(kCosmoflow, "cosmoflow_a100.yaml", "mlperf-cosmoflow-a100");
}

TEST_CASE("steps end a job of DLIO before its epochs do") {
  const std::string yaml = replaced(kSmall, "computation_time: 1",
                                    "epochs: 3, computation_time: 1, total_training_steps: 7");
  const Scenario scenario = loaded(yaml, "small.yaml", false);
  CHECK(scenario.workload.get<kind::Emulated>().samples == 7 * 2 * 2);
  const auto far = replaced(yaml, "steps: 7", "steps: 100000");
  CHECK(!loaded(far, "small.yaml", false).workload.get<kind::Emulated>().samples);
  const auto none = replaced(yaml, "steps: 7", "steps: -1");
  CHECK(!loaded(none, "small.yaml", false).workload.get<kind::Emulated>().samples);
}

TEST_CASE("columns of Parquet that are not read are no part of a sample") {
  const std::string columns =
      "read_mode: row_group, columns: [{name: a, dtype: float32, size: 10, read: true}, "
      "{name: b, dtype: float64, read: false}, {name: c, dtype: int8}]";
  const std::string yaml =
      replaced(kSmall, "format: npz", "format: parquet, parquet: {" + columns + "}");
  CHECK(parse_dlio(yaml, "a.yaml").job.dataset->sample_size.value == 41);
  CHECK(parse_dlio(yaml, "a.yaml").job.title ==
        "a, emulated by DLIO, decoding of parquet left out");
  const auto whole = parse_dlio(replaced(yaml, "read_mode: row_group, ", ""), "a.yaml");
  CHECK(whole.job.dataset->sample_size.value == 1000);
  CHECK(std::ranges::count(whole.not_modeled, "dataset.parquet.columns that are not read") == 1);
}

TEST_CASE("a workload of DLIO that only saves checkpoints is the kind of that name") {
  const std::string yaml =
      "model: {name: llama3_70b}\nframework: pytorch\n"
      "workflow: {generate_data: False, train: False, checkpoint: True}\n"
      "checkpoint: {checkpoint_folder: x, num_checkpoints_write: 10, num_checkpoints_read: 5}\n";
  const DlioWorkload workload = parse_dlio(yaml, "llama.yaml");
  REQUIRE(workload.checkpointed);
  CHECK(name_of(*workload.checkpointed) == "llama3-70b");
  CHECK(std::ranges::count(workload.not_modeled, "checkpoint.num_checkpoints_read") == 1);
  DlioTarget target;
  target.system = "nvidia-dgx-h100";
  target.store = "weka-wekapod-nitro-8-servers";
  const Scenario scenario = parse_scenario(dlio_scenario(workload, target), "imported.toml",
                                           own_catalog(), {{"nodes", "8", "nodes"}});
  CHECK(scenario.workload.kind() == kind_of<kind::Checkpointing>);
  CHECK(error_of(replaced(yaml, "llama3_70b", "llama2_7b")).find("model.name must be one whose") !=
        std::string::npos);
  CHECK(error_of(replaced(yaml, "checkpoint: True", "checkpoint: False"))
            .find("workflow.train must be true, or workflow.checkpoint true") != std::string::npos);
}

TEST_CASE("without the rules of MLPerf the file's own number of samples counts") {
  const Scenario scenario = loaded(kResnet50, "resnet50_h100.yaml", false);
  CHECK((*scenario.workload.get<kind::Emulated>().job)->dataset->samples == 1024 * 1251);
  CHECK(!scenario.workload.get<ReadsDataset>().dataset_samples);
}

TEST_CASE("records deviate as the product of two normal sides does") {
  const Bytes unet3d = square_record_deviation(Bytes{146600628}, Bytes{68341808});
  CHECK(unet3d.value / 1e6 == approx(48.977).epsilon(1e-5));
  // Drawn as DLIO draws them.
  Random random(1);
  const double m = std::sqrt(146600628.0);
  const double s = 68341808 / (2 * m);
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const double bytes = (m + s * normal(random)) * (m + s * normal(random));
    sum += bytes;
    squares += bytes * bytes;
  }
  const double mean = sum / kDraws;
  CHECK(std::sqrt(squares / kDraws - mean * mean) == approx(unet3d.value).epsilon(0.01));
}

TEST_CASE("what a file asks for beyond the model is named, what it leaves at nothing is not") {
  const DlioWorkload unet3d = parse_dlio(kUnet3d, "unet3d_h100.yaml");
  CHECK(unet3d.not_modeled == Names{"checkpoint", "dataset.record_length_resize",
                                    "model.model_size", "model.type", "workflow.checkpoint"});
  CHECK(parse_dlio(kCosmoflow, "x.yaml").not_modeled ==
        Names{"reader.shuffle_size", "train.computation_time.stdev"});
  CHECK(parse_dlio(kSmall + "evaluation: {eval_time: 3}\nstorage: {storage_type: s3}\n", "x.yaml")
            .not_modeled == Names{"evaluation", "storage"});
  CHECK(parse_dlio(replaced(kSmall, "npz", "hdf5"), "x.yaml").not_modeled ==
        Names{"decoding of hdf5"});
}

TEST_CASE("reading order, O_DIRECT, seed and prefetching follow the file") {
  using enum SampleOrder;
  const auto order = [](const std::string& keys, const std::string& files) {
    const auto text = replaced(kSmall, "batch_size: 2", "batch_size: 2" + keys);
    return parse_dlio(replaced(text, "npz", "npz, " + files), "x.yaml").order;
  };
  CHECK(order("", "num_samples_per_file: 1") == sequential);
  CHECK(order(", sample_shuffle: off", "num_samples_per_file: 9") == sequential);
  CHECK(order(", file_shuffle: seed", "num_samples_per_file: 1") == permutation);
  CHECK(order(", file_shuffle: random", "num_samples_per_file: 9") == shards);
  CHECK(order(", sample_shuffle: seed", "num_samples_per_file: 9") == permutation);

  const DlioWorkload resnet50 = parse_dlio(kResnet50, "x.yaml");
  CHECK(resnet50.order == shards);  // TensorFlow shuffles files in any case
  CHECK(!resnet50.common_seed);
  CHECK(parse_dlio(kCosmoflow, "x.yaml").order == permutation);
  CHECK(parse_dlio(kUnet3d, "x.yaml").common_seed);

  const auto text = replaced(kSmall, "batch_size: 2",
                             "batch_size: 2, odirect: True, read_threads: 3, prefetch_size: 0");
  const DlioWorkload direct = parse_dlio(replaced(text, "time: 1", "time: 1, seed: 7"), "x.yaml");
  CHECK(direct.mode == ReadMode::direct);
  CHECK(direct.seed == 7);
  const Scenario scenario = loaded(text, "x.yaml", false);
  CHECK(scenario.data.mode == ReadMode::direct);
  CHECK(scenario.loader.workers_per_gpu == 3);
  CHECK(scenario.loader.prefetch_batches == 2);  // of each worker: PyTorch's own default
}

TEST_CASE("a configuration that DLIO left with its results is read as well") {
  std::string inner;
  for (std::size_t at = 0; at < kSmall.size();) {
    const std::size_t end = kSmall.find('\n', at) + 1;
    inner += "  " + kSmall.substr(at, end - at);
    at = end;
  }
  CHECK(parse_dlio("workload:\n" + inner, "config.yaml").job.batch == 2);
  CHECK(parse_dlio(replaced(kSmall, "reader", "data_reader"), "x.yaml").job.batch == 2);
}

TEST_CASE("wrong workload files are refused to the letter") {
  struct Case {
    const char* name;
    std::string yaml;
    std::string message;
  };
  std::string bomb = "a: &a [x, x]\n";
  for (char c = 'b'; c < 'k'; ++c)
    bomb += fmt::format("{0}: &{0} [*{1}, *{1}, *{1}]\n", c, static_cast<char>(c - 1));
  const Case cases[] = {
      {"empty", "",
       "bad.yaml:1:1: error: a workload of DLIO must be a map of sections such as dataset and "
       "reader; found nothing\n"},
      {"a list", "- a\n- b\n",
       "bad.yaml:1:1: error: a workload of DLIO must be a map of sections such as dataset and "
       "reader; found a list\n"},
      {"a section that is a list", replaced(kSmall, "{batch_size: 2}", "[batch_size]"),
       "bad.yaml:3:9: error: reader must be a map of keys; found a list\n"},
      {"binary", std::string("a: \0b", 5),
       "bad.yaml:1:4: error: control characters are not allowed\n"},
      {"UTF-16", "\xFF\xFE", "bad.yaml:1:1: error: the text is not valid UTF-8\n"},
      {"above 4 MiB", "# " + std::string(4u << 20, 'x'),
       "bad.yaml: error: the file is larger than 4 MiB\n"},
      {"aliases that unfold to billions", bomb,
       "bad.yaml:2:8: error: aliases (*name) are not followed; write the value itself\n"},
      {"nested too deep", "a: " + std::string(40, '[') + std::string(40, ']'),
       "bad.yaml:1:35: error: values are nested deeper than 32\n"},
      {"unclosed brackets by the thousand", "a: " + std::string(5000, '['),
       "bad.yaml:1:5: error: a key must be a word; found a list or map\n"},
      {"nested maps", "a: " + std::string(5000, '{'),
       "bad.yaml:1:5: error: a key must be a word; found a list or map\n"},
      {"a syntax error", "a: [1, 2\nb: 3\n",
       "bad.yaml:2:2: error: YAML syntax: end of sequence flow not found\n"},
      {"two documents", kSmall + "---\na: 1\n",
       "bad.yaml:5:1: error: a second document begins here; one is expected\n"},
      {"a key twice", kSmall + "framework: pytorch\n",
       "bad.yaml:5:1: error: key \"framework\" stands in line 1 already\n"},
      {"a key that is a list", "? [a]\n: b\n",
       "bad.yaml:1:3: error: a key must be a word; found a list or map\n"},
      {"too many values", "a: [" + std::string(30000, ','), "YAML"},
      {"nothing but a name", "model: unet3d\n",
       "bad.yaml:1:1: error: dataset.format is missing; it must be that of the files, such as npz "
       "or "
       "tfrecord\n"
       "bad.yaml:1:1: error: dataset.num_files_train is missing; it must be the number of files, "
       "such as 1024\n"
       "bad.yaml:1:1: error: dataset.record_length_bytes is missing; it must be the bytes of a "
       "record, such as 150528\n"
       "bad.yaml:1:1: error: reader.batch_size is missing; it must be the samples of a batch\n"
       "bad.yaml:1:1: error: reader.data_loader is missing; it must be pytorch or tensorflow\n"
       "bad.yaml:1:1: error: train.computation_time is missing; it must be the seconds that a step "
       "computes\n"},
      {"a misspelt section", replaced(kSmall, "reader", "raeder"),
       "bad.yaml:3:1: error: unknown key \"raeder\"; did you mean \"reader\"?\n"},
      {"a misspelt key", replaced(kSmall, "num_files_train", "num_file_train"),
       "bad.yaml:2:24: error: dataset: unknown key \"num_file_train\"; did you mean "
       "\"num_files_train\"?\n"},
      {"an old key, misspelt", replaced(kSmall, "record_length_bytes", "record_lenght"),
       "bad.yaml:2:46: error: dataset: unknown key \"record_lenght\"; did you mean "
       "\"record_length\"?\n"},
      {"a negative number", replaced(kSmall, "batch_size: 2", "batch_size: -2"),
       "bad.yaml:3:22: error: reader.batch_size must be a whole number from 1 to 1000000; found "
       "-2\n"},
      {"half a sample", replaced(kSmall, "batch_size: 2", "batch_size: 2.5"),
       "bad.yaml:3:22: error: reader.batch_size must be a whole number from 1 to 1000000; found "
       "2.5\n"},
      {"what YAML 1.1 reads as octal", replaced(kSmall, "batch_size: 2", "batch_size: 0400"),
       "bad.yaml:3:22: error: reader.batch_size must be a whole number from 1 to 1000000; found "
       "\"0400\"\n"},
      {"a number in quotation marks", replaced(kSmall, "time: 1", "time: '1'"),
       "bad.yaml:4:27: error: train.computation_time must be a number from 0 to 3600; found "
       "\"1\"\n"},
      {"not a number", replaced(kSmall, "time: 1", "time: .nan"),
       "bad.yaml:4:27: error: train.computation_time must be a number from 0 to 3600; found "
       "\".nan\"\n"},
      {"no value", replaced(kSmall, "time: 1", "time: "),
       "bad.yaml:4:27: error: train.computation_time must be a number from 0 to 3600; found "
       "nothing\n"},
      {"another loader", replaced(kSmall, "batch_size: 2", "batch_size: 2, data_loader: dali"),
       "bad.yaml:3:38: error: reader.data_loader must be pytorch or tensorflow; found \"dali\"\n"},
      {"a strange shuffle", replaced(kSmall, "batch_size: 2", "batch_size: 2, file_shuffle: yes"),
       "bad.yaml:3:39: error: reader.file_shuffle must be off, seed or random; found \"yes\"\n"},
      {"no training", kSmall + "workflow: {train: False}\n",
       "bad.yaml:5:19: error: workflow.train must be true, or workflow.checkpoint true: only "
       "training and "
       "checkpoints can be emulated; found "
       "\"False\"\n"},
      {"O_DIRECT where DLIO has none",
       replaced(replaced(kSmall, "npz", "jpeg"), "batch_size: 2", "batch_size: 2, odirect: true"),
       "bad.yaml:3:34: error: reader.odirect must be false for all formats but npz and npy; found "
       "\"true\"\n"},
      {"more samples than can be counted",
       replaced(kSmall, "num_files_train: 100",
                "num_samples_per_file: 1000000, num_files_train: 1000000000"),
       "bad.yaml:2:72: error: dataset: 1e+15 samples in all files; at most 1e+12 can be "
       "simulated\n"},
      {"an interpolation", replaced(kSmall, "batch_size: 2", "batch_size: \"${x}\""),
       "bad.yaml:3:22: error: reader.batch_size must be a whole number from 1 to 1000000; found "
       "\"${x}\"\n"}};
  for (const auto& one : cases) {
    CAPTURE(one.name);
    if (one.message == "YAML")
      CHECK(error_of(one.yaml).starts_with("bad.yaml:1:"));
    else
      CHECK(error_of(one.yaml) == one.message);
  }
  CHECK_THROWS_AS(load_dlio("no/such.yaml"), InputError);
}

TEST_CASE("no damage to a workload file does more than have it refused") {
  constexpr std::string_view kSigns = "[]{}:,-?&*!|>'\"%@#\n\t 0";
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::string text = seed % 2 == 0 ? kUnet3d : kCosmoflow;
    for (std::int64_t wounds = random.integer(1, 6); wounds > 0; --wounds) {
      const auto size = static_cast<std::int64_t>(text.size());
      const auto at = static_cast<std::size_t>(random.integer(0, size));
      if (random.integer(0, 2) == 0)
        text.erase(at, static_cast<std::size_t>(random.integer(0, 20)));
      else if (random.integer(0, 1) == 0)
        text.insert(at, static_cast<std::size_t>(random.integer(1, 30)),
                    kSigns[static_cast<std::size_t>(random.integer(0, 21))]);
      else
        text.insert(at, text.substr(static_cast<std::size_t>(random.integer(0, size / 2)), 50));
    }
    CHECK(error_of(text) != "");
  }
}

TEST_CASE("a number too small to keep its digits is refused where it stands") {
  CHECK(error_of(replaced(kUnet3d, "au: 0.90", "au: 5e-324")) ==
        "bad.yaml:30:7: error: metric.au must be a number from 0 to 1; found \"5e-324\"\n");
}
