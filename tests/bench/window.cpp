// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/window.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "sim/base/numbers/statistics.h"
#include "sim/model/scenario.h"
#include "tests/bench/seconds.h"
#include "ui/model/build/choices.h"
#include "ui/model/build/choosing.h"
#include "ui/model/decide/advice.h"
#include "ui/model/keep/examples.h"
#include "ui/model/work/effects.h"
#include "ui/model/work/session.h"

using namespace gpufeed;
using namespace gpufeed::ui;
using Json = nlohmann::ordered_json;

namespace {

const std::string kSource = GPUFEED_SOURCE_DIR;

Catalog catalog() { return Catalog({kSource + "/hw_catalog", kSource + "/workloads"}); }

/// Until the headline stands; its range comes later.
double edit_s(Session& session, const std::string& seed) {
  return seconds_of(
      [&] {
        session.edit("run.seed", seed);
        while (session.standing() == Standing::updating) {
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          session.poll();
        }
      },
      1);
}

Json edits() {
  Json out;
  std::vector<double> all;
  for (const Example& example : examples_in(kSource + "/examples")) {
    Session session(catalog());
    session.open(example.file);
    session.finish();
    if (session.standing() != Standing::current) continue;
    std::vector<double> times;
    for (const char* seed : {"11", "12", "13", "14", "15"}) times.push_back(edit_s(session, seed));
    all.push_back(median(times));
    out[example.folder] = all.back();
  }
  out["median"] = median(all);
  return out;
}

/// Another drive for example 01: those that fit and are in sight of a list.
Json choices() {
  constexpr std::size_t kInSight = 24;
  Session session(catalog().remembering());
  session.open(kSource + "/examples/01_local_or_shared/scenario.toml");
  session.finish();
  const auto groups = part_groups(*session.scenario()->system);
  const auto drives = std::ranges::find(groups, "drive", &PartGroup::kind);
  std::vector<std::string> names;
  for (const Choice& choice : choices_of(session.catalog(), "drive")) names.push_back(choice.name);
  Effects effects(session.catalog());
  const Choosing choosing = choosing_for(*drives);
  const double checked = seconds_of(
      [&] {
        effects.begin(
            names, [&](const std::string& name) { return choosing.with(session.text(), name); },
            session.file().string());
        effects.finish();
      },
      1);
  std::vector<std::string> in_sight;
  for (const std::string& name : names)
    if (in_sight.size() < kInSight && effects.of(name)->problem.empty()) in_sight.push_back(name);
  const double answered = seconds_of(
      [&] {
        effects.want(in_sight);
        effects.finish();
      },
      1);
  return {{"choices", names.size()},
          {"checked_s", checked},
          {"in_sight", in_sight.size()},
          {"answered_s", answered}};
}

Json advice() {
  Json out;
  for (const char* example : {"01_local_or_shared", "13_sweep_on_slurm", "17_gpus_at_half"}) {
    Session session(catalog());
    session.open(kSource + "/examples/" + example + "/scenario.toml");
    session.finish();
    Adviser adviser(session.catalog());
    out[example] = seconds_of(
        [&] {
          adviser.begin(
              {session.text(), session.file().string(), session.answered(), session.result()});
          adviser.finish();
        },
        1);
  }
  return out;
}

}  // namespace

Json window_times() {
  return {{"edit_to_answer_s", edits()}, {"choices", choices()}, {"advice_s", advice()}};
}
