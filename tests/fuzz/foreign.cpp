// SPDX-License-Identifier: Apache-2.0
// Settings of other programs: trainings, engines that serve, models, job files of fio.
#include "sim/import/engine_command.h"
#include "sim/import/fio/fio_file.h"
#include "sim/import/fio/fio_job.h"
#include "sim/import/model_config.h"
#include "sim/import/training/file.h"
#include "tests/fuzz/inputs.h"

using namespace gpufeed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text(data, size);
  for (const char* const name : {"fuzz.toml", "fuzz.yaml", "fuzz.sh", "fuzz.json"})
    read_or_refuse([&] {
      TrainingTarget target;
      target.system = "nvidia-dgx1-p100";
      target.model = "llama-3.1-8b";
      training_scenario(parse_training_file(text, name), target);
    });
  read_or_refuse([&] {
    serving_text(parse_engine_command({std::string(text)}), "llama-3.1-8b", "nvidia-l40s");
  });
  read_or_refuse([&] { model_entry(parse_model_config(text, "config.json"), 4096); });
  read_or_refuse([&] { fio_scenario(parse_fio_job(text, "fuzz.fio"), "nvidia-dgx1-p100", {}); });
  read_or_refuse([&] { parse_fio_file(text_of(parse_fio_file(text, "fuzz.fio")), "again.fio"); });
  return 0;
}
