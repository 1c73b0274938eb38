// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/base/labels/label_text.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/clicks.h"
#include "ui/model/build/job_form.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

const std::string kAllExamples = GPUFEED_SOURCE_DIR "/examples";

void answered(Clicks& hands) { hands.settle_answered(); }

}  // namespace

TEST_CASE("a 70B model on eight H200 is begun by its job, without a key") {
  const TemporaryFolder folder;
  Clicks hands(own_catalog(), kAllExamples);
  hands.settle();
  hands.click("Language model: fine-tune");
  hands.click("job model");
  hands.click("llama-3-70b");
  hands.click("LoRA");
  hands.type("job amount", "2");
  hands.click("Server, 8 × H200");
  answered(hands);
  CHECK(hands.actions() <= 25);
  const Scenario& scenario = *hands.session().answered();
  CHECK(scenario.system->gpus.size() == 8);
  CHECK(scenario.system->gpus.front().model.name == "nvidia-h200-sxm5-141gb");
  CHECK(scenario.workload.find<FeedsGpus>()->model.name == "llama-3-70b");
  CHECK(scenario.parallel);
  CHECK(scenario.checkpoint);
  const Result& result = *hands.session().result();
  REQUIRE(result.job_tokens_per_s);
  const auto file = folder / "mine.toml";
  hands.session().save(file);
  answered(hands);
  CHECK(simulate(load_scenario(file, own_catalog())).job_tokens_per_s ==
        hands.session().result()->job_tokens_per_s);
}

TEST_CASE("what the start page says of a machine is what it turns out to be") {
  Clicks hands(own_catalog(), kAllExamples);
  hands.settle();
  hands.app().finish_effects();
  hands.frames(2);
  const std::string machine = start_machines()[2].name;
  const auto effect = hands.app().effect_of(machine);
  REQUIRE(effect);
  CHECK(effect->problem == "");
  REQUIRE(effect->answered);
  hands.click(start_machines()[2].title);
  answered(hands);
  CHECK(hands.session().result()->job_samples_per_s == effect->samples_per_s);
  CHECK(hands.session().result()->price_USD == effect->price_USD);
  CHECK(hands.session().result()->job_gpu_utilization == effect->busy);
}

TEST_CASE("40 TB of images lie on a shared store, with what counts kept for the search") {
  Clicks hands(own_catalog(), kAllExamples);
  hands.settle();
  hands.type("job amount", "40 TB");
  hands.click("job store");
  hands.click("vast-ceres-8-cnodes");
  hands.click("A budget");
  hands.type("job limit", "900000");
  hands.click("Server, 8 × H200");
  answered(hands);
  CHECK(hands.actions() <= 12);
  const Scenario& scenario = *hands.session().answered();
  CHECK(text_of(scenario.data.at.id) == "store");
  const Dataset& data = *scenario.workload.find<ReadsDataset>()->dataset;
  CHECK(static_cast<double>(data.samples) * data.sample_size.value ==
        doctest::Approx(40e12).epsilon(0.001));
  CHECK(hands.app().view().find.form.price == "900000");
}

TEST_CASE("data that are too large for the usual drives get larger ones") {
  JobForm form;
  form.amount = "40 TB";
  const Scenario scenario =
      parse_scenario(scenario_of_job(form, start_machines().front().name, own_catalog()),
                     "mine.toml", own_catalog());
  double room = 0;
  for (const auto& drive : scenario.system->drives) room += drive.model->capacity.value;
  CHECK(room > 40e12);
}

TEST_CASE("every usual job is a scenario, on the machine that fits it") {
  for (const JobKind& kind : job_kinds()) {
    for (const std::string& model : kind.models) {
      CAPTURE(model);
      JobForm form;
      form.trains = kind.trains;
      form.model = model;
      try {
        parse_scenario(scenario_of_job(form, start_machines().front().name, own_catalog()),
                       "mine.toml", own_catalog());
      } catch (const InputError& error) {
        // From scratch the largest take more machines, which is said.
        CHECK_MESSAGE(std::string(error.what()).find("too small") != std::string::npos,
                      error.what());
      }
    }
    for (const std::string& dataset : kind.datasets) CHECK(own_catalog().find("dataset", dataset));
  }
  for (const StartMachine& machine : start_machines()) {
    CAPTURE(machine.name);
    CHECK_NOTHROW(parse_scenario(scenario_of_job({}, machine.name, own_catalog()), "mine.toml",
                                 own_catalog()));
  }
}

TEST_CASE("answers that cannot be read are told, and nothing begins") {
  Clicks hands(own_catalog(), kAllExamples);
  hands.settle();
  hands.type("job amount", "much");
  hands.click("Desktop, RTX 4090");
  CHECK(hands.session().standing() == Standing::empty);
  CHECK(hands.app().view().message.find("found \"much\"") != std::string::npos);
}

TEST_CASE("precision, optimizer, sharding, checkpoints and cache are chosen by words") {
  Clicks hands(own_catalog(), kAllExamples);
  hands.session().open(kAllExamples + "/20_finetune_7b/scenario.toml");
  answered(hands);
  struct Chosen {
    const char* group;
    const char* path;
    const char* word;
  };
  for (const Chosen& one :
       {Chosen{"Precision and GPU memory", "workload.precision", "bf16"},
        Chosen{"", "workload.optimizer", "adam"}, Chosen{"", "parallel.shard", "parameters"},
        Chosen{"", "workload.recompute", "full"},
        Chosen{"Checkpoints", "checkpoint.mode", "asynchronous"},
        Chosen{"Loading and cache", "data.mode", "direct"}}) {
    CAPTURE(one.path);
    if (*one.group != '\0') hands.click(one.group);
    hands.click(std::string("form ") + one.path);
    hands.click(std::string(one.path) + "=" + one.word);
    answered(hands);
    CHECK(to_toml(*hands.session().answered()).find('"' + std::string(one.word) + '"') !=
          std::string::npos);
  }
  hands.type("form checkpoint.interval_steps", "77");
  answered(hands);
  CHECK(hands.session().answered()->checkpoint->interval_steps == 77);
}

TEST_CASE("a choice that cannot be simulated shows in its control, and no figure as of it") {
  Clicks hands(own_catalog(), kAllExamples);
  hands.session().open(kAllExamples + "/20_finetune_7b/scenario.toml");
  answered(hands);
  hands.click("Precision and GPU memory");
  hands.type("form parallel.tensor", "7");
  hands.settle();
  CHECK(hands.session().standing() == Standing::wrong);
  const auto& rows = hands.app().view().settings;
  CHECK(std::ranges::find(rows, "parallel.tensor", &SettingRow::path)->value == "7");
  CHECK(hands.shows("form parallel.tensor"));
}

TEST_CASE("the cheapest fix is a button beside the verdict, and what it promises comes true") {
  Clicks hands(own_catalog(), kAllExamples);
  hands.session().open(kAllExamples + "/22_two_desktop_cards/scenario.toml");
  answered(hands);
  const double before = hands.session().result()->job_samples_per_s;
  hands.app().adviser().finish();
  hands.frames(4);
  hands.click("Try the fix");
  answered(hands);
  CHECK(hands.session().result()->job_samples_per_s > before);
}

}  // namespace gpufeed::ui
