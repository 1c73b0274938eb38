// SPDX-License-Identifier: Apache-2.0
#include "sim/import/dlio.h"

#include <algorithm>
#include <cmath>

#include "sim/base/files/read_file.h"
#include "sim/import/yaml_reader.h"
#include "sim/model/kinds/checkpointing.h"

namespace gpufeed {
namespace {

using namespace literals;

const YamlKeys kFileKeys{
    "",
    {"model", "framework", "workflow", "dataset", "reader", "train", "metric"},
    {"evaluation", "checkpoint", "output", "profiling", "storage", "hydra", "defaults"}};

const YamlKeys kSections[] = {
    {"model",
     {"name"},
     {"type", "model_size", "model_size_bytes", "model_datatype", "optimizer_datatype",
      "optimization_groups", "num_layers", "layer_parameters", "parallelism", "transformer"}},
    {"workflow", {"train"}, {"generate_data", "evaluation", "checkpoint", "profiling"}},
    {"dataset",
     {"data_folder", "format", "num_files_train", "num_samples_per_file", "record_length_bytes",
      "record_length_bytes_stdev", "record_length", "record_length_stdev", "record_dims"},
     {"record_length_bytes_resize", "record_length_resize", "num_files_eval",
      "num_subfolders_train", "num_subfolders_eval", "file_prefix", "compression",
      "compression_level", "enable_chunking", "chunk_size", "keep_files", "record_element_type",
      "record_element_bytes", "hdf5", "parquet", "generation_buffer_size", "num_dataset_per_record",
      "chunk_dims", "max_shape"}},
    {"reader",
     {"data_loader", "batch_size", "read_threads", "prefetch_size", "file_shuffle",
      "sample_shuffle", "odirect"},
     {"batch_size_eval", "computation_threads", "shuffle_size", "transfer_size", "file_access",
      "read_type", "preprocess_time", "preprocess_time_stdev", "pin_memory", "dont_use_mmap",
      "reader_classname", "multiprocessing_context", "data_loader_classname", "data_loader_sampler",
      "transformed_record_dims", "transformed_record_element_type", "transformed_sample",
      "transformed_sample_type"}},
    {"train",
     {"epochs", "computation_time", "seed", "total_training_steps"},
     {"computation_time_stdev", "seed_change_epoch"}},
    {"metric", {"au"}, {}}};

/// The decoder of the catalog that reads files of a format; empty where there is none.
std::string decoder_of(std::string_view format) {
  if (format == "npz" || format == "npy") return "npz";
  if (format == "tfrecord") return "tfrecord";
  if (format == "jpeg") return "jpeg-turbo";
  return "";
}

/// "unet3d_h100.yaml": "H100".
std::string accelerator_in(const std::string& file) {
  const std::string stem = std::filesystem::path(file).stem().string();
  std::string name = stem.substr(stem.rfind('_') + 1);
  const bool digits = name.find_first_of("0123456789") != std::string::npos;
  const bool letter_first = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0]));
  if (stem.find('_') == std::string::npos || !digits || !letter_first) return "accelerator";
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

class DlioReader {
 public:
  DlioReader(const YamlNode& file, const std::string& name, Diagnostics& out)
      : file_(file.find("workload") ? *file.find("workload") : file),
        out_(out),
        reader_(name, out) {
    result_.file = std::filesystem::path(name).filename().string();
    none_.kind = YamlNode::Kind::map;
    none_.line = file_.line;
    none_.column = file_.column;
  }

  DlioWorkload read() {
    if (file_.kind != YamlNode::Kind::map) {
      reader_.refuse(file_, "a workload of DLIO", "a map of sections such as dataset and reader");
      return result_;
    }
    check_keys();
    read_names();
    if (only_checkpoints()) {
      read_checkpoints();
      return finished();
    }
    read_dataset();
    read_reader();
    read_order();
    read_train();
    result_.job.accelerator = accelerator_in(result_.file);
    result_.job.dataset.entry = std::make_shared<const Dataset>(dataset_);
    return finished();
  }

 private:
  DlioWorkload finished() {
    result_.not_modeled = reader_.not_read;
    std::ranges::sort(result_.not_modeled);
    return std::move(result_);
  }

  void check_keys() {
    YamlKeys top = kFileKeys;
    if (file_.find("data_reader")) std::ranges::replace(top.read, "reader", "data_reader");
    reader_.check_keys(file_, top);
    for (YamlKeys keys : kSections) {
      if (keys.section == "reader" && file_.find("data_reader")) keys.section = "data_reader";
      const YamlNode* map = nullptr;
      if (keys.section != "model" || !file_.find("model") ||
          file_.find("model")->kind != YamlNode::Kind::scalar)
        map = reader_.section(file_, keys.section);
      if (map) reader_.check_keys(*map, keys);
      (keys.section == "data_reader" ? sections_["reader"] : sections_[keys.section]) =
          map ? map : &none_;
    }
  }

  const YamlNode& in(const std::string& section) const { return *sections_.at(section); }

  void read_names() {
    const YamlNode* model = file_.find("model");
    const bool word = model && model->kind == YamlNode::Kind::scalar;
    model_ = (word ? reader_.word(file_, "model") : reader_.word(in("model"), "model.name"))
                 .value_or(std::filesystem::path(result_.file).stem().string());
  }

  /// Whether it trains nothing; what does neither train nor save is refused.
  bool only_checkpoints() {
    const YamlNode& flow = in("workflow");
    if (reader_.truth(flow, "workflow.train") != false) return false;
    if (reader_.truth(flow, "workflow.checkpoint") == true) return true;
    reader_.refuse(*flow.find("train"), "workflow.train",
                   "true, or workflow.checkpoint true: only training and checkpoints can be "
                   "emulated");
    return false;
  }

  /// "llama3_8b" and "llama3-8b".
  void read_checkpoints() {
    std::string name = model_;
    std::ranges::replace(name, '_', '-');
    const auto& known = EnumNames<CheckpointedModel>::names;
    const auto found = std::ranges::find(known, name);
    result_.job.title = fmt::format("{}, checkpoints by DLIO", model_);
    const YamlNode* const model = file_.find("model");
    if (found == known.end())
      return reader_.refuse(
          model ? *model : file_, "model.name",
          fmt::format("one whose checkpoints are known: {}", fmt::join(known, ", ")));
    result_.checkpointed = static_cast<CheckpointedModel>(found - known.begin());
    // ten saves, then ten loads, each with fsync, are the kind's own
    const YamlNode* const section = file_.find("checkpoint");
    if (!section || section->kind != YamlNode::Kind::map) return;
    std::erase(reader_.not_read, "checkpoint");
    for (const YamlNode& item : section->items) {
      const bool ten = item.text == "10" && item.key.starts_with("num_checkpoints_");
      const bool own = item.key == "checkpoint_folder" || item.key == "fsync" || ten;
      if (!own) reader_.not_read.push_back("checkpoint." + item.key);
    }
  }

  void read_dataset() {
    const YamlNode& map = in("dataset");
    if (const YamlNode* dims = map.find("record_dims"); dims && !dims->items.empty())
      reader_.refuse(*dims, "dataset.record_dims",
                     "left out, and the bytes of a record given as "
                     "record_length_bytes");
    const bool old = map.find("record_length") && !map.find("record_length_bytes");
    const std::string length = old ? "dataset.record_length" : "dataset.record_length_bytes";
    const auto bytes = reader_.number(map, length, 1, 1e12);
    if (!map.find("record_dims")) need(map, length, bytes, "the bytes of a record, such as 150528");
    const bool old_stdev =
        map.find("record_length_stdev") && !map.find("record_length_bytes_stdev");
    const auto stdev = reader_.number(
        map, old_stdev ? "dataset.record_length_stdev" : "dataset.record_length_bytes_stdev", 0,
        1e12);
    dataset_.sample_size = {bytes.value_or(1)};
    read_columns(map);
    if (stdev && *stdev > 0)
      dataset_.sample_size_deviation = square_record_deviation(dataset_.sample_size, Bytes{*stdev});
    const auto files = reader_.whole(map, "dataset.num_files_train", 1, 1000000000000);
    need(map, "dataset.num_files_train", files, "the number of files, such as 1024");
    const auto per_file = reader_.whole(map, "dataset.num_samples_per_file", 1, 1000000000000);
    dataset_.samples_per_file = per_file.value_or(1);
    const double samples =
        static_cast<double>(files.value_or(1)) * static_cast<double>(dataset_.samples_per_file);
    if (samples > 1e12)
      out_.error(ProblemCode::too_large, reader_.at(*map.find("num_files_train")),
                 "dataset: {:g} samples in all files; at most 1e+12 can be simulated", samples);
    dataset_.samples = static_cast<std::int64_t>(std::min(samples, 1e12));
    format_ = reader_.word(map, "dataset.format").value_or("");
    if (!map.find("format"))
      reader_.missing(map, "dataset.format", "that of the files, such as npz or tfrecord");
    dataset_.decoder = Ref<Decoder>{decoder_of(format_), {}, {}};
    if (dataset_.decoder->name.empty()) {
      dataset_.decoder.reset();
      result_.decode = DecodeOn::none;
      if (!format_.empty()) reader_.not_read.push_back("decoding of " + format_);
    }
    const std::string folder = reader_.word(map, "dataset.data_folder").value_or("");
    dataset_.title =
        fmt::format("{}: {} records{}", model_, format_, folder.empty() ? "" : " in " + folder);
    provenance(dataset_);
  }

  /// Bytes of an element of a column; 1 of a kind that is not known, whose `size` counts bytes.
  static double bytes_of(const std::string& dtype) {
    for (const auto& [end, bytes] : {std::pair{"64", 8.0}, {"32", 4.0}, {"16", 2.0}, {"8", 1.0}})
      if (dtype.ends_with(end)) return bytes;
    return dtype == "double" ? 8 : dtype == "float" ? 4 : 1;
  }

  /// Of row groups only the columns that are asked for are read.
  void read_columns(const YamlNode& map) {
    const YamlNode* const parquet = map.find("parquet");
    const YamlNode* const columns = parquet ? parquet->find("columns") : nullptr;
    const YamlNode* const mode = parquet ? parquet->find("read_mode") : nullptr;
    if (!columns || columns->kind != YamlNode::Kind::list) return;
    double read = 0;
    double all = 0;
    for (const YamlNode& column : columns->items) {
      if (column.kind != YamlNode::Kind::map) continue;
      const YamlNode* const dtype = column.find("dtype");
      const double size =
          reader_.number(column, "dataset.parquet.columns.size", 0, 1e12).value_or(1);
      const double bytes = size * bytes_of(dtype ? dtype->text : "float32");
      all += bytes;
      if (reader_.truth(column, "dataset.parquet.columns.read") != false) read += bytes;
    }
    if (read == all) return;
    if (!mode || mode->text != "row_group" || read < 1) {
      reader_.not_read.emplace_back("dataset.parquet.columns that are not read");
      return;
    }
    std::erase(reader_.not_read, "dataset.parquet");
    dataset_.sample_size = {read};
  }

  template <class T>
  void need(const YamlNode& map, const std::string& place, const std::optional<T>& value,
            const std::string& must_be) {
    if (!value) reader_.missing(map, place, must_be);
  }

  void provenance(Entry& entry) const {
    entry.provenance = {fmt::format("{}, a workload file of DLIO", result_.file), Basis::datasheet};
  }

  void read_reader() {
    const YamlNode& map = in("reader");
    Job& job = result_.job;
    job.style = style();
    const auto batch = reader_.whole(map, "reader.batch_size", 1, 1000000);
    need(map, "reader.batch_size", batch, "the samples of a batch");
    job.batch = batch.value_or(1);
    job.read_threads = reader_.whole(map, "reader.read_threads", 1, 1024).value_or(1);
    const bool pytorch = job.style == LoaderStyle::pytorch;
    job.prefetch = reader_.whole(map, "reader.prefetch_size", pytorch ? 0 : 1, 1024).value_or(2);
    if (job.prefetch == 0) job.prefetch = std::min<std::int64_t>(2 * job.read_threads, 1024);
    if (!reader_.truth(map, "reader.odirect").value_or(false)) return;
    result_.mode = ReadMode::direct;
    if (decoder_of(format_) != "npz")
      reader_.refuse(*map.find("odirect"), "reader.odirect",
                     "false for all formats but npz and npy");
  }

  LoaderStyle style() {
    const bool own = in("reader").find("data_loader") != nullptr;
    const std::string place = own ? "reader.data_loader" : "framework";
    const YamlNode& map = own ? in("reader") : file_;
    const auto word = reader_.word(map, place);
    if (word == "pytorch") return LoaderStyle::pytorch;
    if (word == "tensorflow") return LoaderStyle::tensorflow;
    const YamlNode* node = map.find(own ? "data_loader" : "framework");
    if (!node) reader_.missing(in("reader"), "reader.data_loader", "pytorch or tensorflow");
    if (word) reader_.refuse(*node, place, "pytorch or tensorflow");
    return LoaderStyle::pytorch;
  }

  /// Whether a key asks for shuffling.
  bool shuffles(const std::string& place) {
    const auto word = reader_.word(in("reader"), place);
    if (!word || *word == "off" || *word == "False" || *word == "false") return false;
    if (*word == "seed" || *word == "random") return true;
    reader_.refuse(*in("reader").find(place.substr(place.find('.') + 1)), place,
                   "off, seed or random");
    return false;
  }

  void read_order() {
    bool files = shuffles("reader.file_shuffle");
    bool samples = shuffles("reader.sample_shuffle");
    if (result_.job.style == LoaderStyle::tensorflow && format_ == "tfrecord") {
      files = true;
      samples = false;
      result_.common_seed = false;
    }
    if (files && dataset_.samples_per_file == 1) samples = true;
    result_.order = samples ? SampleOrder::permutation
                    : files ? SampleOrder::shards
                            : SampleOrder::sequential;
  }

  void read_train() {
    const YamlNode& map = in("train");
    Job& job = result_.job;
    job.epochs = reader_.whole(map, "train.epochs", 1, 1000000).value_or(1);
    result_.seed = reader_.whole(map, "train.seed", 0, 4294967295);
    constexpr double kHour = 3600;
    const YamlNode* time = map.find("computation_time");
    if (!time)
      reader_.missing(map, "train.computation_time", "the seconds that a step computes");
    else if (time->kind == YamlNode::Kind::map)
      job.compute_time = distribution_mean(*time);
    else
      job.compute_time = {reader_.number(map, "train.computation_time", 0, kHour).value_or(0)};
    constexpr double kUsual = 0.9;  // DLIO's own default
    job.threshold = {reader_.number(in("metric"), "metric.au", 0, 1).value_or(kUsual)};
    job.title = fmt::format("{}, emulated by DLIO", model_);
    if (result_.decode == DecodeOn::none && !format_.empty())
      job.title += fmt::format(", decoding of {} left out", format_);
    provenance(job);
    read_steps(map);
  }

  /// They end the job, whatever its epochs hold. -1, DLIO's own default: no such end.
  void read_steps(const YamlNode& map) {
    const YamlNode* const node = map.find("total_training_steps");
    if (!node || node->text == "-1") return;
    result_.steps = reader_.whole(map, "train.total_training_steps", 1, 1000000000);
  }

  /// DLIO takes distributions of times; only their mean counts here.
  Seconds distribution_mean(const YamlNode& time) {
    constexpr double kHour = 3600;
    const std::string place = "train.computation_time";
    const auto mean = reader_.number(time, place + ".mean", 0, kHour);
    if (!time.find("mean"))
      reader_.missing(time, place + ".mean", "the mean seconds that a step computes");
    const YamlNode* stdev = time.find("stdev");
    if (stdev && stdev->text != "0") reader_.not_read.push_back(place + ".stdev");
    return {mean.value_or(0)};
  }

  const YamlNode& file_;
  Diagnostics& out_;
  YamlReader reader_;
  YamlNode none_;  ///< in the place of a section that is missing
  std::map<std::string, const YamlNode*> sections_;
  std::string model_;
  std::string format_;
  Dataset dataset_;
  DlioWorkload result_;
};

}  // namespace

Bytes square_record_deviation(Bytes length, Bytes stdev) {
  const double m = std::sqrt(length.value);
  const double s = stdev.value / (2 * m);
  return {std::sqrt(2 * m * m * s * s + s * s * s * s)};
}

DlioWorkload parse_dlio(std::string_view text, const std::string& name) {
  Diagnostics out;
  const auto tree = parse_yaml(text, name, out);
  out.throw_if_any();
  DlioWorkload workload = DlioReader(*tree, name, out).read();
  out.throw_if_any();
  return workload;
}

DlioWorkload load_dlio(const std::filesystem::path& file) {
  Diagnostics out;
  const auto text = read_text_file(file, kMaxTextSize, out);
  out.throw_if_any();
  return parse_dlio(*text, file.lexically_normal().string());
}

}  // namespace gpufeed
