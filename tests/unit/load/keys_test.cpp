// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/key_help.h"
#include "sim/load/load.h"
#include "sim/load/read/forms.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

const std::string kFull =
    "system = \"nvidia-dgx1-p100\"\n"
    "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\nepochs = 2\n"
    "[[workload.target]]\nglobal_batch = 512\nsamples = 100000000\nsource = \"s\"\n"
    "basis = \"measured\"\n"
    "[data]\nat = \"scratch\"\nstaging = { from = \"nas\", mode = \"read-through\" }\n"
    "[parallel]\n"
    "[checkpoint]\ninterval_steps = 1000\n"
    "[store.nas]\nmodel = \"pure-flashblade-15-blade\"\n";

/// Every key of a loaded scenario that has a value, as `--set` names it.
class Walk {
 public:
  template <class M>
  void add(const std::string& path, const M& value) {
    if constexpr (IsOptional<M>::value) {
      if (value) add(path, *value);
    } else if constexpr (IsDefaulted<M>::value) {
      add(path, value.value);
    } else if constexpr (IsRef<M>::value) {
      if (value) add_table(path, *value);
    } else if constexpr (HasFields<M>) {
      add_table(path, value);
    } else if constexpr (requires { value.begin()->second; }) {
      for (const auto& [name, item] : value) add(fmt::format("{}.{}", path, name), item);
    } else if constexpr (requires { toml_value(value); }) {
      if (const auto text = toml_value(value); text != "\"\"" && text != "[]")
        settings.push_back(path + "=" + text);
    } else {
      for (std::size_t i = 0; i < value.size(); ++i) add(fmt::format("{}[{}]", path, i), value[i]);
    }
  }
  template <class T>
  void add_table(const std::string& path, const T& table) {
    for_each_member(table, [&](const auto& rule, const auto& member) {
      add(path.empty() ? std::string(rule.name) : fmt::format("{}.{}", path, rule.name), member);
    });
  }

  std::vector<std::string> settings;
};

std::string refusal(const std::string& setting) {
  return refusal_of(
      [&] { parse_scenario(kFull, "full.toml", own_catalog(), {parse_override(setting)}); });
}

bool lists(const std::string& type, const std::string& key) {
  return std::ranges::any_of(
      all_keys(), [&](const KeyHelp& one) { return text(one.table) == type && one.key == key; });
}

}  // namespace

TEST_CASE("every key of a scenario, its system and its catalog entries can be set") {
  Walk walk;
  walk.add_table("", parse_scenario(kFull, "full.toml", own_catalog()));
  CHECK(walk.settings.size() > 300);
  std::vector<std::string> refused;
  for (const auto& setting : walk.settings)
    if (const auto why = refusal(setting); why != "accepted") refused.push_back(why);
  for (const auto& why : refused) MESSAGE(why);
  CHECK(refused.empty());
}

TEST_CASE("one value of a catalog part is replaced, and counts as the user's") {
  const std::string setting = "system.drive[ssd0].model.read_bandwidth=9 GB/s";
  const Scenario scenario =
      parse_scenario(kFull, "full.toml", own_catalog(), {parse_override(setting)});
  const auto& drives = scenario.system->drives;
  CHECK(drives[0].model->read_bandwidth == Bandwidth{9e9});
  CHECK(drives[0].model.name == drives[1].model.name);
  CHECK(drives[0].model->read_latency == drives[1].model->read_latency);
  CHECK(drives[0].model->provenance_of("read_bandwidth").source == "--set " + setting);
  CHECK(drives[0].model->provenance_of("read_latency").source ==
        drives[1].model->provenance_of("read_latency").source);
  CHECK(refusal("store.nas.model.read_bandwith=9 GB/s").find("read_bandwidth") !=
        std::string::npos);
  CHECK(refusal("workload.job.step_overhead=1 ms").find("is a key of kind \"emulated\"") !=
        std::string::npos);
}

TEST_CASE("a key of another kind is refused, and says whose it is") {
  const auto refused = [](const std::string& workload) {
    return refusal_of([&] {
      parse_scenario("system = \"nvidia-dgx1-p100\"\n[workload]\n" + workload, "k.toml",
                     own_catalog());
    });
  };
  CHECK(refused("kind = \"training\"\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n"
                "copy = []\n") ==
        "k.toml:6:1: error: workload: \"copy\" is a key of kind \"transfers\"; this workload is of "
        "kind \"training\"\n");
  CHECK(refused("tests = [\"host_to_device\"]\nmodel = \"resnet-50\"\n"
                "dataset = \"imagenet-1k\"\n") ==
        "k.toml:3:1: error: workload: \"tests\" is a key of kind \"transfers\"; this workload is "
        "of kind \"training\", as it names none\n");
  CHECK(refused("kind = \"transfers\"\ntests = [\"host_to_device\"]\nepochs = 2\n") ==
        "k.toml:5:1: error: workload: \"epochs\" is a key of kind \"training\", \"emulated\", "
        "\"loader\"; this workload is of kind \"transfers\"\n");
}

TEST_CASE("the list of keys holds every table that a file may have, kind by kind") {
  CHECK(lists("[fabric]", "rails"));
  CHECK(lists("[parallel]", "tensor"));
  CHECK(lists("[[workload.target]]", "global_batch"));
  CHECK(lists("[store.NAME]", "stripes"));
  CHECK(lists("[workload] of kind io", "io"));
  CHECK(lists("[workload] of kind training", "batch_per_gpu"));
  CHECK_FALSE(lists("[workload] of kind io", "batch_per_gpu"));
  CHECK(lists("catalog protocol", "title"));
  CHECK(lists("[[socket]] of a system", "memory"));
  CHECK(lists("[[axis]] of a sweep", "values"));
  CHECK(lists("[[case]] of a validation", "title"));
  CHECK(lists("[[cost]] of collectives", "source"));
  CHECK(lists("[save_bandwidth] of an observed run", "value"));
}
