// SPDX-License-Identifier: Apache-2.0
// The law's constants, fitted anew without each source, which is then predicted.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "sim/model/transformer/step.h"
#include "tests/support/language_models.h"

namespace gpufeed::language_models {
namespace {

/// A constant of the catalog's law, and by what it is multiplied.
struct Constant {
  std::string_view name;
  void (*multiply)(TransformerLibrary& library, Gpu& gpu, double times);
};
template <Ratio TransformerLibrary::*Member>
void of_library(TransformerLibrary& library, Gpu&, double times) {
  (library.*Member).value *= times;
}
constexpr std::array<Constant, 10> kConstants{{
    {"flash_1", of_library<&TransformerLibrary::flash_1>},
    {"flash_2", of_library<&TransformerLibrary::flash_2>},
    {"passes", of_library<&TransformerLibrary::passes>},
    {"eager_passes", of_library<&TransformerLibrary::eager_passes>},
    {"quantize_passes", of_library<&TransformerLibrary::quantize_passes>},
    {"unfused_experts", of_library<&TransformerLibrary::unfused_experts>},
    {"launch", [](TransformerLibrary& library, Gpu&,
                  double times) { library.launch = library.launch * times; }},
    {"contention", of_library<&TransformerLibrary::contention>},
    {"overlapped_tensor", of_library<&TransformerLibrary::overlapped_tensor>},
    {"sustained_share",  // of GPUs whose power limits their clock
     [](TransformerLibrary&, Gpu& gpu, double times) {
       if (gpu.sustained_share.value < 1) gpu.sustained_share.value *= times;
     }},
}};
using Factors = std::array<double, kConstants.size()>;

/// A row whose constants may be other.
class Case {
 public:
  explicit Case(const Scored& of) : of_(of), job_(of.job) {
    library_ = std::make_shared<TransformerLibrary>(of.job.library());
    job_.gpu.transformers->entry = library_;
  }

  /// ln(predicted / measured).
  double error(const Factors& factors) {
    *library_ = of_.job.library();
    job_.gpu.sustained_share = of_.job.gpu.sustained_share;
    for (std::size_t i = 0; i < factors.size(); ++i)
      kConstants[i].multiply(*library_, job_.gpu, factors[i]);
    return std::log(tokens_per_gpu(job_) / of_.slowness / of_.row.measured);
  }
  const Scored& row() const { return of_; }

 private:
  const Scored& of_;
  TransformerJob job_;
  std::shared_ptr<TransformerLibrary> library_;
};

/// Rows of which the law may learn: decoders of eight GPUs and more and vTrain's, reinforcement
/// learning apart. A source counts as the root of its rows.
class Fit {
 public:
  explicit Fit(const std::string& without) {
    std::map<std::string, double> count;
    for (const Scored& one : known())
      if (one.row.source != without) {
        cases_.emplace_back(one);
        count[one.row.source] += 1;
      }
    for (const Case& one : cases_) weight_.push_back(1 / std::sqrt(count[one.row().row.source]));
  }

  /// Each constant in turn, in smaller and smaller steps.
  Factors best() {
    Factors at;
    at.fill(1);
    double least = loss(at);
    for (double step = 1.25; step > 1.01; step = std::sqrt(step))
      for (std::size_t i = 0; i < at.size(); ++i)
        for (const double times : {step, 1 / step})
          for (;;) {
            Factors next = at;
            next[i] *= times;
            if (next[i] > 4 || next[i] < 0.25) break;
            const double found = loss(next);
            if (found >= least) break;
            least = found;
            at = next;
          }
    return at;
  }

 private:
  double loss(const Factors& factors) {
    double sum = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i)
      sum += weight_[i] * std::abs(cases_[i].error(factors));
    return sum;
  }

  std::vector<Case> cases_;
  std::vector<double> weight_;
};

std::string told(const Factors& factors) {
  std::string out;
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (factors[i] != 1) out += fmt::format(" {} x {:.2f}", kConstants[i].name, factors[i]);
  return out;
}

}  // namespace

TEST_CASE("language models: each source by constants that it has not fed") {
  std::set<std::string> sources;
  for (const Scored& one : known()) sources.insert(one.row.source);
  std::vector<std::pair<const Scored*, double>> errors;
  std::string out;
  for (const std::string& source : sources) {
    const Factors factors = Fit(source).best();
    Errors of_source;
    for (const Scored& one : known()) {
      if (one.row.source != source) continue;
      const double error = std::abs(std::expm1(Case(one).error(factors)));
      of_source.own.push_back(error);
      of_source.rule.push_back(one.by_rule());
      errors.emplace_back(&one, error);
    }
    out += line(source, of_source) + "   " + told(factors) + "\n";
  }
  const auto of = [&](const auto& is) {
    Errors some;
    for (const auto& [row, error] : errors)
      if (is(*row)) {
        some.own.push_back(error);
        some.rule.push_back(row->by_rule());
      }
    return some;
  };
  const Errors dense = of(is_dense), experts = of(has_experts);
  const Errors quantized = of([](const Scored& one) { return is_dense(one) && is_quantized(one); });
  // VectorLM's moved the clock of A100 by less than a percent.
  const auto is_lora = [](const Scored& one) {
    return one.job.training.lora && !is_reinforced(one);
  };
  Errors lora = of(is_lora);
  const Errors of_fresh = language_models::errors(fresh(), is_lora);
  lora.own.insert(lora.own.end(), of_fresh.own.begin(), of_fresh.own.end());
  lora.rule.insert(lora.rule.end(), of_fresh.rule.begin(), of_fresh.rule.end());
  const auto on_nodes = [](const Scored& one, bool several) {
    return is_dense(one) && (one.job.gpus > one.job.ways.node_gpus) == several;
  };
  const Errors node = of([&](const Scored& one) { return on_nodes(one, false); });
  const Errors nodes = of([&](const Scored& one) { return on_nodes(one, true); });
  const Errors split = of([](const Scored& one) { return is_dense(one) && is_split(one); });
  MESSAGE("\n"
          << out << line("dense, 8 GPUs and more", dense) << line("  one node", node)
          << line("  several nodes", nodes) << line("  tensor and pipeline", split)
          << line("8 and 4 bits", quantized) << line("experts", experts) << line("LoRA", lora)
          << "all:" << told(Fit("").best()));
  CHECK(dense.mean() <= 0.13);
  CHECK(dense.at(0.5) <= 0.09);
  CHECK(dense.at(0.95) <= 0.35);
  CHECK(2 * node.mean() <= node.mean_of_rule());
  CHECK(nodes.mean() < nodes.mean_of_rule());
  CHECK(quantized.at(0.5) <= 0.15);
  CHECK(experts.at(0.5) <= 0.20);
  CHECK(lora.at(0.5) <= 0.15);
}

}  // namespace gpufeed::language_models
