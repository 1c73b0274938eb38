// SPDX-License-Identifier: Apache-2.0
// What GPUs held when language models were trained, against memory by their architecture.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "sim/base/diagnostics.h"
#include "sim/base/numbers/statistics.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/memory.h"
#include "tests/support/catalog.h"
#include "tests/support/language_models.h"

namespace gpufeed::language_models {
namespace {

struct Told {
  TransformerMemory memory;
  Bytes of_gpu;
};

/// Nothing where it is refused.
std::optional<Told> memory_of(const Row& row) {
  try {
    const Scenario scenario = parse_scenario(scenario_of(row), "row.toml", own_catalog());
    const auto job = transformer_job(scenario);
    return Told{transformer_memory(*job), job->gpu.memory};
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

TEST_CASE("language models: memory of a GPU is near what it held, and what ran is not refused") {
  std::map<std::string, std::vector<double>> errors;
  std::vector<double> fed, others;
  int ran = 0, refused = 0, above_floor = 0, too_much = 0, warned = 0;
  for (const Strings& cells : table("memory.csv")) {
    const Row row = row_of(cells);
    const auto told = memory_of(row);
    if (row.measured == 0) {  // it ran out of memory
      ++too_much;
      if (!told || told->memory.typical() > told->of_gpu) ++warned;
      continue;
    }
    ++ran;
    if (!told) {
      ++refused;
      continue;
    }
    const double held = row.measured * 1e9;
    if (told->memory.floor().value > held) ++above_floor;
    // These sources tell what PyTorch had allocated, others what the GPU held in all.
    const bool of_pytorch = row.source == "prime-rl" || row.source == "litgpt LoRA";
    const double kAllocator = 1.1;
    const double expected =
        of_pytorch ? told->memory.floor().value * kAllocator : told->memory.typical().value;
    errors[row.source].push_back(std::abs(expected / held - 1));
    (row.source == "BigScience A100" ? fed : others).push_back(errors[row.source].back());
  }
  std::string out;
  for (const auto& [source, of] : errors)
    out += fmt::format("{:<20} {:3} rows, median {:5.1f} %, p90 {:5.1f}\n", source, of.size(),
                       100 * quantile(of, 0.5), 100 * quantile(of, 0.9));
  MESSAGE("\n"
          << out << ran << " ran: " << refused << " refused, " << above_floor
          << " held less than the floor; of " << too_much << " that ran out, " << warned
          << " are warned of; in the median " << 100 * quantile(fed, 0.5) << " and "
          << 100 * quantile(others, 0.5) << " %");
  CHECK(quantile(fed, 0.5) <= 0.10);
  CHECK(quantile(others, 0.5) <= 0.16);
  CHECK(refused == 0);
  CHECK(warned == too_much);
}

}  // namespace gpufeed::language_models
