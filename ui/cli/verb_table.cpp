// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/verb_table.h"

#include "ui/cli/verb_parts.h"

namespace gpufeed::cli {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> kVerbs{
      Verb{"simulate", "say how fast scenarios train and what holds them back", simulate_verb},
      Verb{"ui", "open a window: put a machine together and see it work", ui_verb},
      Verb{"examples", "list the examples, or copy one to try", examples_verb},
      Verb{"tour", "walk through one example in two minutes", tour_verb},
      Verb{"doctor", "say what this machine has and lacks, and how to get it", doctor_verb},
      Verb{"check", "say whether scenarios are good, and which keys they may have", check_verb},
      Verb{"new", "write a scenario to start from", new_verb},
      Verb{"catalog",
           "list and show the products, models and data sets known",
           catalog_verb,
           {"list", "show", "prices"}},
      Verb{"dataset", "measure a folder of samples into a data set entry", dataset_verb},
      Verb{"import",
           "read others' files: DLIO (MLPerf Storage), fio, access logs, config.json",
           import_verb,
           {"dlio", "fio", "log", "cluster", "model", "training", "vllm"}},
      Verb{"export",
           "write a scenario for others: fio, DLIO, elbencho, IOR, nccl-tests, PyTorch",
           export_verb,
           {"fio", "dlio", "elbencho", "ior", "nccl-tests", "pytorch"}},
      Verb{"discover", "describe this machine, or another's, as a system", discover_verb},
      Verb{"calibrate", "measure this machine, or fit a drive to what fio measured",
           calibrate_verb},
      Verb{"replay", "run a loader for real here, and hold the prediction against it", replay_verb},
      Verb{"observe", "watch a job, or read what monitors saw of it, for simulate --observed",
           observe_verb},
      Verb{"anchor", "set the one number that a scenario leaves open by one measured run",
           anchor_verb},
      Verb{"compare", "put scenarios side by side: what differs, and what comes of it",
           compare_verb},
      Verb{"whatif", "try changes of a scenario: what each gives, costs and draws", whatif_verb},
      Verb{"recommend", "find the cheapest machine for a job, or the Pareto front, with proof",
           recommend_verb},
      Verb{"requests",
           "say what memory, time and GPUs jobs need, learned from a log of earlier ones",
           requests_verb},
      Verb{"sweep", "simulate a scenario for many values of its keys", sweep_verb},
      Verb{"merge", "join the shards of a sweep", merge_verb},
      Verb{"validate", "hold predictions against what was measured", validate_verb}};
  return kVerbs;
}

std::vector<VerbText> texts_of(const Verb& verb) {
  if (verb.parts.empty()) return {text_of(verb.run)};
  std::vector<VerbText> texts;
  for (const auto& part : verb.parts) texts.push_back(text_of(verb.run, {part}));
  return texts;
}

}  // namespace gpufeed::cli
