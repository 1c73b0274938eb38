// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/printable.h"
#include "sim/import/training/file.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

constexpr std::int64_t kUsualTokens = 4096, kUsualSteps = 1000;

template <class T>
std::string toml_of(const std::optional<T>& value) {
  return toml_value(*value);
}
template <class T>
std::string toml_of(const T& value) {
  return toml_value(value);
}

/// "key = value" of what is other than usual, a line each.
template <class T>
std::string lines_of(const T& table) {
  const T usual;
  std::string out;
  for_each_field<T>([&](const auto& field) {
    if (table.*field.member == usual.*field.member) return;
    out += fmt::format("{} = {}\n", field.name, toml_of(table.*field.member));
  });
  return out;
}

class Writer {
 public:
  Writer(const TrainingFile& file, const TrainingTarget& target)
      : file_(file),
        target_(target),
        nodes_(target.nodes.value_or(file.nodes.value_or(1))),
        tokens_(file.sequence.value_or(kUsualTokens)) {}

  std::string text() const {
    const std::string of =
        fmt::format("{}, a training file of {}", printable(file_.file), name_of(file_.format));
    std::string out = fmt::format("# {}, as a scenario by gpufeed import training.\n", of);
    if (!file_.not_taken.empty())
      out += fmt::format("# Not taken: {}\n",
                         printable(fmt::format("{}", fmt::join(file_.not_taken, ", "))));
    out += fmt::format("schema = 1\ntitle = {}\n", toml_string(printable(file_.file)));
    if (nodes_ > 1) out += fmt::format("nodes = {}\n", nodes_);
    out += fmt::format("system = {}\n{}\n[parallel]\n{}micro_batch = {}\n",
                       toml_string(target_.system), workload(), lines_of(file_.parallel),
                       micro_batch());
    if (file_.checkpoint_steps)
      out += fmt::format("\n[checkpoint]\ninterval_steps = {}\n", *file_.checkpoint_steps);
    out += "\n[loader]\n# tokens are stored as numbers\ndecode = \"none\"\n";
    return target_.at ? out + fmt::format("\n[data]\nat = {}\n", toml_string(*target_.at)) : out;
  }

 private:
  std::int64_t micro_batch() const { return file_.micro_batch.value_or(1); }

  /// Of all GPUs in a step: as the file says, or as many as its replicas take.
  std::int64_t global_batch() const {
    if (file_.global_batch) return *file_.global_batch;
    const Parallel& split = file_.parallel;
    const std::int64_t replicas = std::max<std::int64_t>(
        1, nodes_ * target_.gpus / (split.tensor * split.pipeline * split.context));
    return replicas * micro_batch() * file_.accumulate.value_or(1);
  }

  std::string workload() const {
    const std::int64_t samples = global_batch() * file_.steps.value_or(kUsualSteps);
    std::string out = "\n[workload]\nkind = \"training\"\n";
    if (!by_sizes()) out += fmt::format("model = {}\n", toml_string(model()));
    out += fmt::format("precision = {}\noptimizer = {}\nsequence = {}\n",
                       toml_string(file_.precision), toml_value(file_.optimizer), tokens_);
    if (file_.offload_optimizer) out += "offload_optimizer = true\n";
    out += fmt::format("# of all GPUs together{}\nglobal_batch = {}\n",
                       file_.global_batch ? "" : ", as many as fill them once", global_batch());
    out += fmt::format("# {} steps\nsamples = {}\n", file_.steps.value_or(kUsualSteps), samples);
    if (file_.recompute != Recompute::none)
      out += fmt::format("recompute = {}\n", toml_value(file_.recompute));
    if (file_.compile) out += "compile = true\n";
    out += fmt::format(
        "\n# as many tokens as are trained on, in 32 bits: put your own here\n[workload.dataset]\n"
        "title = \"tokens\"\nsource = \"to be replaced\"\nbasis = \"estimate\"\nsamples = {}\n"
        "sample_size = \"{} B\"\nsamples_per_file = {}\ndecode_time = \"0 s\"\n",
        samples, 4 * tokens_, std::clamp<std::int64_t>(samples / 100, 1, 100000));
    if (!by_sizes()) return out;
    return out + fmt::format(
                     "\n[workload.model]\ntitle = {0}\nsource = {0}\nbasis = \"datasheet\"\n"
                     "class = \"attention\"\ntokens = {1}\ntakes = \"text\"\n\n"
                     "[workload.model.architecture]\n{2}",
                     toml_string("the model of " + printable(file_.file)), tokens_,
                     lines_of(*file_.architecture));
  }

  bool by_sizes() const { return !target_.model && file_.architecture; }

  std::string model() const {
    if (target_.model) return *target_.model;
    if (!file_.model.empty()) return file_.model;
    throw InputError({{{file_.file, 0, 0},
                       fmt::format("a file of {} that names no model; give --model, such as "
                                   "llama-3.1-8b: gpufeed catalog list model names those known",
                                   name_of(file_.format))}});
  }

  const TrainingFile& file_;
  const TrainingTarget& target_;
  std::int64_t nodes_;
  std::int64_t tokens_;
};

}  // namespace

std::string training_scenario(const TrainingFile& file, const TrainingTarget& target) {
  return Writer(file, target).text();
}

}  // namespace gpufeed
