// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/diagnostics.h"
#include "sim/export/dlio_settings.h"
#include "sim/export/yaml_text.h"
#include "sim/kinds/checkpointing/saved_state.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

using Kind = YamlNode::Kind;

void set(YamlNode& root, const std::string& section, const std::string& key,
         const std::string& value) {
  YamlNode& node = yaml_at(root, section, key);
  node.kind = Kind::scalar;
  node.text = value;
  node.quoted = false;
  node.items.clear();
}

/// Where the key stands in a file that says it by another name; as it is called now otherwise.
/// \source  DLIO's files of MLPerf Storage v0.5 and later
std::pair<std::string, std::string> place_in(const YamlNode& file, const std::string& section,
                                             const std::string& key) {
  if (section == "reader" && file.find("data_reader")) return {"data_reader", key};
  constexpr std::string_view kBytes = "record_length_bytes";
  const YamlNode* const dataset = file.find("dataset");
  if (!key.starts_with(kBytes) || !dataset || dataset->find(key)) return {section, key};
  const std::string old = "record_length" + key.substr(kBytes.size());
  return {section, dataset->find(old) ? old : key};
}

/// What DLIO is told of a model whose state alone is saved.
YamlNode fresh_checkpoints(const DlioScenario& of, ToolText& out) {
  YamlNode root;
  root.kind = Kind::map;
  const StateCut& cut = cut_of(*of.workload.checkpointed);
  std::string name(name_of(*of.workload.checkpointed));
  std::ranges::replace(name, '-', '_');
  const auto put = [&](const char* section, const char* key, const std::string& value) {
    set(root, section, key, value);
  };
  put("model", "name", name);
  put("model", "type", "transformer");
  put("model", "num_layers", std::to_string(cut.layers));
  put("model", "model_datatype", "fp16");
  put("model", "optimizer_datatype", "fp32");
  YamlNode& parallelism = yaml_at(root, "model", "parallelism");
  set(parallelism, "", "tensor", std::to_string(cut.tensor));
  set(parallelism, "", "pipeline", std::to_string(cut.pipeline));
  set(parallelism, "", "zero_stage", std::to_string(cut.zero_stage));
  YamlNode& layers = yaml_at(root, "model", "transformer");
  set(layers, "", "vocab_size", std::to_string(kStateVocabulary));
  set(layers, "", "hidden_size", std::to_string(cut.hidden));
  set(layers, "", "ffn_hidden_size", std::to_string(cut.feed_forward));
  set(layers, "", "num_attention_heads", std::to_string(cut.heads));
  set(layers, "", "num_kv_heads", std::to_string(cut.key_value_heads));
  put("", "framework", "pytorch");
  put("workflow", "generate_data", "False");
  put("workflow", "train", "False");
  put("workflow", "checkpoint", "True");
  put("checkpoint", "checkpoint_folder", "checkpoints/" + name);
  put("checkpoint", "time_between_checkpoints", "5");
  put("checkpoint", "num_checkpoints_write", "10");
  put("checkpoint", "num_checkpoints_read", "10");
  put("checkpoint", "fsync", "True");
  out.chosen.emplace_back("checkpoint.time_between_checkpoints = 5");
  return root;
}

YamlNode fresh_file(const DlioScenario& of, ToolText& out) {
  YamlNode root;
  root.kind = Kind::map;
  for (const DlioSetting& one : dlio_settings(of)) {
    const bool idle = (one.key == "record_length_bytes_stdev" && one.value == "0") ||
                      (one.key == "total_training_steps" && one.value == "-1") ||
                      (one.key == "odirect" && one.value == "False");
    if (!idle) set(root, one.section, one.key, one.value);
  }
  out.chosen.push_back(fmt::format("dataset.data_folder = data/{}/", of.name));
  if (!of.format) out.chosen.emplace_back("dataset.format = npz");
  return root;
}

/// The pattern's file with what the scenario says otherwise.
YamlNode fitted(const DlioScenario& of, const ExportPattern& pattern, const ExportSource& source) {
  Diagnostics problems;
  auto root = parse_yaml(pattern.text, pattern.name, problems);
  problems.throw_if_any();
  const DlioWorkload theirs = parse_dlio(pattern.text, pattern.name);
  if (theirs.checkpointed != of.workload.checkpointed)
    throw InputError(
        {{source.scenario.workload.where,
          fmt::format("{} {}, and the scenario does not: name a file of the same kind",
                      pattern.name,
                      theirs.checkpointed ? "saves checkpoints alone, of one model" : "trains"),
          ProblemCode::conflict, KeyPath("workload.kind")}});
  if (theirs.checkpointed) return *root;
  const auto inner = std::ranges::find(root->items, "workload", &YamlNode::key);
  YamlNode& file = inner == root->items.end() ? *root : *inner;
  for (const DlioSetting& one : dlio_settings(of)) {
    if (one.same(theirs)) continue;
    const auto [section, key] = place_in(file, one.section, one.key);
    set(file, section, key, one.value);
  }
  return *root;
}

std::int64_t ranks_of(const DlioScenario& of) {
  if (!of.workload.checkpointed) return of.accelerators;
  const StateCut& cut = cut_of(*of.workload.checkpointed);
  return cut.tensor * cut.pipeline * cut.data;
}

}  // namespace

ToolText dlio_text(const ExportSource& source, const std::optional<ExportPattern>& pattern) {
  ToolText out;
  const DlioScenario of = dlio_scenario_of(source, out);
  out.text = fmt::format("# One process for each of {}: mpirun -np {} dlio_benchmark ...\n",
                         of.workload.checkpointed ? "its ranks" : "its accelerators", ranks_of(of));
  if (pattern)
    out.text += yaml_text(fitted(of, *pattern, source));
  else if (of.workload.checkpointed)
    out.text += yaml_text(fresh_checkpoints(of, out));
  else
    out.text += yaml_text(fresh_file(of, out));
  return out;
}

}  // namespace gpufeed
