// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/catalog/products.h"
#include "sim/model/kinds/step_line.h"

namespace gpufeed {

/// FLOP of a training step for one sample: two for each multiply-add, forward, and twice as many
/// backward. Nothing where the model does not say.
std::optional<double> training_flop(const Model& model);

/// What the GPU's entry says of a number format.
std::optional<FlopRate> peak_rate(const Gpu& gpu, std::string_view precision);

/// Least time of a training step for one sample, by the GPU's peaks:
///   FLOP / peak + depthwise FLOP / (7 % of the peak in fp32) + bytes / memory bandwidth
/// where activations are written once and read once forward, and twice as often backward. The
/// three add up: products and convolutions are kernels of their own, beside those that only pass
/// over activations (norms, activation functions, sums). Convolutions of each channel by itself
/// have nothing to share among channels: they run on general cores, in whatever format. Where model
/// or GPU do not say, a term is left out.
/// \return nothing where FLOP or peak are not known
std::optional<Seconds> roof_time(const Model& model, const Gpu& gpu, std::string_view precision);

/// The model's class: what it says, else by its layers (attention, channels by themselves, three
/// dimensions, convolutions, in this order; of the last, convolution where more than 70 % of the
/// multiply-adds are those of kernels wider than 1); nothing where neither tells.
std::optional<NetworkClass> class_of(const Model& model);

/// A training rate that somebody measured, to learn from.
struct MeasuredRate {
  const Model* model;
  const ComputeRow* row;
};

/// Forward passes that take as long as a training step: one forward, two backward, for inputs and
/// weights.
inline constexpr double kForwardsPerStep = 3;

/// Whether a row tells how fast computing alone is: measured or calibrated, without anything
/// included, on a GPU and a model whose roof is known. fp16, bf16 and mixed teach one another.
bool can_teach(const Model& model, const ComputeRow& row, std::string_view precision);

/// Whether its rates tell anything of other models: not where its own work is only an estimate, or
/// its activations are not known.
bool can_teach_others(const Model& model);

/// t0 of a step, in samples that would take as long: for each GPU on which `rates` have several
/// batches, of the line through the smallest and the largest; the median over GPUs. 0 where no GPU
/// has several. GPUs differ in speed, and t0 is taken to differ with it.
double start_in_samples(const std::vector<MeasuredRate>& rates);

/// Step of `model` on `gpu`: t = t0 + b x roof_time / e, where e is what rates attain of their own
/// roof: the median over networks of each one's median. It may exceed 1: libraries know algorithms
/// for convolutions that need fewer multiply-adds than the definition.
/// The rates are those of the model on other GPUs, each times what `gpu` attains over what the
/// row's GPU attains: the median over other models of the class measured at the same batch on both,
/// else 1.
/// Without any, those of other models of its class: on this GPU where two or more were measured
/// there, else on all. Convolution, bottleneck, detection and depthwise stand for one another, the
/// last only where the network says its depthwise_multiply_adds. Without any, of all models the
/// lower quartile, and the line says that estimates were not seen for this. Where rates of the same
/// model do not tell t0, it is the framework's, at most half of each measured step.
/// \param own     rates of the same model on other GPUs
/// \param others  rates of other models
/// \param start   t0 of the framework
/// \return nothing where there are no rates, or no roof is known
std::optional<StepLine> estimate_step(const Model& model, const Ref<Gpu>& gpu,
                                      std::string_view precision,
                                      const std::vector<MeasuredRate>& own,
                                      const std::vector<MeasuredRate>& others, Seconds start);

/// The line through the one rate that is known on a GPU, with t0 from `rates` of the same model on
/// other GPUs, else that of the framework, `start`, at most half of the measured step.
/// \return nothing where neither tells
std::optional<StepLine> line_through(const ComputeRow& row, const std::vector<MeasuredRate>& rates,
                                     Seconds start);

}  // namespace gpufeed
