// SPDX-License-Identifier: Apache-2.0
// How far off estimated steps are: each step that somebody measured, estimated as if nobody had.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "sim/base/numbers/statistics.h"
#include "sim/load/read/reader.h"
#include "sim/model/catalog/products.h"
#include "sim/model/step_estimate.h"
#include "sim/range/deviations.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

std::vector<std::shared_ptr<const Model>> all_models() {
  Diagnostics problems;
  Reader reader(own_catalog(), "", problems);
  std::vector<std::shared_ptr<const Model>> models;
  for (const auto& name : own_catalog().names(Model::kKind))
    models.push_back(reader.entry_of<Model>(*own_catalog().find(Model::kKind, name)));
  REQUIRE(problems.empty());
  return models;
}

constexpr Seconds kStart{0.01};  ///< of PyTorch

/// Rates that teach in a precision, of `model` beside those on `gpu`, or of all other models.
std::vector<MeasuredRate> rates(const std::vector<std::shared_ptr<const Model>>& models,
                                const Model& model, bool own, const std::string& gpu,
                                const std::string& precision) {
  std::vector<MeasuredRate> out;
  for (const auto& one : models)
    for (const auto& row : one->compute)
      if (own == (one.get() == &model) && (!own || row.gpu.name != gpu) &&
          (own || can_teach_others(*one)) && can_teach(*one, row, precision))
        out.push_back({one.get(), &row});
  return out;
}

/// "resnet" of "resnet-50", so that ResNet-152 tells nothing of it.
std::string family(const Model& model) { return model.name.substr(0, model.name.find('-')); }

/// Logarithms of estimated over measured steps, one for each model, GPU and precision, of the
/// largest batch: from rates of the model elsewhere, and as if the model were new.
std::vector<double> errors() {
  const auto models = all_models();
  std::vector<double> out;
  for (const auto& model : models) {
    std::map<std::pair<std::string, std::string>, const ComputeRow*> largest;
    for (const auto& row : model->compute)
      if (can_teach_others(*model) && can_teach(*model, row, row.precision)) {
        const ComputeRow*& slot = largest[{row.gpu.name, row.precision}];
        if (!slot || slot->batch < row.batch) slot = &row;
      }
    for (const auto& [where, row] : largest) {
      const auto own = rates(models, *model, true, where.first, where.second);
      auto others = rates(models, *model, false, where.first, where.second);
      const auto add = [&, row = row](const std::vector<MeasuredRate>& of_model) {
        const auto line = estimate_step(*model, row->gpu, row->precision, of_model, others, kStart);
        if (!line || !line->beyond.empty()) return;
        const auto batch = static_cast<double>(row->batch);
        const double step = line->start.value + batch * line->per_sample.value;
        out.push_back(std::log(step * row->rate.value / batch));
      };
      if (!own.empty()) add(own);
      std::erase_if(others, [&](const auto& one) { return family(*one.model) == family(*model); });
      add({});
    }
  }
  return out;
}

/// Of each generation of GPUs and format, ln of estimated over measured steps of all rates, as if
/// nothing had been measured on that generation.
std::map<std::pair<std::string, std::string>, std::vector<double>> errors_of_generations() {
  const auto models = all_models();
  std::map<std::pair<std::string, std::string>, std::vector<double>> out;
  for (const auto& model : models)
    for (const auto& row : model->compute) {
      if (!can_teach_others(*model) || !can_teach(*model, row, row.precision)) continue;
      std::vector<MeasuredRate> own, others;
      for (const auto& one : models)
        for (const auto& known : one->compute)
          if (can_teach(*one, known, row.precision) &&
              known.gpu->generation != row.gpu->generation && can_teach_others(*one))
            (one == model ? own : others).push_back({one.get(), &known});
      const auto line = estimate_step(*model, row.gpu, row.precision, own, others, kStart);
      if (!line) continue;
      const auto batch = static_cast<double>(row.batch);
      const double step = line->start.value + batch * line->per_sample.value;
      out[{text(*row.gpu->generation),
           row.precision == "mixed" || row.precision == "bf16" ? "fp16" : row.precision}]
          .push_back(std::log(step * row.rate.value / batch));
    }
  return out;
}

}  // namespace

TEST_CASE("eight of ten estimated steps lie as near as their deviation says") {
  const auto all = errors();
  REQUIRE(all.size() >= 20);
  const double within = 1.2816 * deviation_of(Basis::estimate, Measurand::compute);
  const auto near = std::ranges::count_if(all, [&](double e) { return std::abs(e) <= within; });
  std::vector<double> sizes;
  for (const double e : all) sizes.push_back(std::abs(e));
  std::ranges::sort(sizes);
  MESSAGE("80 % of ", all.size(), " estimated steps lie within a logarithm of ",
          sizes[sizes.size() * 8 / 10]);
  const double share = static_cast<double>(near) / static_cast<double>(all.size());
  CHECK(share >= 0.73);
  CHECK(share <= 0.90);
}

// deviation^2 = that of GPUs like those that were measured ^2 + (q g)^2: one generation lies beyond
// the newest that was measured (Hopper, then Blackwell); it shifts by g, the root mean square of
// what whole generations, by format, were off by. Student's t of as many shifts as generations were
// measured, five: q = t / z at 90 %. A generation of which one rate is known in a format tells
// none.
TEST_CASE("how far off steps on a new generation of GPUs may be follows from those left out") {
  const auto errors = errors_of_generations();
  double squares = 0, shifts = 0, far = 0, all = 0;
  const double deviation = deviation_of(Basis::estimate, Measurand::new_gpu);
  for (const auto& [where, logs] : errors) {
    MESSAGE(where.first, " in ", where.second, ": ", logs.size(), " rates, ", median(logs));
    if (logs.size() > 1) squares += median(logs) * median(logs);
    if (logs.size() > 1) ++shifts;
    for (const double log : logs) far += std::abs(log) > 1.2816 * deviation ? 1 : 0;
    all += static_cast<double>(logs.size());
  }
  REQUIRE(shifts == 8);
  const double shift = std::sqrt(squares / shifts);
  const double within = deviation_of(Basis::estimate, Measurand::compute);
  const double told = std::hypot(within, 1.476 / 1.2816 * shift);
  CAPTURE(shift);
  CAPTURE(told);
  CHECK(std::abs(told - deviation) < 0.01);
  CHECK(far / all < 0.2);  // from 10 to 90 %
}
