// SPDX-License-Identifier: Apache-2.0
// Machines of a chassis and parts: each chassis works, one that is in the catalog as a system gives
// the same answer, and what can be built simulates.
#include <doctest/doctest.h>

#include <fmt/format.h>
#include <concepts>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/labels/label_text.h"
#include "sim/base/numbers/random.h"
#include "sim/load/read/reader.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/draws.h"

using namespace gpufeed;

namespace {

template <class T>
using Entries = std::vector<std::shared_ptr<const T>>;

/// All entries of a kind that can be bought.
template <class T>
const Entries<T>& all() {
  static const Entries<T> entries = [] {
    Diagnostics out;
    Reader reader(own_catalog(), "", out);
    Entries<T> found;
    for (const auto& name : own_catalog().names(T::kKind))
      found.push_back(reader.entry_of<T>(*own_catalog().find(T::kKind, name)));
    out.throw_if_any();
    if constexpr (std::derived_from<T, Purchase>)  // machines are made of what is for sale
      std::erase_if(found, [](const auto& entry) { return !entry->not_sold.empty(); });
    return found;
  }();
  return entries;
}

/// Those that `wanted` tells.
template <class T, class Wanted>
Entries<T> those(Wanted wanted) {
  Entries<T> found;
  for (const auto& entry : all<T>())
    if (wanted(*entry)) found.push_back(entry);
  return found;
}

template <class T>
const T& any(const Entries<T>& entries, Random& random) {
  REQUIRE(!entries.empty());
  return *entries[static_cast<std::size_t>(
      random.integer(0, static_cast<std::int64_t>(entries.size()) - 1))];
}

const Slot* slot_for(const Chassis& chassis, SlotKind kind) {
  const Slot* widest = nullptr;
  for (const auto& slot : chassis.slots)
    if (slot.takes == kind && (!widest || slot.width > widest->width)) widest = &slot;
  return widest;
}

struct Machine {
  std::string text;
  bool has_gpus = false;
  bool has_drives = false;
};

std::string line(std::string_view key, std::int64_t count, const std::string& name) {
  return fmt::format("{} = \"{} x {}\"\n", key, count, name);
}

/// Whether a GPU has as many links as the board of the chassis has of those it comes with.
bool has_links(const Gpu& gpu, const Chassis& chassis) {
  if (chassis.nvlinks.empty() && chassis.mesh == 0) return true;
  for (const auto& one : all<Gpu>())
    if (!chassis.gpu.empty() && text_of(chassis.gpu[0].id).ends_with(" " + one->name))
      return gpu.nvlinks.value_or(0) >= one->nvlinks.value_or(0);
  return true;
}

/// A machine that can be built: parts by what they say that they fit.
Machine machine(const Chassis& chassis, Random& random) {
  Machine made{fmt::format("[system]\nchassis = \"{}\"\n", chassis.name)};
  const auto cpus = those<Cpu>([&](const Cpu& cpu) {
    return cpu.socket == chassis.socket && cpu.memory_channels && cpu.memory &&
           *cpu.memory_channels <= chassis.memory_slots.value_or(64) &&
           (chassis.sockets == 1 || cpu.socket_links.value_or(0) > 0);
  });
  if (!cpus.empty()) {
    const Cpu& cpu = any(cpus, random);
    made.text += line("cpu", chassis.sockets, cpu.name);
    const auto& sizes = (*cpu.memory)->modules;
    const Bytes size = sizes[static_cast<std::size_t>(random.integer(1, 2)) % sizes.size()];
    made.text += fmt::format("memory = \"{} x {} GiB\"\n", chassis.sockets * *cpu.memory_channels,
                             size.value / 1073741824);
  }
  const Slot* board = slot_for(chassis, SlotKind::module);
  const Slot* cards = slot_for(chassis, SlotKind::card);
  if (board) {
    const auto gpus = those<Gpu>([&](const Gpu& gpu) {
      const Power draw = gpu.power.value_or(Power{}) * static_cast<double>(board->count);
      return gpu.board == board->board && gpu.link.name == board->link->name &&
             draw <= chassis.power_supply.value_or(Power{1e9}) * 0.75 && has_links(gpu, chassis);
    });
    const Gpu& gpu = any(gpus, random);
    made.text += line("gpu", board->count * gpu.dies_per_board, gpu.name);
    made.has_gpus = true;
  } else if (cards && cards->width > 1) {
    const auto gpus = those<Gpu>([&](const Gpu& gpu) {
      return gpu.form == GpuForm::card && gpu.slots && *gpu.slots <= cards->width &&
             gpu.dies_per_board == 1;
    });
    const Gpu& gpu = any(gpus, random);
    std::int64_t count = random.integer(1, cards->count);
    // What is left of the power supplies feeds all else.
    if (chassis.power_supply && gpu.power)
      while (count > 1 && static_cast<double>(count) * *gpu.power > *chassis.power_supply * 0.5)
        --count;
    made.text += line("gpu", count, gpu.name);
    made.has_gpus = true;
  }
  if (const Slot* bay = slot_for(chassis, SlotKind::bay)) {
    const auto drives = those<Drive>([&](const Drive& drive) {
      return drive.form && std::ranges::count(bay->forms, *drive.form) > 0 &&
             drive.capacity.value > 3e11;
    });
    made.text += line("drives", random.integer(1, bay->count), any(drives, random).name);
    made.has_drives = true;
  }
  if (chassis.nics.empty() && cards) made.text += line("nics", 1, "intel-e810-25g");
  return made;
}

/// A few steps of ImageNet.
std::string job(const Machine& made, std::int64_t samples) {
  return fmt::format(
      "[workload]\nkind = \"{}\"\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n"
      "batch_per_gpu = 8\n{}[run]\nreplications = 0\nrange_samples = 0\n",
      made.has_gpus ? "training" : "loader",
      samples > 0 ? fmt::format("samples = {}\n", samples) : "");
}

Result answer(const std::string& text) {
  return simulate(parse_scenario(text, "machine.toml", own_catalog()));
}

}  // namespace

TEST_CASE("every chassis trains an epoch of ImageNet, or reads it") {
  CHECK(all<Chassis>().size() >= 25);
  for (const auto& chassis : all<Chassis>()) {
    CAPTURE(chassis->name);
    Random random(1);
    const Machine made = machine(*chassis, random);
    CAPTURE(made.text);
    CHECK((chassis->sockets == 1 || (chassis->socket_link && chassis->socket_links > 0)));
    CHECK(answer(made.text + job(made, 0)).throughput_samples_per_s > 0);
  }
}

TEST_CASE("a machine of the catalog gives the same answer as its chassis with the same parts") {
  std::size_t compared = 0;
  for (const auto& name : own_catalog().names(System::kKind)) {
    if (!own_catalog().find(Chassis::kKind, name)) continue;
    CAPTURE(name);
    ++compared;
    const std::string rest =
        "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\nbatch_per_gpu = 32\n"
        "samples = 200000\n[run]\nreplications = 0\nrange_samples = 0\n";
    const Result as_system = answer(fmt::format("system = \"{}\"\n{}", name, rest));
    const Result as_chassis =
        answer(fmt::format("system = {{ chassis = \"{}\" }}\n{}", name, rest));
    CHECK(as_chassis.throughput_samples_per_s ==
          doctest::Approx(as_system.throughput_samples_per_s).epsilon(0.005));
    REQUIRE(as_chassis.stages.size() == as_system.stages.size());
    for (std::size_t i = 0; i < as_system.stages.size(); ++i) {
      const double capacity = as_system.stages[i].capacity_samples_per_s;
      if (std::isinf(capacity)) continue;
      CAPTURE(form_of(as_system.stages[i].stage.code).name);
      CHECK(as_chassis.stages[i].capacity_samples_per_s ==
            doctest::Approx(capacity).epsilon(0.005));
    }
  }
  CHECK(compared >= 27);
}

TEST_CASE("every machine of the catalog has a chassis, but racks, and those that clouds lend") {
  // An instance is a share of a host: its memory is no whole number of modules (a p2.8xlarge has
  // 488 GiB, a p3.16xlarge 244 GiB a socket, an n1-standard-32 120 GB), the rest belongs to the
  // hypervisor or to others, and nobody can put another part in it. A chassis would offer machines
  // that are not for sale. A rack of many trays is sold as it is.
  for (const auto& system : all<System>()) {
    CAPTURE(system->name);
    const bool is_lent = std::ranges::any_of(std::array{"aws-", "azure-", "gce-"}, [&](auto cloud) {
      return system->name.starts_with(cloud);
    });
    const bool is_rack = system->sockets.size() > 8;
    CHECK(own_catalog().find(Chassis::kKind, system->name).has_value() == !(is_lent || is_rack));
    if (is_lent) CHECK_FALSE(system->price.has_value());
  }
}

TEST_CASE("500 machines that can be built simulate") {
  Random random(7);
  for (int i = 0; i < draws(500); ++i) {
    const Chassis& chassis = any(all<Chassis>(), random);
    const Machine made = machine(chassis, random);
    CAPTURE(made.text);
    CHECK(answer(made.text + job(made, 400)).throughput_samples_per_s > 0);
  }
}
