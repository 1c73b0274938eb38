// SPDX-License-Identifier: Apache-2.0
#include "sim/model/step_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "sim/base/numbers/statistics.h"
#include "sim/model/gpu_memory.h"

namespace gpufeed {
namespace {

constexpr double kFlopPerMultiplyAdd = 2;
constexpr double kTransfersPerForward = 2;  ///< each activation is written and read

/// The format in which most is computed and kept, as far as peaks and sizes go: mixed precision
/// keeps only weights and sums in FP32.
std::string_view format_class(std::string_view precision) {
  return precision == "bf16" || precision == "mixed" ? "fp16" : precision;
}

double depthwise_share(const Gpu& gpu) {
  return gpu.depthwise_share.value_or(Gpu::kDepthwiseShare).value;
}

double depthwise_flop(const Model& model) {
  return kForwardsPerStep * kFlopPerMultiplyAdd *
         static_cast<double>(model.depthwise_multiply_adds.value_or(0));
}

std::optional<double> training_bytes(const Model& model, std::string_view precision) {
  if (!model.activation_size) return {};
  return kForwardsPerStep * kTransfersPerForward * model.activation_size->value *
         bytes_per_number(format_class(precision)) / bytes_per_number("fp32");
}

double step_s(const ComputeRow& row) { return static_cast<double>(row.batch) / row.rate.value; }

/// t0 over the time of one sample; nothing where noise makes one of both negative.
std::optional<double> start_of(const ComputeRow& low, const ComputeRow& high) {
  const auto batch = static_cast<double>(low.batch);
  const double slope = (step_s(high) - step_s(low)) / static_cast<double>(high.batch - low.batch);
  const double start = step_s(low) - slope * batch;
  if (slope <= 0 || start < 0) return {};
  return start / slope;
}

/// Those of GPUs that have several batches.
std::vector<MeasuredRate> with_several_batches(const std::vector<MeasuredRate>& rates) {
  std::vector<MeasuredRate> out;
  std::ranges::copy_if(rates, std::back_inserter(out), [&](const MeasuredRate& one) {
    return std::ranges::any_of(rates, [&](const MeasuredRate& other) {
      return other.row->gpu.name == one.row->gpu.name && other.row->batch != one.row->batch;
    });
  });
  return out;
}

/// "resnet-50 on k80, p100": models and GPUs of rates, each once.
std::string names_of(const std::vector<MeasuredRate>& rates) {
  std::vector<std::string> models, gpus;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (!std::ranges::count(names, name)) names.push_back(name);
  };
  for (const auto& rate : rates) {
    note(models, rate.model->name);
    note(gpus, rate.row->gpu.name);
  }
  constexpr std::size_t kReadable = 2;
  return fmt::format("{} on {}",
                     models.size() > kReadable ? fmt::format("{} other models", models.size())
                                               : fmt::format("{}", fmt::join(models, ", ")),
                     fmt::join(gpus, ", "));
}

std::string percent(double part) { return text_number(100 * part, 2); }

}  // namespace

std::optional<double> training_flop(const Model& model) {
  if (!model.multiply_adds) return {};
  return kForwardsPerStep * kFlopPerMultiplyAdd * static_cast<double>(*model.multiply_adds);
}

std::optional<FlopRate> peak_rate(const Gpu& gpu, std::string_view precision) {
  static const std::map<std::string_view, std::optional<FlopRate> Gpu::*> peaks{
      {"fp64", &Gpu::peak_fp64}, {"fp32", &Gpu::peak_fp32},  {"tf32", &Gpu::peak_tf32},
      {"fp16", &Gpu::peak_fp16}, {"mixed", &Gpu::peak_fp16}, {"bf16", &Gpu::peak_bf16},
      {"fp8", &Gpu::peak_fp8}};
  const auto it = peaks.find(precision);
  return it == peaks.end() ? std::nullopt : gpu.*(it->second);
}

std::optional<Seconds> roof_time(const Model& model, const Gpu& gpu, std::string_view precision) {
  const auto flop = training_flop(model);
  const auto peak = peak_rate(gpu, precision);
  if (!flop || !peak) return {};
  const double depthwise = gpu.peak_fp32 ? depthwise_flop(model) : 0;
  Seconds time{(*flop - depthwise) / peak->value};
  if (depthwise > 0) time += Seconds{depthwise / (depthwise_share(gpu) * gpu.peak_fp32->value)};
  if (const auto bytes = training_bytes(model, precision); bytes && gpu.memory_bandwidth)
    time += Bytes{*bytes} / *gpu.memory_bandwidth;
  return time;
}

std::optional<NetworkClass> class_of(const Model& model) {
  if (model.network_class) return model.network_class;
  const auto any = [&](auto&& is) { return std::ranges::any_of(model.layers, is); };
  const auto is_conv = [](const Layer& layer) { return layer.kind == LayerKind::conv; };
  if (any([](const Layer& layer) {
        return layer.kind == LayerKind::attention || layer.kind == LayerKind::transformer;
      }))
    return NetworkClass::attention;
  if (any(is_depthwise)) return NetworkClass::depthwise;
  if (any([&](const Layer& layer) { return is_conv(layer) && layer.depth.value_or(1) > 1; }))
    return NetworkClass::volumes;
  if (!any(is_conv)) return {};
  constexpr double kMostly = 0.7;
  double all = 0;
  double wide = 0;
  for (const Layer& layer : model.layers) {
    const double products = count_layer(layer).multiply_adds;
    all += products;
    if (is_conv(layer) && layer.kernel.value_or(1) > 1) wide += products;
  }
  return wide > kMostly * all ? NetworkClass::convolution : NetworkClass::bottleneck;
}

bool can_teach(const Model& model, const ComputeRow& row, std::string_view precision) {
  return (row.basis == Basis::measured || row.basis == Basis::calibrated) && row.includes.empty() &&
         row.gpu && format_class(row.precision) == format_class(precision) &&
         roof_time(model, *row.gpu, row.precision).has_value();
}

bool can_teach_others(const Model& model) {
  return model.activation_size && model.provenance_of("multiply_adds").basis != Basis::estimate;
}

double start_in_samples(const std::vector<MeasuredRate>& rates) {
  std::map<std::string, std::map<std::int64_t, const ComputeRow*>> by_gpu;
  for (const auto& rate : with_several_batches(rates))
    by_gpu[rate.row->gpu.name][rate.row->batch] = rate.row;
  std::vector<double> starts;
  for (const auto& [gpu, rows] : by_gpu)
    if (const auto start = start_of(*rows.begin()->second, *rows.rbegin()->second))
      starts.push_back(*start);
  return median(std::move(starts));
}

namespace {

/// t0 where only the framework's is known: a measured step has room for it.
Seconds start_within(const ComputeRow& row, Seconds start) {
  constexpr double kMost = 0.5;
  return std::min(start, Seconds{step_s(row) * kMost});
}

/// What t0 is known to be: in samples of the same model, else the framework's.
struct Start {
  double samples = 0;
  Seconds time;

  Seconds in(const ComputeRow& row) const {
    if (samples == 0) return start_within(row, time);
    return {step_s(row) * samples / (static_cast<double>(row.batch) + samples)};
  }
};

/// What a rate attains of its roof after t0.
double attained(const MeasuredRate& rate, const Start& start) {
  const ComputeRow& row = *rate.row;
  return roof_time(*rate.model, *row.gpu, row.precision)->value * static_cast<double>(row.batch) /
         (step_s(row) - start.in(row).value);
}

std::vector<MeasuredRate> on_gpu(const std::vector<MeasuredRate>& rates, const std::string& gpu) {
  std::vector<MeasuredRate> out;
  std::ranges::copy_if(rates, std::back_inserter(out),
                       [&](const MeasuredRate& rate) { return rate.row->gpu.name == gpu; });
  return out;
}

/// What `gpu` attains over what `teacher` attains, each time at the same model and batch; models of
/// this class.
std::vector<double> compared(const std::string& gpu, const std::string& teacher,
                             const std::vector<MeasuredRate>& others,
                             std::optional<NetworkClass> wanted, const Start& start) {
  std::vector<double> ratios;
  const auto taught = on_gpu(others, teacher);
  for (const auto& here : on_gpu(others, gpu))
    for (const auto& there : taught)
      if (here.model == there.model && here.row->batch == there.row->batch &&
          class_of(*here.model) == wanted)
        ratios.push_back(attained(here, start) / attained(there, start));
  return ratios;
}

/// What rates attain, and what to say of them.
struct Lesson {
  std::vector<MeasuredRate> rates;
  std::vector<double> attained;  ///< by each of them
  Start start;
  std::string from;
  std::vector<Beyond> beyond;

  /// Networks count alike, however often each was measured. Libraries are at their best with what
  /// is measured often: of what nobody measured, the lower quartile is expected.
  double typical() const {
    std::map<const Model*, std::vector<double>> by_model;
    for (std::size_t i = 0; i < rates.size(); ++i) by_model[rates[i].model].push_back(attained[i]);
    std::vector<double> medians;
    medians.reserve(by_model.size());
    for (const auto& [model, values] : by_model) medians.push_back(median(values));
    return beyond.empty() ? median(medians) : quantile(medians, 0.25);
  }
};

Lesson lesson_of(const std::vector<MeasuredRate>& rates, const Start& start) {
  Lesson out{rates, {}, start, names_of(rates), {}};
  for (const auto& rate : rates) out.attained.push_back(attained(rate, start));
  return out;
}

Lesson of_same_model(const std::string& gpu, const std::vector<MeasuredRate>& own,
                     const std::vector<MeasuredRate>& others, Seconds start) {
  Lesson out = lesson_of(own, {start_in_samples(own), start});
  bool corrected = false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto ratios =
        compared(gpu, own[i].row->gpu.name, others, class_of(*own[i].model), {0, start});
    if (ratios.empty()) continue;
    out.attained[i] *= median(ratios);
    corrected = true;
  }
  if (corrected) out.from += fmt::format(", corrected by how other models fare on {}", gpu);
  return out;
}

bool is_convolutional(const Model& model) {
  const auto one = class_of(model);
  return one == NetworkClass::convolution || one == NetworkClass::bottleneck ||
         one == NetworkClass::branches || one == NetworkClass::detection ||
         (one == NetworkClass::depthwise && model.depthwise_multiply_adds);
}

/// Which class teaches one of which nothing was measured: branches hold many convolutions of 1 x 1.
std::optional<NetworkClass> nearest(NetworkClass one) {
  if (one == NetworkClass::branches) return NetworkClass::bottleneck;
  return {};
}

template <class Is>
std::vector<MeasuredRate> of_models(const std::vector<MeasuredRate>& rates, const Is& is) {
  std::vector<MeasuredRate> out;
  std::ranges::copy_if(rates, std::back_inserter(out),
                       [&](const MeasuredRate& rate) { return is(*rate.model); });
  return out;
}

std::size_t count_models(const std::vector<MeasuredRate>& rates) {
  std::set<const Model*> models;
  for (const auto& rate : rates) models.insert(rate.model);
  return models.size();
}

/// Of networks of its class, those on this GPU where there are several; else of the nearest
/// classes.
Lesson of_others(const Model& model, const std::string& gpu,
                 const std::vector<MeasuredRate>& others, Seconds start) {
  const Start from{0, start};
  const auto wanted = class_of(model);
  if (wanted) {
    for (auto as = wanted; as; as = nearest(*as)) {
      const auto alike = of_models(others, [&](const Model& one) { return class_of(one) == as; });
      const auto here = on_gpu(alike, gpu);
      if (count_models(here) > 1) return lesson_of(here, from);
      if (!alike.empty()) return lesson_of(alike, from);
    }
    const auto related = of_models(others, is_convolutional);
    if (is_convolutional(model) && !related.empty()) return lesson_of(related, from);
  }
  Lesson out = lesson_of(others, from);
  out.beyond = {wanted ? Beyond::class_unmeasured : Beyond::class_unknown};
  return out;
}

/// "23.4 GFLOP a sample at 4.29 TFLOP/s and 618 MB at 288 GB/s".
std::string roof_in_words(const Model& model, const Gpu& gpu, std::string_view precision) {
  std::string out =
      fmt::format("{} GFLOP a sample at {}", text_number(*training_flop(model) / 1e9, 3),
                  text(*peak_rate(gpu, precision), 3));
  if (const double flop = depthwise_flop(model); flop > 0 && gpu.peak_fp32)
    out += fmt::format(", {} of them of single channels at {} % of {}", text_number(flop / 1e9, 3),
                       percent(depthwise_share(gpu)), text(*gpu.peak_fp32, 3));
  if (const auto bytes = training_bytes(model, precision); bytes && gpu.memory_bandwidth)
    out += fmt::format(" and {} at {}", text(Bytes{*bytes}, 3), text(*gpu.memory_bandwidth, 3));
  return out;
}

std::string explain(const Lesson& lesson) {
  const auto [low, high] = std::ranges::minmax(lesson.attained);
  const std::string known = lesson.attained.size() == 1
                                ? "one measured rate"
                                : fmt::format("the {} of {} measured rates ({} to {} %)",
                                              lesson.beyond.empty() ? "median" : "lower quartile",
                                              lesson.attained.size(), percent(low), percent(high));
  return fmt::format("of which it attains {} %: {} of {}", percent(lesson.typical()), known,
                     lesson.from);
}

}  // namespace

std::optional<StepLine> estimate_step(const Model& model, const Ref<Gpu>& gpu,
                                      std::string_view precision,
                                      const std::vector<MeasuredRate>& own,
                                      const std::vector<MeasuredRate>& others, Seconds start) {
  const auto roof = roof_time(model, *gpu, precision);
  if (!roof || (own.empty() && others.empty())) return {};
  Lesson lesson = own.empty() ? of_others(model, gpu.name, others, start)
                              : of_same_model(gpu.name, own, others, start);
  Likeness likeness = lesson.beyond.empty() ? Likeness::alike : Likeness::unlike;
  if (lesson.beyond.empty() && own.empty() && !model.activation_size)
    lesson.beyond = {Beyond::activations_unknown};
  if (lesson.beyond.empty() && own.empty() && class_of(model) == NetworkClass::depthwise &&
      !model.depthwise_multiply_adds)
    lesson.beyond = {Beyond::depthwise_unknown};
  if (!lesson.beyond.empty()) likeness = std::max(likeness, Likeness::facts_missing);
  const Seconds per_sample = *roof * (1 / lesson.typical());
  const Start& known = lesson.start;
  return StepLine{
      gpu.name,      known.samples > 0 ? per_sample * known.samples : known.time,
      per_sample,    fmt::format("{}, {}", roof_in_words(model, *gpu, precision), explain(lesson)),
      lesson.beyond, {},
      likeness};
}

std::optional<StepLine> line_through(const ComputeRow& row, const std::vector<MeasuredRate>& rates,
                                     Seconds start) {
  const Start known{start_in_samples(rates), start};
  const Seconds first = known.in(row);
  if (first.value == 0) return {};
  const Seconds per_sample{(step_s(row) - first.value) / static_cast<double>(row.batch)};
  return StepLine{
      row.gpu.name,
      first,
      per_sample,
      known.samples > 0
          ? fmt::format("from how the step grows for {}", names_of(with_several_batches(rates)))
          : fmt::format("with {} of every step that no batch shortens", text(first, 3)),
      {}};
}

}  // namespace gpufeed
