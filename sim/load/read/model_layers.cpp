// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/model_layers.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/nearest.h"

namespace gpufeed {
namespace {

struct KindKeys {
  Names needed;
  Names allowed;
};

const KindKeys& keys_of(LayerKind kind) {
  static const std::map<LayerKind, KindKeys> keys{
      {LayerKind::conv,
       {{"inputs", "outputs", "kernel", "width"},
        {"kernel_height", "kernel_depth", "height", "depth", "groups", "bias", "norm"}}},
      {LayerKind::dense, {{"inputs", "outputs"}, {"sequence", "bias", "norm", "shared"}}},
      {LayerKind::attention, {{"hidden", "sequence"}, {"heads", "bias"}}},
      {LayerKind::transformer, {{"hidden", "sequence"}, {"heads", "inner", "bias"}}},
      {LayerKind::embedding, {{"entries", "hidden"}, {"sequence", "shared"}}},
      {LayerKind::norm, {{"outputs"}, {"width", "height", "depth", "sequence"}}},
      {LayerKind::pool, {{"outputs", "width"}, {"height", "depth"}}}};
  return keys.at(kind);
}

class LayerChecker {
 public:
  LayerChecker(const Layer& layer, std::string place, Diagnostics& out)
      : layer_(layer), place_(std::move(place)), keys_(keys_of(layer.kind)), out_(out) {}

  void check() {
    for_each_member(layer_, [&](const auto& rule, const auto& value) {
      if constexpr (requires { value.has_value(); }) check_key(rule.name, value.has_value());
    });
    const auto groups = layer_.groups.value_or(1);
    if (layer_.inputs.value_or(0) % groups != 0 || layer_.outputs.value_or(0) % groups != 0)
      out_.error(ProblemCode::out_of_range, layer_.where,
                 "{}: {} groups must divide the inputs and the outputs", place_, groups);
  }

 private:
  void check_key(std::string_view key, bool given) {
    const bool needed = std::ranges::count(keys_.needed, key) > 0;
    if (needed && !given)
      out_.error(ProblemCode::missing_key, layer_.where,
                 "{}: \"{}\" is missing; kind = \"{}\" needs it", place_, key,
                 name_of(layer_.kind));
    if (given && !needed && !std::ranges::count(keys_.allowed, key))
      out_.error(ProblemCode::idle_key, layer_.where, "{}: kind = \"{}\" has no {}; leave it out",
                 place_, name_of(layer_.kind), key);
  }

  const Layer& layer_;
  const std::string place_;
  const KindKeys& keys_;
  Diagnostics& out_;
};

/// What is a part of something is at most all of it.
void check_parts(const Model& model, const std::string& dot, const Location& where,
                 Diagnostics& out) {
  const auto check = [&](std::string_view part, const Layer::Count& of_it, std::string_view whole,
                         std::int64_t all) {
    if (of_it.value_or(0) > all)
      out.error(ProblemCode::out_of_range, where, "{}{}: {} are more than its {} of {}", dot, part,
                text_number(static_cast<double>(*of_it)), whole,
                text_number(static_cast<double>(all)));
  };
  check("depthwise_multiply_adds", model.depthwise_multiply_adds, "multiply_adds",
        model.multiply_adds.value_or(0));
  check("late_parameters", model.late_parameters, "parameters", model.parameters);
}

/// Its parts in the order of the backward pass are all of it.
void check_backward(const Model& model, const std::string& dot, const Location& where,
                    Diagnostics& out) {
  if (model.backward.empty()) return;
  if (model.late_parameters || !model.layers.empty())
    return out.error(ProblemCode::conflict, where,
                     "{}backward: {} say when gradients are there as well; leave one of them out",
                     dot, model.layers.empty() ? "late_parameters" : "its layers");
  double parameters = 0, work = 0;
  for (const BackwardPart& part : model.backward) {
    parameters += static_cast<double>(part.parameters);
    work += static_cast<double>(part.multiply_adds);
  }
  constexpr double kCountedOtherwise = 0.02;  // norms and biases are counted or not
  const auto all = static_cast<double>(model.parameters);
  if (all > 0 && std::abs(parameters - all) > kCountedOtherwise * all)
    out.error(ProblemCode::too_large, where,
              "{}backward: its parts have {} parameters, and it has {}", dot,
              text_number(parameters), text_number(all));
  if (work <= 0)
    out.error(ProblemCode::out_of_range, where,
              "{}backward: one of its parts at least needs multiply_adds", dot);
}

/// Nothing that is counted from the architecture is given as well, and its keys hold together.
void check_architecture(const Model& model, const KeyPath& key, const Location& where,
                        Diagnostics& out) {
  const Architecture& own = *model.architecture;
  if (!model.layers.empty() || model.parameters > 0 || model.multiply_adds ||
      model.late_parameters || model.blocks || model.block_output || model.activation_size ||
      model.input_size.value > 0)
    out.refuse(key, where,
               ": layers, parameters, multiply_adds, late_parameters, blocks, block_output, "
               "activation_size and input_size are counted from it; leave them out")
        .code = ProblemCode::conflict;
  if (!model.tokens)
    out.refuse(ProblemCode::missing_key, key, where, ": needs tokens, of one sample; add the key");
  if (!own.head_dim && own.hidden % own.heads != 0)
    out.refuse(ProblemCode::conflict, key, own.where,
               ": {} heads do not divide hidden = {}; give head_dim", own.heads, own.hidden);
  if (own.heads % own.kv_heads.value_or(own.heads) != 0)
    out.refuse(ProblemCode::conflict, key, own.where, ": {} kv_heads cannot serve {} heads alike",
               *own.kv_heads, own.heads);
  if (own.experts > 0 && (own.expert_ffn == 0 || own.experts_per_token > own.experts))
    out.refuse(ProblemCode::out_of_range, key, own.where,
               ": experts need expert_ffn, and experts_per_token of at most {}", own.experts);
  if (own.dense_layers > own.layers)
    out.refuse(ProblemCode::out_of_range, key, own.where, ": dense_layers is {}, of {} layers",
               own.dense_layers, own.layers);
  if (own.kv_rank > 0 && own.nope_dim + own.rope_dim == 0)
    out.refuse(ProblemCode::conflict, key, own.where,
               ": kv_rank needs nope_dim, rope_dim and value_dim");
}

constexpr double kMostParameters = 1e14;  // as of the keys that stand for what is counted

bool can_be_simulated(const ArchitectureCount& count, const Model& model) {
  const auto tokens = static_cast<double>(*model.tokens);
  return count.parameters <= kMostParameters && count.multiply_adds * tokens <= 1e18 &&
         static_cast<double>(model.architecture->hidden) * tokens <= 1e10;
}

void count_as_layers(const ArchitectureCount& count, Model& model) {
  constexpr double kWordBytes = 4, kFp32Bytes = 4;
  const auto tokens = static_cast<double>(*model.tokens);
  const Architecture& own = *model.architecture;
  model.parameters = static_cast<std::int64_t>(count.parameters);
  model.multiply_adds = static_cast<std::int64_t>(count.multiply_adds * tokens);
  model.late_parameters = static_cast<std::int64_t>(count.table);
  model.blocks = own.layers;
  model.block_output = Bytes{static_cast<double>(own.hidden) * tokens * kFp32Bytes};
  model.activation_size = Bytes{count.activations * tokens * kFp32Bytes};
  model.input_size = Bytes{tokens * kWordBytes};
}

void count_of_architecture(Model& model, const std::string& dot, const Location& where,
                           Diagnostics& out) {
  const KeyPath key = own_path(dot + "architecture");
  const auto before = out.count();
  check_architecture(model, key, where, out);
  if (out.count() > before) return;
  const ArchitectureCount count =
      count_architecture(*model.architecture, static_cast<double>(*model.tokens));
  if (can_be_simulated(count, model)) return count_as_layers(count, model);
  out.refuse(ProblemCode::too_large, key, where, ": has {} parameters; {} can be simulated",
             text_number(count.parameters), text_number(kMostParameters));
}

}  // namespace

bool count_tokens(Model& model) {
  const ArchitectureCount count =
      count_architecture(*model.architecture, static_cast<double>(*model.tokens));
  if (!can_be_simulated(count, model)) return false;
  count_as_layers(count, model);
  return true;
}

namespace {

void check_tables(const Model& model, const std::string& dot, const Location& where,
                  Diagnostics& out) {
  if (!model.tables) return;
  if (!(model.tables->pooling >= 1 && model.tables->pooling <= 1e6))
    out.refuse(ProblemCode::out_of_range, own_path(dot + "tables.pooling"), where,
               " must lie from 1 to 1000000, found {}", model.tables->pooling);
  if (model.tables->parameters() <= static_cast<double>(model.parameters)) return;
  out.refuse(ProblemCode::out_of_range, own_path(dot + "tables"), where,
             ": rows x dimension are {} numbers, and the network has {} parameters in all",
             text_number(model.tables->parameters()), model.parameters);
}

void count_given(Model& model, const std::string& place, const Location& where, Diagnostics& out) {
  const std::string dot = place.empty() ? "" : place + ".";
  check_backward(model, dot, where, out);
  if (model.architecture) return count_of_architecture(model, dot, where, out);
  if (model.layers.empty()) return check_parts(model, dot, where, out);
  const auto before = out.count();
  for (std::size_t i = 0; i < model.layers.size(); ++i)
    LayerChecker(model.layers[i], fmt::format("{}layer[{}]", dot, i), out).check();
  if (model.parameters > 0 || model.multiply_adds)
    out.error(ProblemCode::conflict, where,
              "{}layer: parameters and multiply_adds are counted from the layers; leave "
              "them out",
              dot);
  if (model.depthwise_multiply_adds || model.late_parameters)
    out.error(ProblemCode::conflict, where,
              "{}layer: depthwise_multiply_adds and late_parameters are counted from the layers; "
              "leave them out",
              dot);
  if (out.count() > before) return;
  const LayerCount sum = count_layers(model.layers);
  constexpr double kMost = 1e14;  // as of the keys that stand for what is counted
  if (sum.parameters < 1 || sum.parameters > kMost || sum.multiply_adds > 1e18 ||
      sum.activations > kMost)
    out.error(ProblemCode::too_large, where,
              "{}layer: the layers have {} parameters, {} multiply-adds and {} outputs; "
              "from 1 to {}, to 1,000,000,000,000,000,000 and to {} can be simulated",
              dot, text_number(sum.parameters), text_number(sum.multiply_adds),
              text_number(sum.activations), text_number(kMost), text_number(kMost));
  if (out.count() > before) return;
  model.parameters = static_cast<std::int64_t>(sum.parameters);
  model.multiply_adds = static_cast<std::int64_t>(sum.multiply_adds);
  model.depthwise_multiply_adds = static_cast<std::int64_t>(sum.depthwise_multiply_adds);
  model.late_parameters = static_cast<std::int64_t>(sum.late_parameters);
  constexpr double kBytesOfFp32 = 4;
  if (!model.activation_size) model.activation_size = Bytes{sum.activations * kBytesOfFp32};
}

}  // namespace

void count_model(Model& model, const std::string& place, const Location& where, Diagnostics& out) {
  count_given(model, place, where, out);
  check_tables(model, place.empty() ? "" : place + ".", where, out);
}

}  // namespace gpufeed
