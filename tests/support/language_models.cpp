// SPDX-License-Identifier: Apache-2.0
#include "tests/support/language_models.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>

#include "sim/base/numbers/statistics.h"
#include "sim/load/csv/csv.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/step.h"
#include "sim/plan/limits/lasting_speed.h"
#include "tests/support/catalog.h"

namespace gpufeed::language_models {
namespace {

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

std::vector<Scored> scored_rows(const std::string& name) {
  std::vector<Scored> out;
  for (const Strings& cells : table(name)) {
    const Row row = row_of(cells);
    CAPTURE(row.source);
    CAPTURE(row.keys);
    const Scenario scenario = parse_scenario(scenario_of(row), "row.toml", own_catalog());
    const auto job = transformer_job(scenario);
    REQUIRE(job.has_value());
    const std::int64_t gpus = gpus_per_node(scenario);
    out.push_back({row, *job, lasting_slowness(job->gpu.speed_spread, gpus - 1, gpus, job->gpus)});
  }
  return out;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::vector<Strings> table(const std::string& name) {
  std::ifstream in(fmt::format("{}/tests/validation/language_models/{}", GPUFEED_SOURCE_DIR, name));
  const std::string text(std::istreambuf_iterator<char>(in), {});
  CsvLines lines(text);
  REQUIRE(lines.next());
  std::vector<Strings> rows;
  while (lines.next()) {
    Strings& row = rows.emplace_back();
    for (const CsvField& field : lines.fields()) row.emplace_back(field.text);
  }
  return rows;
}

Row row_of(const Strings& cells) {
  return {cells.at(0),           cells.at(2), cells.at(4), cells.at(5), std::stoi(cells.at(3)),
          std::stod(cells.at(6))};
}

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
  for (const char* const name : {"parallel", "fabric"})
    if (sections.contains(name)) out += fmt::format("[{}]\n{}", name, sections[name]);
  return out + "[loader]\ndecode = \"none\"\n[data]\nat = \"scratch\"\n";
}

double Scored::predicted() const { return tokens_per_gpu(job) / slowness; }
double Scored::error() const { return std::abs(predicted() / row.measured - 1); }
double Scored::by_rule() const {
  const double flop = 6 * count_architecture(job.architecture, job.sequence).multiply_adds;
  const double peak = product_format(job.gpu, job.training.precision)->peak.value;
  return std::abs(0.4 * peak / flop / row.measured - 1);
}

const std::vector<Scored>& known() {
  static const std::vector<Scored> all = scored_rows("rows.csv");
  return all;
}
const std::vector<Scored>& fresh() {
  static const std::vector<Scored> all = scored_rows("fresh.csv");
  return all;
}

const std::vector<Scored>& on_amd() {
  static const std::vector<Scored> all = scored_rows("amd.csv");
  return all;
}

double Errors::mean() const { return mean_of(own); }
double Errors::mean_of_rule() const { return mean_of(rule); }
double Errors::at(double share) const { return quantile(own, share); }

bool has_experts(const Scored& one) { return one.job.architecture.experts > 0; }
bool is_vtrain(const Scored& one) { return one.row.source == "vTrain"; }
bool is_dense(const Scored& one) {
  return !has_experts(one) && !is_vtrain(one) && !one.job.training.lora && one.job.gpus >= 8;
}
bool is_split(const Scored& one) { return one.job.parallel.tensor * one.job.parallel.pipeline > 1; }
bool is_quantized(const Scored& one) {
  return product_format(one.job.gpu, one.job.training.precision)->quantized();
}
bool is_reinforced(const Scored& one) { return one.row.source == "prime-rl, reinforcement"; }

std::string line(const std::string& name, const Errors& of) {
  return fmt::format(
      "{:<40} {:4.0f} rows, mean {:5.1f} %, median {:5.1f}, p95 {:5.1f}; 40 % of "
      "the peak {:5.1f}\n",
      name, of.size(), 100 * of.mean(), 100 * of.at(0.5), 100 * of.at(0.95),
      100 * of.mean_of_rule());
}

}  // namespace gpufeed::language_models
