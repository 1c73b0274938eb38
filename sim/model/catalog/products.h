// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/catalog/architecture.h"
#include "sim/model/catalog/layers.h"
#include "sim/model/catalog/network_class.h"
#include "sim/model/catalog/parts.h"
#include "sim/model/fields/embedding_tables.h"
#include "sim/model/fields/loader_style.h"
#include "sim/model/fields/stored_as.h"
#include "sim/model/fields/trained_with.h"

namespace gpufeed {

/// One measured training rate of a model on one GPU. It says what it includes, so that nothing is
/// counted twice.
struct ComputeRow {
  Ref<Gpu> gpu;
  std::string precision = "fp32";
  std::int64_t batch = 1;
  Rate rate;
  std::vector<Includes> includes;
  std::optional<TrainedWith> framework;
  std::optional<std::string> version;
  std::string source;
  Basis basis = Basis::estimate;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("gpu", &ComputeRow::gpu, "the GPU it was measured on").needed());
    visit(key("precision", &ComputeRow::precision, "number format: fp32, fp16, ..."));
    visit(
        key("batch", &ComputeRow::batch, "samples per GPU and step").needed().between(1, 1000000));
    visit(key("rate", &ComputeRow::rate, "samples per second of one GPU, never waiting")
              .needed()
              .between(1e-6_per_s, 1e9_per_s));
    visit(key("includes", &ComputeRow::includes,
              "what the rate already contains: exchange, barrier"));
    visit(key("framework", &ComputeRow::framework, "with which it was measured"));
    visit(key("version", &ComputeRow::version,
              "of the framework and what it calls: \"2.11, CUDA 13.0, cuDNN 9.19\""));
    visit(key("source", &ComputeRow::source, "document, page or measurement").needed());
    visit(key("basis", &ComputeRow::basis, "measured, calibrated, datasheet or estimate").needed());
  }
};

/// How much training reaches the wanted accuracy: larger batches need more samples.
struct TargetRow {
  std::int64_t global_batch = 1;
  std::int64_t samples = 1;
  std::string source;
  Basis basis = Basis::estimate;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("global_batch", &TargetRow::global_batch, "samples of one step of all GPUs")
              .needed()
              .between(1, 1000000000));
    visit(key("samples", &TargetRow::samples, "samples until the accuracy is reached")
              .needed()
              .between(1, 1000000000000000));
    visit(key("source", &TargetRow::source, "document, page or measurement").needed());
    visit(key("basis", &TargetRow::basis, "measured, calibrated, datasheet or estimate").needed());
  }
};

/// Part of a network, as its backward pass meets it: counts, of which shares matter.
struct BackwardPart {
  std::int64_t parameters = 0;
  std::int64_t multiply_adds = 0;
  std::string source;
  Basis basis = Basis::estimate;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("parameters", &BackwardPart::parameters, "of this part")
              .needed()
              .between(0, 100000000000000));
    visit(key("multiply_adds", &BackwardPart::multiply_adds,
              "of this part for one sample, forward: its share of the backward pass's time")
              .needed()
              .between(0, 1000000000000000000));
    visit(key("source", &BackwardPart::source, "document, or how it was counted").needed());
    visit(
        key("basis", &BackwardPart::basis, "measured, calibrated, datasheet or estimate").needed());
  }
};

/// A network to train. Where it lists its layers, the loader counts parameters, multiply-adds and
/// activations from them.
struct Model : Entry {
  static constexpr std::string_view kKind = "model";
  std::int64_t parameters = 0;
  Bytes input_size;
  std::optional<Content> takes;
  Label family;
  std::optional<NetworkClass> network_class;
  std::optional<std::int64_t> multiply_adds;
  std::optional<std::int64_t> depthwise_multiply_adds;
  std::optional<Bytes> activation_size;
  std::optional<std::int64_t> late_parameters;
  std::vector<BackwardPart> backward;
  std::vector<Layer> layers;
  std::optional<Architecture> architecture;
  std::optional<EmbeddingTables> tables;
  std::optional<std::int64_t> blocks;
  std::optional<Bytes> block_output;
  std::optional<std::int64_t> tokens;
  Ratio batch_spread{0.0};
  std::vector<ComputeRow> compute;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("parameters", &Model::parameters,
              "trainable parameters; counted where layers are listed")
              .needed()
              .between(1, 100000000000000));
    visit(key("input_size", &Model::input_size, "bytes of one decoded sample, as copied to the GPU")
              .needed()
              .between(1_B, 100_GB));
    visit(key("takes", &Model::takes, "what its samples show; default: any data set is taken"));
    visit(key("family", &Model::family,
              "networks of one design and several sizes, such as resnet: learn_from = "
              "\"other-networks\" leaves all of them out; default: it is the only one"));
    visit(key("class", &Model::network_class,
              "what most of its work is: rates nobody measured are learned from networks of its "
              "class; default: as its layers tell"));
    visit(key("multiply_adds", &Model::multiply_adds,
              "of one sample, forward; with it, rates nobody measured are estimated")
              .between(1, 1000000000000000000));
    visit(key("depthwise_multiply_adds", &Model::depthwise_multiply_adds,
              "of these, by convolutions of each channel by itself, which no matrix unit takes; "
              "default: none")
              .between(0, 1000000000000000000));
    visit(key("activation_size", &Model::activation_size,
              "bytes of one sample that the forward pass keeps for the backward pass, in "
              "fp32; default: not known, and not checked against the GPU's memory")
              .between(0_B, 1_PB));
    visit(key("late_parameters", &Model::late_parameters,
              "of the parameters, those whose gradients are there when the backward pass ends, and "
              "no sooner: embeddings of the input; default: none")
              .between(0, 100000000000000));
    visit(key("backward", &Model::backward,
              "parts of the network in the order in which the backward pass meets them, one table "
              "each: when gradients are there; default: as its layers tell, else at an even pace"));
    visit(key("layer", &Model::layers,
              "instead of parameters and multiply_adds: the layers, one table each"));
    visit(key("architecture", &Model::architecture,
              "instead of all that is counted: a decoder as its config.json has it, with tokens"));
    visit(key("tables", &Model::tables, "of its parameters, those of embedding tables"));
    visit(key("blocks", &Model::blocks,
              "alike layers in a row (transformer blocks) that [parallel] splits")
              .between(1, 100000));
    visit(key("block_output", &Model::block_output,
              "bytes that one block passes on for one sample in fp32 (sequence x hidden x 4); "
              "fewer in narrower formats")
              .between(1_B, 100_GB));
    visit(key("tokens", &Model::tokens, "of one sample, for tokens per second")
              .between(1, 1000000000));
    visit(key("batch_spread", &Model::batch_spread,
              "how much batches differ in work, such as those of sentences by length: standard "
              "deviation over mean; beside workload.step_jitter")
              .between(0_percent, 100_percent));
    visit(key("compute", &Model::compute, "measured training rates, one table each"));
  }
};

/// What of a GPU decodes: its own processors (streaming multiprocessors), in turn with the step, or
/// fixed-function engines beside it.
enum class DecodeEngine { sms, nvjpg, nvdec };
template <>
struct EnumNames<DecodeEngine> {
  static constexpr std::array<std::string_view, 3> names{"sms", "nvjpg", "nvdec"};
};

/// What one core, or one GPU, needs to turn a stored sample into one ready for training:
/// per_sample + bytes / byte_rate + pixels / pixel_rate.
struct DecodeCost {
  std::optional<Ref<Cpu>> cpu;
  std::optional<Ref<Cpu>> measured_on;
  std::optional<Ref<Gpu>> gpu;
  std::optional<DecodeEngine> engine;
  Seconds per_sample;
  std::optional<Bandwidth> byte_rate;
  std::optional<Rate> pixel_rate;
  std::optional<Ratio> load;
  std::optional<Ratio> all_core_speed;
  std::optional<Ratio> smt_speedup;
  std::string source;
  Basis basis = Basis::estimate;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("cpu", &DecodeCost::cpu, "whose core; default: any CPU without its own"));
    visit(key("measured_on", &DecodeCost::measured_on,
              "instead of cpu: whose core it was; another's takes more or less time as their "
              "core_speed tells; default: as much on any"));
    visit(key("gpu", &DecodeCost::gpu, "instead of a core: which GPU"));
    visit(key("engine", &DecodeCost::engine,
              "what of the GPU decodes: sms, its own processors, in turn with the step; nvjpg or "
              "nvdec, engines of their own beside it, all of one GPU together; default: sms"));
    visit(key("per_sample", &DecodeCost::per_sample, "of each sample, whatever its size")
              .between(0_s, 1_h));
    visit(key("byte_rate", &DecodeCost::byte_rate, "stored bytes per second")
              .between(1_kBps, 1_TBps));
    visit(key("pixel_rate", &DecodeCost::pixel_rate, "pixels per second")
              .between(1e3_per_s, 1e13_per_s));
    visit(key("load", &DecodeCost::load,
              "part of the CPU's cores at work when it was measured: with more of them cores "
              "run slower (all_core_speed); default: they do not")
              .between(0_percent, 100_percent));
    visit(
        key("all_core_speed", &DecodeCost::all_core_speed,
            "speed of a core at this work while all of the CPU's cores do it, over one that works "
            "alone: clocks, caches and memory; counts where load is stated; default: as the CPU "
            "says")
            .between(10_percent, 100_percent));
    visit(key("smt_speedup", &DecodeCost::smt_speedup,
              "what a core with all its threads at work decodes, over one thread; default: as the "
              "CPU says, which counts before a row that names none where it was measured or set")
              .between(100_percent, 400_percent));
    visit(key("source", &DecodeCost::source, "document, page or measurement").needed());
    visit(key("basis", &DecodeCost::basis, "measured, calibrated, datasheet or estimate").needed());
  }
};

/// A library that decodes and augments.
struct Decoder : Entry {
  static constexpr std::string_view kKind = "decoder";
  bool decodes_while_reading = false;
  std::optional<Bandwidth> reader_bandwidth;
  std::optional<Bandwidth> direct_byte_rate;
  std::optional<Bytes> decoded_size;
  std::optional<Codec> codec;
  std::vector<DecodeCost> cost;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("decodes_while_reading", &Decoder::decodes_while_reading,
              "whether it starts on a sample before the whole has been read"));
    visit(key("reader_bandwidth", &Decoder::reader_bandwidth,
              "where it decodes while reading: stored bytes that one reader "
              "passes at most, its waits between small reads included")
              .between(1_kBps, 1_TBps));
    visit(key("direct_byte_rate", &Decoder::direct_byte_rate,
              "where reads go around the page cache: stored bytes per second of a core that has "
              "a whole sample before it; default: as the costs say")
              .between(1_kBps, 1_TBps));
    visit(key("decoded_size", &Decoder::decoded_size,
              "of a sample that waits for a benchmark's accelerator, where it "
              "is not kept as stored")
              .between(1_B, 1_TB));
    visit(key("codec", &Decoder::codec,
              "what it decodes: data sets of it may be decoded by the GPUs among its costs"));
    visit(key("cost", &Decoder::cost, "on one CPU or GPU, one table each"));
  }
};

/// A data set to read.
struct Dataset : Entry {
  static constexpr std::string_view kKind = "dataset";
  std::int64_t samples = 0;
  Bytes sample_size;
  Bytes sample_size_deviation;
  std::optional<Content> content;
  std::optional<Codec> codec;
  std::int64_t samples_per_file = 1;
  std::optional<Seconds> decode_time;
  std::optional<Ratio> decode_load;
  std::optional<Ratio> decode_smt_speedup;
  std::optional<Ref<Decoder>> decoder;
  std::optional<std::int64_t> pixels;
  std::optional<std::int64_t> tokens;
  std::int64_t tokens_deviation = 0;
  std::optional<std::int64_t> documents;
  std::optional<StoredAs> format;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("samples", &Dataset::samples, "how many samples").needed().between(1, 1000000000000));
    visit(key("sample_size", &Dataset::sample_size, "mean bytes of one sample as stored")
              .needed()
              .between(1_B, 1_TB));
    visit(key("sample_size_deviation", &Dataset::sample_size_deviation,
              "standard deviation of the bytes of one sample")
              .between(0_B, 1_TB));
    visit(key("content", &Dataset::content,
              "what its samples show; default: not known, and any network takes it"));
    visit(key("codec", &Dataset::codec, "what its samples are compressed by; default: not known"));
    visit(key("samples_per_file", &Dataset::samples_per_file, "1: a file each; more: record files")
              .between(1, 1000000000000));
    visit(key("decode_time", &Dataset::decode_time,
              "time of one core to decode and augment one sample")
              .between(0_s, 1_h));
    visit(key("decode_load", &Dataset::decode_load,
              "part of the CPU's cores at work when decode_time was measured: with more of "
              "them cores run slower (all_core_speed); default: they do not")
              .between(0_percent, 100_percent));
    visit(key("decode_smt_speedup", &Dataset::decode_smt_speedup,
              "with decode_time: what a core with all its threads at work decodes, over one "
              "thread; default: as the CPU says, which counts first where it was measured or set")
              .between(100_percent, 400_percent));
    visit(key("decoder", &Dataset::decoder, "instead of decode_time: the library that decodes"));
    visit(key("pixels", &Dataset::pixels, "of one sample, where the decoder counts them")
              .between(1, 1000000000000));
    visit(key("tokens", &Dataset::tokens, "of one sample of text that is stored as tokens; mean")
              .between(1, 100000000));
    visit(key("tokens_deviation", &Dataset::tokens_deviation,
              "standard deviation of these, where samples are documents of many lengths")
              .between(0, 100000000));
    visit(key("documents", &Dataset::documents,
              "indexed: that its tokens come from; default: as many as samples")
              .between(1, 1000000000000000));
    visit(key("format", &Dataset::format,
              "indexed: tokens in .bin with .idx, of which any may be read; mds, webdataset, "
              "parquet: files that are read from start to end"));
  }
};

template <>
struct EnumNames<LoaderStyle> {
  static constexpr std::array<std::string_view, 2> names{"pytorch", "tensorflow"};
};

/// A storage benchmark that emulates training: it reads batches, sleeps for the time a GPU would
/// compute, and waits at a barrier. The data end in host memory.
struct Job : Entry {
  static constexpr std::string_view kKind = "job";
  Ref<Dataset> dataset;
  std::string accelerator;
  std::int64_t batch = 1;
  Seconds compute_time;
  Seconds epoch_start;
  LoaderStyle style = LoaderStyle::pytorch;
  std::int64_t read_threads = 1;
  std::int64_t prefetch = 2;
  std::int64_t epochs = 1;
  Ratio threshold;
  std::optional<std::int64_t> least_steps;
  std::optional<std::int64_t> memory_multiple;
  Seconds step_overhead;
  Ratio step_jitter{0.0};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("dataset", &Job::dataset, "what it reads").needed());
    visit(key("accelerator", &Job::accelerator, "the GPU that it emulates").needed());
    visit(
        key("batch", &Job::batch, "samples per accelerator and step").needed().between(1, 1000000));
    visit(key("compute_time", &Job::compute_time, "that it sleeps in every step")
              .needed()
              .defined()
              .between(0_s, 1_h));
    visit(key("epoch_start", &Job::epoch_start,
              "in every epoch until readers are at their pace, beside what they read at it")
              .between(0_s, 1_h));
    visit(key("style", &Job::style, "whose loader it uses"));
    visit(key("read_threads", &Job::read_threads, "of each accelerator").between(1, 1024));
    visit(
        key("prefetch", &Job::prefetch, "batches that the loader fetches ahead").between(1, 1024));
    visit(key("epochs", &Job::epochs, "passes over the data set").between(1, 1000000));
    visit(
        key("threshold", &Job::threshold, "accelerator utilization that a run must reach to count")
            .needed()
            .defined()
            .between(0_percent, 100_percent));
    visit(key("least_steps", &Job::least_steps,
              "the data set is at least so many steps of all accelerators long")
              .between(1, 1000000000));
    visit(key("memory_multiple", &Job::memory_multiple,
              "and at least so many times the host's memory large")
              .between(1, 1000000));
    visit(key("step_overhead", &Job::step_overhead, "host work of every step").between(0_s, 1_h));
    visit(key("step_jitter", &Job::step_jitter,
              "standard deviation of a step of an accelerator with a core to itself, as its share; "
              "where a core serves n of them, the root of n times as much. All wait for the "
              "slowest")
              .between(0_percent, 100_percent));
  }
};

}  // namespace gpufeed
