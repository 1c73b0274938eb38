// SPDX-License-Identifier: Apache-2.0
// How far off estimated steps are: each step that somebody measured, estimated as if nobody had.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

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
        if (!line || !line->outside.empty()) return;
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
