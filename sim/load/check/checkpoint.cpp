// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sim/base/labels/label_text.h"
#include "sim/load/check/checks.h"
#include "sim/load/check/join_parts.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/compute.h"
#include "sim/model/failures/machine.h"
#include "sim/model/gpu_memory.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

class CheckpointChecker {
 public:
  CheckpointChecker(Scenario& scenario, const System& system, Diagnostics& out)
      : scenario_(scenario), checkpoint_(*scenario.checkpoint), system_(system), out_(out) {}

  void check() {
    fill_defaults();
    check_place();
    check_memory();
  }

 private:
  void fill_defaults() {
    if (!checkpoint_.at.given()) {
      checkpoint_.at = scenario_.data.at;
      scenario_.defaults.push_back({"checkpoint.at", toml_value(checkpoint_.at)});
    }
    if (!checkpoint_.writers.given && is_in_parts()) {
      checkpoint_.writers.value = CheckpointWriters::all;
      scenario_.defaults.push_back({"checkpoint.writers", toml_value(checkpoint_.writers.value)});
    }
    if (!scenario_.workload.model()) return;
    check_form();
    if (checkpoint_.size) return;
    checkpoint_.size =
        training_state(scenario_.workload.get<kind::Training>(), checkpoint_.form).saved;
    scenario_.defaults.push_back({"checkpoint.size", toml_value(*checkpoint_.size)});
    if (!checkpoint_.form.given)
      scenario_.defaults.push_back({"checkpoint.form", toml_value(checkpoint_.form.value)});
  }

  /// Whether the size is another than its form has, as it is not where an answer tells both.
  bool saves_otherwise() const {
    constexpr double kAsTold = 1e-3;
    const double by_form =
        training_state(scenario_.workload.get<kind::Training>(), checkpoint_.form).saved.value;
    return std::abs(checkpoint_.size->value / by_form - 1) > kAsTold;
  }

  void check_form() {
    const KeyPath key("checkpoint.form");
    const Location& where = checkpoint_.where;
    if (checkpoint_.form != CheckpointForm::torch && checkpoint_.size && saves_otherwise())
      out_.refuse("checkpoint.form", where,
                  " and checkpoint.size exclude each other; leave one out")
          .code = ProblemCode::conflict;
    if (checkpoint_.form == CheckpointForm::safetensors && scenario_.failures)
      out_.refuse(ProblemCode::conflict, key, where,
                  ": weights alone do not take a training up where a failure ended it; set "
                  "\"torch\" or \"megatron\"");
  }

  /// Whether no GPU holds all of what is saved: ranks of FSDP, ZeRO and Megatron each save theirs.
  bool is_in_parts() const {
    return gpus_per_replica(scenario_) > 1 ||
           (scenario_.parallel &&
            (scenario_.parallel->shard != Sharding::none || scenario_.parallel->expert > 1));
  }

  void check_place() {
    PartRef& at = checkpoint_.at;
    if (!at.given() || at.id == scenario_.data.at.id) {
      // A wrong data.at has been reported.
      at.part = scenario_.data.at.part;
      check_writable(scenario_, {at.id, checkpoint_.where, at.part}, "checkpoint.at", out_);
      return;
    }
    join_part(at, kPlaces, scenario_, system_);
    Names known;
    for (const auto& volume : system_.volumes) known.push_back(text_of(volume.id));
    for (const auto& [name, store] : scenario_.store) known.push_back(name);
    for (const auto& drive : system_.drives) known.push_back(text_of(drive.id));
    if (!at.part)
      out_.add(
          unknown_part(at.where, "checkpoint.at", "volume, drive or store", text_of(at.id), known));
    check_writable(scenario_, at, "checkpoint.at", out_);
  }

  /// Asynchronous ones lie in host memory until they are written; so does what one rank gathers.
  void check_memory() {
    Bytes memory{};
    for (const auto& socket : system_.sockets) memory += socket.memory;
    const bool waits = checkpoint_.mode == CheckpointMode::asynchronous;
    const bool gathers = checkpoint_.writers == CheckpointWriters::one && is_in_parts();
    if ((!waits && !gathers) || memory.value == 0) return;
    const Bytes held = checkpoint_of_node(scenario_);
    if (held <= memory) return;
    if (waits)
      out_.refuse(ProblemCode::too_large, "checkpoint", checkpoint_.where,
                  ": asynchronous ones keep {} in host memory until they are written, and "
                  "{} has {}; write them synchronously",
                  text(held, 3), scenario_.system.name, text(memory, 3));
    else
      out_.refuse(ProblemCode::too_large, "checkpoint.writers", checkpoint_.where,
                  ": one GPU gathers {} of all others in host memory, and {} has {}; set \"all\"",
                  text(held, 3), scenario_.system.name, text(memory, 3));
  }

  Scenario& scenario_;
  Checkpoint& checkpoint_;
  const System& system_;
  Diagnostics& out_;
};

}  // namespace

void check_failures(const Scenario& scenario, const System& system, Diagnostics& out) {
  if (!scenario.failures || !scenario.workload.is<kind::Training>()) return;
  if (scenario.failures->mtbf || failures_per_second(system, std::ssize(system.gpus)).rate > 0)
    return;
  out.refuse(ProblemCode::missing_key, "failures.mtbf", scenario.failures->where,
             " is needed: nothing in the catalog says how often {} or its parts fail; give the "
             "mean time between failures of one machine, such as \"4000 h\"",
             scenario.system.name);
}

void check_checkpoint(Scenario& scenario, const System& system, Diagnostics& out) {
  if (scenario.checkpoint && scenario.workload.is<kind::Training>())
    CheckpointChecker(scenario, system, out).check();
}

}  // namespace gpufeed
