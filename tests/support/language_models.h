// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/transformer/job.h"

// Published rates of language models against steps by their architecture. language_models/rows.csv:
// those of which the law's constants may know; fresh.csv: sources that fed none of them.
namespace gpufeed::language_models {

using Strings = std::vector<std::string>;

/// Lines of a table in language_models/, without the columns' names.
std::vector<Strings> table(const std::string& name);

struct Row {
  std::string source, system, model, keys;
  int nodes;
  double measured;  ///< tokens of a GPU in a second
};

/// Cells as rows.csv has them.
Row row_of(const Strings& cells);

/// A row as a file of a scenario.
std::string scenario_of(const Row& row);

struct Scored {
  Row row;
  TransformerJob job;
  double slowness;  ///< of the slowest GPU

  double predicted() const;
  double error() const;
  /// Of 40 % of the peak.
  double by_rule() const;
};

/// Rows of which constants may know, and those of sources that fed nothing.
const std::vector<Scored>& known();
const std::vector<Scored>& fresh();
/// On AMD's GPUs, of which no constant knows.
const std::vector<Scored>& on_amd();

struct Errors {
  std::vector<double> own, rule;

  double mean() const;
  double mean_of_rule() const;
  double at(double share) const;
  double size() const { return static_cast<double>(own.size()); }
};

template <class Of>
Errors errors(const std::vector<Scored>& all, const Of& of) {
  Errors out;
  for (const Scored& one : all) {
    if (!of(one)) continue;
    out.own.push_back(one.error());
    out.rule.push_back(one.by_rule());
  }
  return out;
}

bool has_experts(const Scored& one);
bool is_vtrain(const Scored& one);
/// Without experts and adapters, of eight GPUs and more, and not of vTrain, which alone tells what
/// starting a layer takes.
bool is_dense(const Scored& one);
bool is_split(const Scored& one);
bool is_quantized(const Scored& one);
/// Reinforcement learning, whose loss takes more than the law counts.
bool is_reinforced(const Scored& one);

std::string line(const std::string& name, const Errors& of);

}  // namespace gpufeed::language_models
