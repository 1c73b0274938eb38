// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/new_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <tuple>
#include <type_traits>

#include "calib/discover/live.h"
#include "calib/discover/system_toml.h"
#include "sim/base/labels/label_text.h"
#include "sim/load/chassis/fits.h"
#include "sim/load/load.h"
#include "sim/load/read/reader.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/catalog/chassis.h"

namespace gpufeed::ui {
namespace {

const std::string kJob =
    "\n[workload]\nmodel = \"resnet-50\"\nframework = \"pytorch\"\n"
    "dataset = \"imagenet-1k\"\nbatch_per_gpu = 64\n";
const std::string kLoading =
    "\n[workload]\nkind = \"loader\"\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n"
    "batch_per_gpu = 64\n";

/// Puts a machine together part by part; what cannot be built is not taken.
class Maker {
 public:
  /// \param gpu  of these as many as it takes; empty: those it comes with, or usual ones
  Maker(const std::string& name, const std::string& gpu, const Catalog& catalog)
      : catalog_(catalog), gpu_(gpu), reader_(catalog_, "", ignored_) {
    text_ = fmt::format("[system]\nchassis = {}\n", toml_string(name));
    if (const auto file = catalog_.find(Chassis::kKind, name))
      chassis_ = reader_.entry_of<Chassis>(*file);
  }

  std::string make() {
    if (chassis_) {
      if (chassis_->cpu.empty()) add_cpus();
      if (chassis_->memory.empty()) add_memory();
      if (!gpu_.empty())
        add_most("gpu", {gpu_}, kMostGpus);
      else if (chassis_->gpu.empty())
        add_most("gpu", likely<Gpu>(kMostGpus), kMostGpus);
      if (chassis_->drives.empty()) add_most("drives", likely<Drive>(kMostDrives), kMostDrives);
    }
    return text_;
  }
  /// The parts of a server of a store, one a line.
  std::string make_for_store() {
    if (chassis_ && chassis_->cpu.empty()) add_cpus();
    if (chassis_ && chassis_->memory.empty()) add_memory();
    if (chassis_ && chassis_->drives.empty())
      add_most("drives", likely<Drive>(kMostDrivesOfStore), kMostDrivesOfStore, 1);
    return text_.substr(text_.find('\n') + 1);
  }
  bool has_gpus() const { return has_gpus_ || (chassis_ && !chassis_->gpu.empty()); }

 private:
  static constexpr std::int64_t kMostGpus = 8;
  static constexpr std::int64_t kMostDrives = 4;
  static constexpr std::int64_t kMostDrivesOfStore = 24;

  /// Years between the chassis and a part; parts that do not tell theirs are far away.
  template <class Product>
  double age(const Product& one) const {
    constexpr double kUnknown = 20;
    if (!one.released || !chassis_->released) return kUnknown;
    return std::abs(static_cast<double>(*one.released - *chassis_->released));
  }

  template <class Product>
  std::vector<std::shared_ptr<const Product>> all() {
    std::vector<std::shared_ptr<const Product>> found;
    for (const auto& name : catalog_.names(Product::kKind))
      if (const auto file = catalog_.find(Product::kKind, name))
        if (auto entry = reader_.entry_of<Product>(*file)) found.push_back(std::move(entry));
    return found;
  }

  /// Those that fit a slot of the chassis and say what they cost, of its time first.
  template <class Product>
  Names likely(std::int64_t most) {
    std::vector<std::tuple<bool, double, double, std::string>> found;
    for (const auto& one : all<Product>()) {
      std::int64_t room = 0;
      bool module = false;
      for (const Slot& slot : chassis_->slots)
        if (fits(slot, *one) && unsaid(slot, *one).empty()) {
          room += slot.count;
          module = module || slot.takes == SlotKind::module;
        }
      if constexpr (std::is_same_v<Product, Gpu>) {
        if (!may_fill(*chassis_, *one)) continue;
      }
      if (room == 0 || (!one->price && !module)) continue;
      // Of parts alike, the less dear.
      found.emplace_back(!one->price || (!module && room < most), age(*one),
                         one->price ? one->price->value : 0, one->name);
    }
    std::ranges::sort(found);
    Names names;
    for (const auto& one : found) names.push_back(std::get<3>(one));
    return names;
  }

  void add_cpus() {
    std::vector<std::shared_ptr<const Cpu>> fitting;
    for (auto& one : all<Cpu>())
      if (one->socket == chassis_->socket && (chassis_->sockets == 1 || one->socket_links != 0))
        fitting.push_back(std::move(one));
    // The middle one of the generation that is the chassis' own.
    std::ranges::sort(fitting, {}, [&](const auto& one) {
      return std::tuple(!one->price, age(*one), one->cores, one->name);
    });
    const auto same = std::ranges::find_if(fitting, [&](const auto& one) {
      return age(*one) != age(*fitting.front()) || !one->price != !fitting.front()->price;
    });
    if (fitting.empty()) return;
    const auto& middle = fitting[static_cast<std::size_t>(same - fitting.begin()) / 2];
    take(fmt::format("cpu = {}\n",
                     toml_string(fmt::format("{} x {}", chassis_->sockets, middle->name))));
  }

  void add_memory() {
    for (const char* size : {"512 GB", "768 GB", "1 TB", "1.5 TB", "384 GB", "256 GB", "192 GB",
                             "128 GB", "2 TB", "3 TB", "64 GB", "480 GB", "32 GB"})
      if (can_be_built(text_ + fmt::format("memory = \"{}\"\n", size)))
        return take(fmt::format("memory = \"{}\"\n", size));
  }

  /// \param less  how many fewer are tried next; 0: half
  void add_most(const std::string& key, const Names& products, std::int64_t most,
                std::int64_t less = 0) {
    constexpr std::size_t kTried = 4;
    for (std::size_t i = 0; i < std::min(products.size(), kTried); ++i)
      for (std::int64_t count = most; count > 0; count = less > 0 ? count - less : count / 2) {
        const std::string line =
            fmt::format("{} = {}\n", key, toml_string(fmt::format("{} x {}", count, products[i])));
        if (!can_be_built(text_ + line)) continue;
        has_gpus_ = has_gpus_ || key == "gpu";
        return take(line);
      }
  }

  bool can_be_built(const std::string& text) const {
    try {
      parse_system(text, "", catalog_);
      return true;
    } catch (const InputError&) {
      return false;
    }
  }

  void take(const std::string& line) { text_ += line; }

  Catalog catalog_;
  std::string gpu_;
  Diagnostics ignored_;
  Reader reader_;
  std::shared_ptr<const Chassis> chassis_;
  std::string text_;
  bool has_gpus_ = false;
};

/// Where training reads: the first volume, or else drive, of the machine; nothing where it has
/// neither, or cannot be built.
std::string data_lines(const std::string& system_lines, const Catalog& catalog) {
  try {
    const auto system = parse_system(system_lines, "", catalog);
    const std::string at = !system->volumes.empty()  ? text_of(system->volumes.front().id)
                           : !system->drives.empty() ? text_of(system->drives.front().id)
                                                     : "";
    return at.empty() ? "" : fmt::format("\n[data]\nat = {}\n", toml_string(at));
  } catch (const InputError&) {
    return "\n[data]\nat = \"scratch\"\n";
  }
}

}  // namespace

bool may_fill(const Chassis& chassis, const Gpu& gpu) {
  const bool board = std::ranges::count(chassis.slots, SlotKind::module, &Slot::takes) > 0;
  return std::ranges::any_of(chassis.slots, [&](const Slot& slot) {
    if (board && slot.takes != SlotKind::module) return false;
    return fits(slot, gpu) && unsaid(slot, gpu).empty();
  });
}

std::string scenario_of_chassis(const std::string& chassis, const Catalog& catalog) {
  const Catalog known = catalog.cache() ? catalog : catalog.remembering();
  const std::size_t end = chassis.find(kFilledWith);
  Maker maker(chassis.substr(0, end),
              end == std::string::npos ? "" : chassis.substr(end + kFilledWith.size()), known);
  const std::string system = maker.make();
  return "schema = 1\n\n" + system + (maker.has_gpus() ? kJob : kLoading) +
         data_lines(system, known);
}

std::string server_of_chassis(const std::string& chassis, const Catalog& catalog) {
  const Catalog known = catalog.cache() ? catalog : catalog.remembering();
  std::string lines = Maker(chassis, "", known).make_for_store();
  while (lines.ends_with('\n')) lines.pop_back();
  for (std::size_t end = 0; (end = lines.find('\n', end)) != std::string::npos;)
    lines.replace(end, 1, ", ");
  return lines;
}

std::string scenario_of_found(const std::string& system, const Catalog& catalog) {
  std::string lines = "[system]\n";
  bool has_gpus = false;
  std::istringstream in(system);
  for (std::string line; std::getline(in, line);) {
    const std::size_t brackets = line.starts_with("[[") ? 2 : line.starts_with('[') ? 1 : 0;
    has_gpus = has_gpus || line.starts_with("[[gpu]]");
    if (brackets > 0) line.insert(brackets, "system.");
    lines += line + "\n";
  }
  return "schema = 1\n\n" + lines + (has_gpus ? kJob : kLoading) + data_lines(lines, catalog);
}

std::string scenario_of_this_machine(const Catalog& catalog) {
  return scenario_of_found(system_of(this_machine(), Recognizer(catalog)).toml, catalog);
}

std::string scenario_of_system(const std::string& system, const Catalog& catalog) {
  const std::string line = fmt::format("system = {}\n", toml_string(system));
  return "schema = 1\n" + line + kJob + data_lines(line, catalog);
}

}  // namespace gpufeed::ui
