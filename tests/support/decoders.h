// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

#include "sim/model/scenario.h"
#include "sim/model/transformer/job.h"
#include "tests/support/catalog.h"

namespace gpufeed {

/// Llama 3 8B without its architecture: what its step takes is estimated by class, and what it
/// exchanges is simulated.
inline const std::string kLlamaByClass =
    "{ title = \"Llama 3 8B\", source = \"s\", basis = \"estimate\", class = \"attention\", "
    "parameters = 8030261248, input_size = \"32768 B\", tokens = 8192, multiply_adds = "
    "79070347919360, activation_size = \"62.2 GB\", late_parameters = 525336576, blocks = 32, "
    "block_output = \"134217728 B\" }";

/// A decoder of the catalog on a machine; keys of the workload and whatever tables a test adds.
inline std::string decoder_text(const std::string& system, const std::string& model,
                                const std::string& workload, const std::string& tables) {
  return fmt::format(
      "title = \"t\"\nsystem = \"{}\"\nrun = {{ max_steps = 60 }}\n{}\n[workload]\n"
      "model = {}\noptimizer = \"adam\"\n{}\n"
      "dataset = {{ title = \"d\", samples = 10000000, sample_size = \"16 kB\" }}\n"
      "[loader]\ndecode = \"none\"\n[data]\nat = \"scratch\"\n",
      system, tables, model.starts_with("{") ? model : fmt::format("\"{}\"", model), workload);
}

inline TransformerJob decoder_job(const std::string& system, const std::string& model,
                                  const std::string& workload, const std::string& tables = "") {
  const auto job = transformer_job(
      parse_scenario(decoder_text(system, model, workload, tables), "test.toml", own_catalog()));
  if (!job) throw std::runtime_error("no step was timed by its architecture");
  return *job;
}

}  // namespace gpufeed
