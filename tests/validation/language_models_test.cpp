// SPDX-License-Identifier: Apache-2.0
#include "tests/support/language_models.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

namespace gpufeed::language_models {

TEST_CASE("language models: every row is a scenario, and few are not") {
  double left_out = 0, unclear = 0;
  for (const Strings& cells : table("left_out.csv")) {
    left_out += std::stod(cells.at(2));
    unclear += cells.at(1).find("not stated") == std::string::npos ? 0 : std::stod(cells.at(2));
  }
  CHECK(known().size() == table("rows.csv").size());
  CHECK(fresh().size() == table("fresh.csv").size());
  MESSAGE(fmt::format("{} rows; {} left out, of which {} do not state what is needed",
                      known().size() + fresh().size(), left_out, unclear));
}

TEST_CASE("language models: steps by architecture are nearer than 40 % of the peak") {
  const auto of = [](const std::string& source) {
    return [source](const Scored& one) { return one.row.source == source && is_dense(one); };
  };
  const Errors dense = errors(known(), is_dense), vtrain = errors(known(), is_vtrain);
  const Errors experts = errors(known(), has_experts);
  const Errors eight_bits =
      errors(known(), [](const Scored& one) { return is_dense(one) && is_quantized(one); });
  const Errors nodes = errors(known(), [](const Scored& one) {
    return is_dense(one) && one.job.gpus > one.job.ways.node_gpus;
  });
  const Errors node = errors(known(), [](const Scored& one) {
    return is_dense(one) && one.job.gpus <= one.job.ways.node_gpus;
  });
  const Errors split =
      errors(known(), [](const Scored& one) { return is_dense(one) && is_split(one); });
  const Errors lora = errors(known(), [](const Scored& one) { return one.job.training.lora; });
  const Errors one_gpu =
      errors(known(), [](const Scored& one) { return one.row.source == "gpufeed"; });
  MESSAGE("\n"
          << line("dense, 8 GPUs and more", dense)
          << line("  llm-foundry", errors(known(), of("llm-foundry")))
          << line("  Megatron-Bridge", errors(known(), of("Megatron-Bridge")))
          << line("  8 and 4 bits", eight_bits) << line("  one node", node)
          << line("  several nodes", nodes) << line("  tensor and pipeline", split)
          << line("experts", experts) << line("vTrain, one node", vtrain) << line("LoRA", lora)
          << line("one H100, which fed nothing", one_gpu));
  CHECK(dense.mean() <= 0.08);
  CHECK(dense.at(0.5) <= 0.06);
  CHECK(dense.at(0.95) <= 0.25);
  CHECK(eight_bits.at(0.5) <= 0.15);
  CHECK(vtrain.mean() <= 0.10);
  CHECK(lora.at(0.5) <= 0.15);
  CHECK(one_gpu.at(0.5) <= 0.10);
  CHECK(2 * node.mean() <= node.mean_of_rule());
  CHECK(2 * nodes.mean() <= nodes.mean_of_rule());
  CHECK(dense.mean() < dense.mean_of_rule() / 2);
}

TEST_CASE("language models: sources that fed nothing but the clock of A100") {
  std::set<std::string> sources;
  for (const Scored& one : fresh()) sources.insert(one.row.source);
  std::string out;
  for (const std::string& source : sources)
    out +=
        line(source, errors(fresh(), [&](const Scored& one) { return one.row.source == source; }));
  const Errors dense =
      errors(fresh(), [](const Scored& one) { return is_dense(one) && !is_reinforced(one); });
  MESSAGE("\n" << out << line("dense, 8 GPUs and more", dense));
  CHECK(dense.mean() <= 0.13);
  CHECK(dense.at(0.5) <= 0.09);
  CHECK(2 * dense.mean() <= dense.mean_of_rule());
}

// A copy of the model on each GPU, for a batch of one sample on each; all computed again, without
// which it does not fit. Submissions say no more of their layout.
TEST_CASE("language models: fine-tuning on MI300X and MI325X, of which nothing was learned") {
  const Errors all = errors(on_amd(), [](const Scored&) { return true; });
  MESSAGE("\n" << line("Llama 2 70B, LoRA, 8 MI300X or MI325X", all));
  CHECK(all.size() == 8);
  CHECK(all.at(0.5) <= 0.20);
}

}  // namespace gpufeed::language_models
