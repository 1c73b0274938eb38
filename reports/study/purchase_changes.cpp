// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/study/catalog_entries.h"
#include "reports/study/change.h"
#include "reports/study/data_drives.h"
#include "reports/study/part_text.h"
#include "sim/base/labels/label_text.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

constexpr double kClearlyMore = 1.05;

class Purchases {
 public:
  Purchases(const Scenario& scenario, const Catalog& catalog, const ScenarioSource& source)
      : scenario_(scenario),
        system_(*scenario.system),
        catalog_(catalog),
        parts_(scenario, source) {}

  std::vector<Change> all() {
    machines();
    services();
    if (system_.rent_per_hour) return std::move(changes_);  // nothing else is for sale
    drives();
    places_of_drives();
    cards();
    processors();
    memory();
    for (const PartRef& at : read_stores()) {
      if (find_store(scenario_, at)->of_servers) {
        servers(at);
        continue;
      }
      blades(at);
      stores(at);
    }
    return std::move(changes_);
  }

 private:
  void add(std::string subject, std::string text, std::vector<std::string> sets, std::string why) {
    changes_.push_back({std::move(subject), std::move(text), std::move(sets), std::move(why)});
  }

  bool writes_to_drives() const { return scenario_.checkpoint || scenario_.data.staging; }

  static Endurance written(const Drive& drive) {
    return drive.endurance_class.value_or(Endurance::read_intensive);
  }

  bool is_better(const Drive& other, const Drive& now) const {
    if (!is_for_sale(other)) return false;
    if (!other.form || !now.form || !(fits_bay(other, now) || parts_.knows_slots())) return false;
    if (!writes_to_drives() && written(other) > Endurance::read_intensive) return false;
    return other.read_bandwidth > now.read_bandwidth * kClearlyMore ||
           other.read_rate > now.read_rate * kClearlyMore;
  }

  static std::string bay_of(const Drive& drive) {
    if (drive.form == DriveForm::m2) return "M.2 slots";
    if (drive.form == DriveForm::add_in_card) return "slots for cards";
    return fmt::format("{} bays wired for {}", name_of(*drive.form), name_of(wiring_of(drive)));
  }

  /// What other drives are beside those of now, their losses included.
  static std::string why_drives(const Drive& other, const Drive& now) {
    std::string why = other.medium == now.medium ? "a faster drive" : "flash in the place of disks";
    why += fits_bay(other, now) ? " in the same bays" : ", in " + bay_of(other);
    if (fits_bay(other, now) && other.form != now.form) why += ", in frames for smaller ones";
    if (other.capacity < now.capacity)
      why += fmt::format("; one holds {} instead of {}", text(other.capacity, 3),
                         text(now.capacity, 3));
    return why;
  }

  void drives() {
    const auto drives = data_drives(scenario_);
    if (drives.empty()) return;
    const Names ids = texts_of(labels_of(scenario_, drives_at(system_, scenario_.data.at)));
    const Drive& now = *drives.front()->model;
    const std::string& name = drives.front()->model.name;
    const auto count = static_cast<std::int64_t>(drives.size());
    const bool on_sale = now.form.has_value();
    for (const std::int64_t more : {count + 1, 2 * count, 4 * count})
      if (on_sale && (more > count + 1 || count == 1))
        if (auto sets = parts_.counted("drives", ids, name, more); !sets.empty())
          add("number of drives", fmt::format("{} x {} instead of {}", more, now.title, count),
              sets, "they read at the same time" + parts_.caution());
    for (const auto& [other, drive] : better_drives(name, now))
      if (auto sets = parts_.counted("drives", ids, other, count); !sets.empty())
        add("drives", fmt::format("{} x {} instead of {}", count, drive->title, now.title), sets,
            why_drives(*drive, now));
  }

  /// But none that a cheaper one of the same form outdoes in everything.
  std::vector<std::pair<std::string, std::shared_ptr<const Drive>>> better_drives(
      const std::string& name, const Drive& now) const {
    auto drives = entries_of<Drive>(catalog_);
    std::erase_if(drives, [&](const auto& entry) {
      return entry.first == name || !is_better(*entry.second, now);
    });
    const auto outdone = [&](const Drive& drive) {
      return std::ranges::any_of(drives, [&](const auto& entry) {
        const Drive& other = *entry.second;
        return other.form == drive.form && other.link.name == drive.link.name && other.price &&
               drive.price && *other.price < *drive.price && other.capacity >= drive.capacity &&
               written(other) >= written(drive) && other.read_bandwidth >= drive.read_bandwidth &&
               other.read_rate >= drive.read_rate && other.write_bandwidth >= drive.write_bandwidth;
      });
    };
    std::vector<std::pair<std::string, std::shared_ptr<const Drive>>> kept;
    for (const auto& entry : drives)
      if (!outdone(*entry.second)) kept.push_back(entry);
    return kept;
  }

  /// Evenly over the switches, or sockets, on which GPUs hang.
  void places_of_drives() {
    const auto drives = data_drives(scenario_);
    std::vector<std::string> places;
    for (const auto& gpu : system_.gpus)
      if (!std::ranges::count(places, text_of(gpu.at.id))) places.push_back(text_of(gpu.at.id));
    if (drives.size() < 2 || places.size() < 2) return;
    Change change{"place of drives",
                  fmt::format("the drives spread evenly over {}", fmt::join(places, ", ")),
                  {},
                  "each GPU has drives on its own switch or socket",
                  true};
    bool moved = false;
    for (std::size_t i = 0; i < drives.size(); ++i) {
      const std::string& place = places[i * places.size() / drives.size()];
      moved = moved || drives[i]->at.id != Label(place);
      change.sets.push_back(parts_.placed("drive", text_of(drives[i]->id), place));
    }
    if (moved) changes_.push_back(std::move(change));
  }

  /// Of the store's way, else of the way between nodes.
  void cards() {
    if (system_.nics.empty()) return;
    const Store* store = find_store(scenario_, scenario_.data.at);
    if (!store && scenario_.nodes == 1) return;
    std::vector<PartId> used;
    for (std::size_t i = 0; i < system_.nics.size(); ++i)
      if (const PartId nic{PartKind::nic, i};
          !store || store->via.empty() || std::ranges::count(store->via, nic, &PartRef::part))
        used.push_back(nic);
    const Names ids = texts_of(labels_of(scenario_, used));
    const Device<Nic>& first = *find_nic(system_, used.front());
    for (const auto& [other, nic] : entries_of<Nic>(catalog_))
      if (nic->form == first.model->form && nic->price && is_for_sale(*nic) &&
          nic->payload_bandwidth() * static_cast<double>(nic->ports) >
              first.model->payload_bandwidth() * static_cast<double>(first.model->ports) *
                  kClearlyMore)
        if (auto sets = parts_.counted("nics", ids, other, static_cast<std::int64_t>(ids.size()));
            !sets.empty())
          add("network cards",
              fmt::format("{} x {} instead of {}", ids.size(), nic->title, first.model->title),
              sets, "wider ports");
  }

  void processors() {
    Names ids;
    for (const auto& socket : system_.sockets) ids.push_back(text_of(socket.id));
    const auto& now = system_.sockets.front().model;
    if (!now->socket) return;
    for (const auto& [other, cpu] : entries_of<Cpu>(catalog_))
      if (other != now.name && cpu->socket == now->socket && cpu->price && is_for_sale(*cpu) &&
          (cpu->cores > now->cores || cpu->memory_bandwidth > now->memory_bandwidth))
        if (auto sets = parts_.counted("cpu", ids, other, static_cast<std::int64_t>(ids.size()));
            !sets.empty())
          add("processors",
              fmt::format("{} x {} instead of {}", ids.size(), cpu->title, now->title), sets,
              fmt::format("{} cores instead of {}", cpu->cores, now->cores));
  }

  void memory() {
    if (system_.sockets.empty()) return;
    Bytes all{};
    for (const auto& socket : system_.sockets) all += socket.memory;
    for (const double times : {2.0, 4.0})
      if (auto sets = parts_.memory(times); !sets.empty())
        add("memory", fmt::format("{} of memory instead of {}", text(all * times, 3), text(all, 3)),
            sets, "the page cache keeps more of the data");
  }

  /// Those that hold the data, or that they are copied from.
  std::vector<PartRef> read_stores() const {
    std::vector<PartRef> stores;
    if (scenario_.data.at.is(PartKind::store)) stores.push_back(scenario_.data.at);
    if (const auto& staging = scenario_.data.staging) stores.push_back(staging->from);
    return stores;
  }

  /// Changes of one store compete.
  std::string subject_of(const PartRef& store) const {
    return store.part == scenario_.data.at.part ? "store" : "store " + text_of(store.id);
  }

  void servers(const PartRef& at) {
    const Store& store = *find_store(scenario_, at);
    const std::int64_t more = *store.servers + 1;
    add(subject_of(at),
        fmt::format("{} servers of store {} instead of {}", more, text_of(at.id), *store.servers),
        {fmt::format("store.{}.servers={}", key_text(text_of(at.id)), more)},
        fmt::format("the {} of its servers limit what it reads",
                    name_of(store.of_servers->read_limit)));
  }

  void blades(const PartRef& at) {
    const Store* store = find_store(scenario_, at);
    if (!store->model->blades) return;
    const std::int64_t now = store->blades.value_or(*store->model->blades);
    const std::int64_t most = store->model->most_blades.value_or(2 * now);
    if (2 * now <= most)
      add(subject_of(at),
          fmt::format("{} blades of store {} instead of {}", 2 * now, text_of(at.id), now),
          {fmt::format("store.{}.blades={}", key_text(text_of(at.id)), 2 * now)},
          "the store reads from all of them");
  }

  /// Whether it reads more, or answers sooner, as it is sold than the scenario's store.
  static bool is_faster(const Array& other, const Store& now) {
    const auto sheet = static_cast<double>(now.model->blades.value_or(1));
    const double scale = now.blades ? static_cast<double>(*now.blades) / sheet : 1;
    return other.read_bandwidth > now.model->read_bandwidth * (scale * kClearlyMore) ||
           other.read_rate > now.model->read_rate * (scale * kClearlyMore) ||
           other.read_latency * kClearlyMore < now.model->read_latency;
  }

  /// Whether one that is cheaper reads as much and answers as soon.
  static bool is_outdone(const Array& array, const std::vector<const Array*>& cheaper) {
    return std::ranges::any_of(cheaper, [&](const Array* other) {
      return other->read_bandwidth >= array.read_bandwidth && other->read_rate >= array.read_rate &&
             other->read_latency <= array.read_latency;
    });
  }

  /// Services have no price here; one is offered in several sizes.
  void services() {
    for (const PartRef& at : read_stores()) {
      const Store& store = *find_store(scenario_, at);
      if (store.model->price || !store.model->product) continue;
      for (const auto& [other, array] : entries_of<Array>(catalog_))
        if (other != store.model.name && !array->price && is_faster(*array, store) &&
            array->product == store.model->product)
          add(subject_of(at), fmt::format("{} instead of {}", array->title, store.model->title),
              {fmt::format("store.{}.model={}", key_text(text_of(at.id)), other)},
              "the same service in a larger size, or with its data spread further");
    }
  }

  /// Other stores that are for sale, in the place of one that is read; the cheapest first, for of
  /// equals the first is proposed.
  void stores(const PartRef& at) {
    const Store* store = find_store(scenario_, at);
    auto arrays = entries_of<Array>(catalog_);
    std::erase_if(arrays, [](const auto& entry) {
      return !entry.second->price || !is_for_sale(*entry.second);
    });
    std::ranges::stable_sort(arrays, {}, [](const auto& entry) { return *entry.second->price; });
    std::vector<const Array*> proposed;
    for (const auto& [other, array] : arrays) {
      if (other == store->model.name || (store->blades && !array->blades)) continue;
      if (!is_faster(*array, *store) || is_outdone(*array, proposed)) continue;
      proposed.push_back(array.get());
      Change change{subject_of(at),
                    fmt::format("{} instead of {}", array->title, store->model->title),
                    {fmt::format("store.{}.model={}", key_text(text_of(at.id)), other)},
                    "another store on the same network"};
      if (store->blades)
        change.sets.push_back(
            fmt::format("store.{}.blades={}", key_text(text_of(at.id)), *array->blades));
      if (scenario_.client_of(at.part->number) == StoreClient::Word::given)
        change.why += "; ask whether it speaks " + (*store->protocol)->title;
      changes_.push_back(std::move(change));
    }
  }

  void machines() {
    if (system_.gpus.empty()) return;
    const std::string& gpu = system_.gpus.front().model.name;
    for (const auto& [name, other] : entries_of<System>(catalog_))
      if (name != scenario_.system.name && other->gpus.size() == system_.gpus.size() &&
          other->gpus.front().model.name == gpu &&
          other->rent_per_hour.has_value() == system_.rent_per_hour.has_value())
        add("machine", fmt::format("the machine {}", other->title), {"system=" + name},
            "as many of the same GPUs, joined in another way");
  }

  const Scenario& scenario_;
  const System& system_;
  const Catalog& catalog_;
  const PartText parts_;
  std::vector<Change> changes_;
};

}  // namespace

std::vector<Change> purchase_changes(const Scenario& scenario, const Catalog& catalog,
                                     const ScenarioSource& source) {
  return Purchases(scenario, catalog, source).all();
}

}  // namespace gpufeed
