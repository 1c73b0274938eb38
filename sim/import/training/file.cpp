// SPDX-License-Identifier: Apache-2.0
#include "sim/import/training/file.h"

#include <algorithm>

#include "sim/base/files/read_file.h"
#include "sim/import/training/keys.h"
#include "sim/import/training/tree.h"
#include "sim/import/yaml_reader.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

using Kind = YamlNode::Kind;

/// The part of a path behind a section, up to the next dot; empty where it is not below it.
std::string child_of(std::string_view path, const std::string& section) {
  if (!section.empty()) {
    if (!path.starts_with(section + ".")) return "";
    path.remove_prefix(section.size() + 1);
  }
  return std::string(path.substr(0, path.find('.')));
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

class FileReader {
 public:
  FileReader(const YamlNode& tree, const std::string& name, TrainingFormat format, Diagnostics& out)
      : tree_(tree), reader_(name, out) {
    result_.file = std::filesystem::path(name).filename().string();
    result_.format = format;
  }

  TrainingFile read() {
    check_keys(tree_, "");
    read_split();
    read_sharing();
    read_batches();
    read_optimizer();
    read_precision();
    read_model();
    result_.not_taken = reader_.not_read;
    std::ranges::sort(result_.not_taken);
    return std::move(result_);
  }

 private:
  void check_keys(const YamlNode& map, const std::string& section) {
    YamlKeys keys{section, {}, {}};
    for (const Meaning& one : kMeanings)
      for (std::size_t i = 0; i < one.count; ++i)
        if (std::string name = child_of(one.paths[i], section); !name.empty()) {
          const bool is_there = map.find(name) != nullptr;
          if (is_there && !std::ranges::count(keys.read, name)) keys.read.push_back(name);
        }
    reader_.check_keys(map, keys);
    for (const YamlNode& item : map.items)
      if (item.kind == Kind::map && std::ranges::count(keys.read, item.key))
        check_keys(item, section.empty() ? item.key : section + "." + item.key);
  }

  /// The map that has a path's last key, of the first path that the file has.
  struct Found {
    const YamlNode* map = nullptr;
    std::string path;
  };
  Found find(const Meaning& what) const {
    for (std::size_t i = 0; i < what.count; ++i) {
      const std::string path = what.paths[i];
      const YamlNode* map = &tree_;
      std::size_t begin = 0;
      for (std::size_t dot; map && (dot = path.find('.', begin)) != std::string::npos;
           begin = dot + 1)
        map = map->find(path.substr(begin, dot - begin));
      const YamlNode* const node = map ? map->find(path.substr(begin)) : nullptr;
      if (node && node->kind != Kind::null && node->kind != Kind::map) return {map, path};
    }
    return {};
  }
  template <std::size_t n>
  Found find(const char* const (&paths)[n]) const {
    return find(meaning(paths));
  }

  template <std::size_t n>
  std::optional<std::int64_t> whole(const char* const (&paths)[n], std::int64_t most,
                                    std::int64_t least = 1) {
    const Found found = find(paths);
    if (!found.map) return {};
    const std::string text = found.map->find(found.path.substr(found.path.rfind('.') + 1))->text;
    if (text == "auto" || text == "-1" || text == "null" || text == "None") return {};
    return reader_.whole(*found.map, found.path, least, most);
  }
  template <std::size_t n>
  bool truth(const char* const (&paths)[n]) {
    const Found found = find(paths);
    return found.map && reader_.truth(*found.map, found.path).value_or(false);
  }
  template <std::size_t n>
  std::string word(const char* const (&paths)[n]) {
    const Found found = find(paths);
    return found.map ? lower(reader_.word(*found.map, found.path).value_or("")) : "";
  }
  std::optional<std::int64_t> size(const std::string& name) {
    for (const std::string& path : {name, "model." + name}) {
      const char* const one[] = {path.c_str()};
      if (const auto value = whole(one, 1000000000)) return value;
    }
    return {};
  }

  void read_split() {
    constexpr std::int64_t kMost = 4096;
    Parallel& split = result_.parallel;
    split.tensor = whole(kTensor, kMost).value_or(1);
    split.pipeline = whole(kPipeline, kMost).value_or(1);
    split.context = whole(kContext, kMost).value_or(1);
    split.expert = whole(kExpert, kMost).value_or(1);
    split.virtual_stages = whole(kVirtual, 1000).value_or(1);
    if (const auto layers = whole(kLayersOfVirtual, 1000))
      if (const auto all = size("num_layers"))
        split.virtual_stages = std::max<std::int64_t>(1, *all / (split.pipeline * *layers));
    // torchtitan's tensor parallelism always has it
    const bool always = result_.format == TrainingFormat::torchtitan;
    split.sequence = split.tensor > 1 && (always || truth(kSequenceParallel));
    split.tensor_overlap = split.tensor > 1 && truth(kTensorOverlap);
    split.gradient_overlap = truth(kGradientOverlap);
    if (split.expert == 1) return;
    split.expert_overlap = truth(kExpertOverlap);
    // Others send a copy for each expert
    const std::string dispatcher = word(kDispatcher);
    if (!truth(kDeepEp) && dispatcher != "flex") split.dispatcher = Dispatcher::alltoall;
  }

  void read_sharing() {
    Sharding& shard = result_.parallel.shard;
    if (result_.format == TrainingFormat::torchtitan) shard = Sharding::parameters;
    if (whole(kShardDegree, 1000000) == 1) shard = Sharding::none;
    if (truth(kDistributedOptimizer) || word(kOptimizer) == "distributed_fused_adam")
      shard = Sharding::optimizer;
    if (truth(kFsdp)) shard = Sharding::parameters;
    if (const auto stage = whole(kStage, 3, 0)) shard = static_cast<Sharding>(*stage);
    if (word(kReshard) == "true" || word(kReshard) == "false")
      shard = truth(kReshard) ? Sharding::parameters : Sharding::gradients;
    const std::string strategy = word(kStrategy);
    if (strategy == "full_shard" || strategy == "1" || strategy.starts_with("hybrid"))
      shard = Sharding::parameters;
    if (strategy == "shard_grad_op" || strategy == "2") shard = Sharding::gradients;
    if (strategy == "no_shard" || strategy == "3") shard = Sharding::none;
  }

  void read_batches() {
    constexpr std::int64_t kMost = 1000000000;
    result_.nodes = whole(kNodes, kMostNodes);
    result_.sequence = whole(kLength, 100000000);
    result_.micro_batch = whole(kMicroBatch, 100000);
    result_.global_batch = whole(kGlobalBatch, kMost);
    result_.accumulate = whole(kAccumulate, 1000000);
    if (const auto of_pipeline = whole(kMicroOfPipeline, 100000)) {
      if (result_.micro_batch && !result_.global_batch)
        result_.accumulate = std::max<std::int64_t>(1, *result_.micro_batch / *of_pipeline);
      result_.micro_batch = of_pipeline;
    }
    result_.steps = whole(kSteps, kMost);
    result_.checkpoint_steps = whole(kSave, kMost);
  }

  void read_optimizer() {
    const std::string name = word(kOptimizer);
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    Optimizer& by = result_.optimizer;
    if (has("muon"))
      by = Optimizer::muon;
    else if (has("adafactor"))
      by = Optimizer::adafactor;
    else if (has("adam"))
      by = has("8bit") ? Optimizer::adam_8bit : Optimizer::adam;
    else if (has("sgd"))
      by = Optimizer::momentum;
    else if (!name.empty())
      reader_.not_read.push_back(find(kOptimizer).path);
    result_.offload_optimizer = truth(kOffload) || word(kOffloadTo) == "cpu";
  }

  void read_precision() {
    const std::string mode = word(kRecompute);
    const bool titan = result_.format == TrainingFormat::torchtitan;
    if (mode == "full" || truth(kRecomputes)) result_.recompute = Recompute::full;
    if (mode == "selective") result_.recompute = titan ? Recompute::ops : Recompute::selective;
    const std::string dynamo = word(kDynamo);
    result_.compile = truth(kCompile) || (!dynamo.empty() && dynamo != "no");
    // Megatron-LM and NeMo come with Transformer Engine's fused kernels
    if (result_.format == TrainingFormat::megatron || result_.format == TrainingFormat::nemo)
      result_.compile = true;
    const std::string mixed = word(kPrecision);
    if (mixed.find("16") != std::string::npos && mixed.find("bf16") == std::string::npos)
      result_.precision = "fp16";
    if (truth(kFloat16) && !truth(kHalf)) result_.precision = "fp16";
    const auto converters = tree_.find("model") ? tree_.find("model")->find("converters") : nullptr;
    const bool eight_of_titan =
        converters && std::ranges::any_of(converters->items, [](const YamlNode& one) {
          return one.text.find("float8") != std::string::npos;
        });
    const std::string eight = word(kFloat8);
    if (eight_of_titan || mixed.find("fp8") != std::string::npos ||
        (!eight.empty() && eight != "false" && eight != "null"))
      result_.precision = "fp8";
  }

  void read_model() {
    if (result_.format == TrainingFormat::torchtitan) {
      static constexpr const char* kName[] = {"model.name"};
      static constexpr const char* kFlavor[] = {"model.flavor"};
      std::string name = word(kName);
      std::ranges::replace(name, '_', '-');
      if (name == "llama3") name = "llama-3.1";  // whose sizes these are
      const std::string flavor = word(kFlavor);
      result_.model = name == "deepseek-v3" && flavor == "671b" ? name
                      : name.empty() || flavor.empty()          ? ""
                                                                : name + "-" + flavor;
      return;
    }
    read_sizes();
  }

  void read_sizes() {
    const auto layers = size("num_layers"), hidden = size("hidden_size"),
               heads = size("num_attention_heads");
    if (!layers || !hidden || !heads) return;
    Architecture own;
    own.layers = *layers;
    own.hidden = *hidden;
    own.heads = *heads;
    own.kv_heads = size("num_query_groups");
    own.head_dim = size("kv_channels");
    own.gated = flag("swiglu");
    own.ffn = size("ffn_hidden_size").value_or(4 * *hidden);
    constexpr std::int64_t kWords = 50304;  // of GPT-2, filled up to a multiple of 128
    own.vocabulary = size("vocab_size").value_or(kWords);
    own.tied =
        result_.format == TrainingFormat::megatron && !flag("untie_embeddings_and_output_weights");
    if (const auto experts = size("num_experts")) {
      own.experts = *experts;
      own.experts_per_token = size("moe_router_topk").value_or(2);
      own.expert_ffn = size("moe_ffn_hidden_size").value_or(own.ffn);
    }
    result_.architecture = own;
  }

  bool flag(const char* name) {
    const char* const one[] = {name};
    return truth(one);
  }

  const YamlNode& tree_;
  YamlReader reader_;
  TrainingFile result_;
};

TrainingFormat format_of(const YamlNode& tree, const std::string& name, Diagnostics& out) {
  const auto has = [&](const char* key) { return tree.find(key) != nullptr; };
  if (has("distributed_type") || has("compute_environment")) return TrainingFormat::accelerate;
  if (has("zero_optimization") || has("train_micro_batch_size_per_gpu") || has("train_batch_size"))
    return TrainingFormat::deepspeed;
  if (!has("trainer") && !has("train") && !has("model"))
    out.error(ProblemCode::unusable_file, {name, tree.line, tree.column},
              "this is no training file that can be read: TOML of torchtitan, a script with "
              "arguments of Megatron-LM, YAML of NeMo, Megatron-Bridge or accelerate, or JSON of "
              "DeepSpeed");
  return TrainingFormat::nemo;
}

/// Keys whose values must be known.
Names needed_arguments() {
  Names out;
  for (const Meaning& one : kMeanings)
    for (std::size_t i = 0; i < one.count; ++i) out.emplace_back(one.paths[i]);
  return out;
}

}  // namespace

TrainingFile parse_training_file(std::string_view text, const std::string& name) {
  Diagnostics out;
  std::optional<YamlNode> tree;
  TrainingFormat format = TrainingFormat::torchtitan;
  const bool is_toml = name.ends_with(".toml");
  const bool is_script = text.find("--num-layers") != std::string_view::npos ||
                         text.find("-model-parallel-size") != std::string_view::npos ||
                         text.find("--micro-batch-size") != std::string_view::npos;
  if (is_toml) {
    tree = tree_of_toml(text, name, out);
  } else if (is_script) {
    format = TrainingFormat::megatron;
    tree = tree_of_arguments(text, name, needed_arguments(), out);
  } else {
    tree = parse_yaml(text, name, out);
    if (tree) format = format_of(*tree, name, out);
  }
  out.throw_if_any();
  TrainingFile file = FileReader(*tree, name, format, out).read();
  out.throw_if_any();
  return file;
}

TrainingFile load_training_file(const std::filesystem::path& file) {
  Diagnostics out;
  const auto text = read_text_file(file, kMaxTextSize, out);
  out.throw_if_any();
  return parse_training_file(*text, file.string());
}

}  // namespace gpufeed
