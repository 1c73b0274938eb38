// SPDX-License-Identifier: Apache-2.0
// Published rates of language models against steps by their architecture: language_models/rows.csv.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/numbers/statistics.h"
#include "sim/load/csv/csv.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/step.h"
#include "sim/plan/limits/lasting_speed.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

using Strings = std::vector<std::string>;

std::vector<Strings> table(const std::string& name) {
  std::ifstream in(std::string(GPUFEED_SOURCE_DIR) + "/tests/validation/language_models/" + name);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  CsvLines lines(text);
  REQUIRE(lines.next());  // the columns' names
  std::vector<Strings> rows;
  while (lines.next()) {
    Strings& row = rows.emplace_back();
    for (const CsvField& field : lines.fields()) row.emplace_back(field.text);
  }
  return rows;
}

/// "gpt-24-1024-16": layers, hidden and heads of vTrain's models; else a name of the catalog.
std::string model_text(const std::string& name) {
  int layers = 0, hidden = 0, heads = 0;
  if (std::sscanf(name.c_str(), "gpt-%d-%d-%d", &layers, &hidden, &heads) != 3)
    return '"' + name + '"';
  return fmt::format(
      "{{ title = \"GPT\", source = \"vTrain\", basis = \"datasheet\", tokens = 1024, architecture "
      "= {{ layers = {}, hidden = {}, heads = {}, ffn = {}, gated = false, vocabulary = 51200, "
      "tied = true, positions = 1024 }} }}",
      layers, hidden, heads, 4 * hidden);
}

std::string value_text(const std::string& value) {
  const bool plain = value == "true" || value == "false" ||
                     value.find_first_not_of("0123456789") == std::string::npos;
  return plain ? value : '"' + value + '"';
}

struct Row {
  std::string source, system, model, keys;
  int nodes;
  double measured;
};

std::string scenario_of(const Row& row) {
  std::map<std::string, std::string> sections;
  std::istringstream keys(row.keys);
  for (std::string pair; keys >> pair;) {
    const auto dot = pair.find('.'), equals = pair.find('=');
    sections[pair.substr(0, dot)] += fmt::format(
        "{} = {}\n", pair.substr(dot + 1, equals - dot - 1), value_text(pair.substr(equals + 1)));
  }
  const auto plus = row.system.find('+');
  std::string out = fmt::format("title = \"t\"\nsystem = \"{}\"\nnodes = {}\n",
                                row.system.substr(0, plus), row.nodes);
  if (plus != std::string::npos)
    out += fmt::format("replace = [{{ part = \"gpu*\", with = \"{}\" }}]\n",
                       row.system.substr(plus + 1));
  out += "[workload]\nmodel = " + model_text(row.model) +
         "\noptimizer = \"adam\"\ndataset = { title = \"tokens\", samples = 100000000, "
         "sample_size = \"16 kB\" }\n" +
         sections["workload"];
  if (sections.contains("parallel")) out += "[parallel]\n" + sections["parallel"];
  return out + "[loader]\ndecode = \"none\"\n[data]\nat = \"scratch\"\n";
}

std::vector<Row> rows() {
  std::vector<Row> out;
  for (const Strings& cells : table("rows.csv"))
    out.push_back({cells.at(0), cells.at(2), cells.at(4), cells.at(5), std::stoi(cells.at(3)),
                   std::stod(cells.at(6))});
  return out;
}

struct Scored {
  Row row;
  TransformerJob job;
  double slowness;  ///< of the slowest GPU

  double predicted() const { return tokens_per_gpu(job) / slowness; }
  double error() const { return std::abs(predicted() / row.measured - 1); }
  double by_rule() const {
    const double flop = 6 * count_architecture(job.architecture, job.sequence).multiply_adds;
    const double peak = product_format(job.gpu, job.training.precision)->peak.value;
    return std::abs(0.4 * peak / flop / row.measured - 1);
  }
};

const std::vector<Scored>& scored() {
  static const std::vector<Scored> all = [] {
    std::vector<Scored> out;
    for (const Row& row : rows()) {
      CAPTURE(row.source);
      CAPTURE(row.keys);
      const Scenario scenario = parse_scenario(scenario_of(row), "row.toml", own_catalog());
      const auto job = transformer_job(scenario);
      REQUIRE(job.has_value());
      const std::int64_t gpus = gpus_per_node(scenario);
      out.push_back(
          {row, *job, lasting_slowness(job->gpu.speed_spread, gpus - 1, gpus, job->gpus)});
    }
    return out;
  }();
  return all;
}

struct Errors {
  std::vector<double> own, rule;

  double mean() const { return std::accumulate(own.begin(), own.end(), 0.0) / size(); }
  double mean_of_rule() const { return std::accumulate(rule.begin(), rule.end(), 0.0) / size(); }
  double at(double share) const { return quantile(own, share); }
  double size() const { return static_cast<double>(own.size()); }
};

template <class Of>
Errors errors(const Of& of) {
  Errors out;
  for (const Scored& one : scored()) {
    if (!of(one)) continue;
    out.own.push_back(one.error());
    out.rule.push_back(one.by_rule());
  }
  REQUIRE(!out.own.empty());
  return out;
}

bool has_experts(const Scored& one) { return one.job.architecture.experts > 0; }
bool is_vtrain(const Scored& one) { return one.row.source == "vTrain"; }
bool is_dense(const Scored& one) {
  return !has_experts(one) && !is_vtrain(one) && !one.job.training.lora && one.job.gpus >= 8;
}
bool is_split(const Scored& one) { return one.job.parallel.tensor * one.job.parallel.pipeline > 1; }

std::string line(std::string_view name, const Errors& of) {
  return fmt::format(
      "{:<40} {:4.0f} rows, mean {:5.1f} %, median {:5.1f}, p95 {:5.1f}; 40 % of "
      "the peak {:5.1f}\n",
      name, of.size(), 100 * of.mean(), 100 * of.at(0.5), 100 * of.at(0.95),
      100 * of.mean_of_rule());
}

}  // namespace

TEST_CASE("language models: every row is a scenario, and few are not") {
  double left_out = 0, unclear = 0;
  for (const Strings& cells : table("left_out.csv")) {
    left_out += std::stod(cells.at(2));
    unclear += cells.at(1).find("not stated") == std::string::npos ? 0 : std::stod(cells.at(2));
  }
  CHECK(scored().size() == rows().size());
  MESSAGE(fmt::format("{} rows; {} left out, of which {} do not state what is needed",
                      rows().size(), left_out, unclear));
}

TEST_CASE("language models: steps by architecture are nearer than 40 % of the peak") {
  const auto of = [](const std::string& source) {
    return [source](const Scored& one) { return one.row.source == source && is_dense(one); };
  };
  const Errors dense = errors(is_dense), vtrain = errors(is_vtrain);
  const Errors experts = errors(has_experts);
  const Errors eight_bits = errors([](const Scored& one) {
    return is_dense(one) && product_format(one.job.gpu, one.job.training.precision)->quantized();
  });
  const Errors nodes = errors(
      [](const Scored& one) { return is_dense(one) && one.job.gpus > one.job.ways.node_gpus; });
  const Errors node = errors(
      [](const Scored& one) { return is_dense(one) && one.job.gpus <= one.job.ways.node_gpus; });
  const Errors split = errors([](const Scored& one) { return is_dense(one) && is_split(one); });
  const Errors lora = errors([](const Scored& one) { return one.job.training.lora; });
  const Errors one_gpu = errors([](const Scored& one) { return one.row.source == "gpufeed"; });
  MESSAGE("\n"
          << line("dense, 8 GPUs and more", dense)
          << line("  llm-foundry", errors(of("llm-foundry")))
          << line("  Megatron-Bridge", errors(of("Megatron-Bridge")))
          << line("  8 and 4 bits", eight_bits) << line("  one node", node)
          << line("  several nodes", nodes) << line("  tensor and pipeline", split)
          << line("experts", experts) << line("vTrain, one node", vtrain) << line("LoRA", lora)
          << line("one H100, which fed nothing", one_gpu));
  CHECK(dense.mean() <= 0.08);
  CHECK(dense.at(0.5) <= 0.06);
  CHECK(dense.at(0.95) <= 0.25);
  CHECK(eight_bits.at(0.5) <= 0.15);
  CHECK(vtrain.mean() <= 0.10);
  CHECK(lora.mean() <= 0.15);
  CHECK(one_gpu.at(0.5) <= 0.10);
  CHECK(2 * node.mean() <= node.mean_of_rule());
  CHECK(dense.mean() < dense.mean_of_rule() / 2);
}
