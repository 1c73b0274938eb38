// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/study/catalog_entries.h"
#include "reports/study/change.h"
#include "reports/study/data_drives.h"
#include "reports/study/part_text.h"
#include "sim/base/labels/label_text.h"
#include "sim/model/find_part.h"

namespace gpufeed {
namespace {

constexpr std::size_t kOffered = 4;  ///< products of a kind, the dearest first: nearest to now

class Savings {
 public:
  Savings(const Scenario& scenario, const Catalog& catalog, const ScenarioSource& source)
      : scenario_(scenario),
        system_(*scenario.system),
        catalog_(catalog),
        parts_(scenario, source) {}

  std::vector<Change> all() {
    if (!system_.rent_per_hour) {
      drives();
      processors();
      memory();
    }
    if (scenario_.data.at.is(PartKind::store)) store(scenario_.data.at);
    return std::move(changes_);
  }

 private:
  void add(std::string subject, std::string text, std::vector<std::string> sets, std::string why) {
    if (sets.empty()) return;
    Change change{std::move(subject), std::move(text), std::move(sets), std::move(why)};
    change.saves = true;
    changes_.push_back(std::move(change));
  }

  /// Those that cost less than `now` in the same year, but none that a cheaper one outdoes. What
  /// flash costs changes fourfold within one (hw_catalog/price-law).
  template <class T, class Fits, class Outdoes>
  std::vector<std::pair<std::string, std::shared_ptr<const T>>> cheaper(const T& now, Fits&& fits,
                                                                        Outdoes&& outdoes) const {
    if (!now.price) return {};
    auto found = entries_of<T>(catalog_);
    std::erase_if(found, [&](const auto& entry) {
      const T& one = *entry.second;
      return !one.price || *one.price >= *now.price || one.price_year != now.price_year ||
             !is_for_sale(one) || !fits(one);
    });
    auto kept = found;
    std::erase_if(kept, [&](const auto& entry) {
      return std::ranges::any_of(found, [&](const auto& other) {
        return *other.second->price < *entry.second->price && outdoes(*other.second, *entry.second);
      });
    });
    std::ranges::stable_sort(kept, std::ranges::greater{},
                             [](const auto& entry) { return *entry.second->price; });
    if (kept.size() > kOffered) kept.resize(kOffered);
    return kept;
  }

  void drives() {
    const auto drives = data_drives(scenario_);
    if (drives.empty()) return;
    const Names ids = texts_of(labels_of(scenario_, drives_at(system_, scenario_.data.at)));
    const Drive& now = *drives.front()->model;
    const std::string& name = drives.front()->model.name;
    const auto count = static_cast<std::int64_t>(drives.size());
    std::vector<std::int64_t> fewer;
    if (count > 1) fewer.push_back(count - 1);
    if (count > 2) fewer.push_back((count + 1) / 2);
    if (count > 4) fewer.push_back((count + 3) / 4);
    for (const std::int64_t less : fewer)
      add("drives", fmt::format("{} x {} instead of {}", less, now.title, count),
          parts_.counted("drives", ids, name, less), "fewer drives");
    const auto fits = [&now](const Drive& one) {
      return one.form && now.form && fits_bay(one, now);
    };
    const auto outdoes = [](const Drive& one, const Drive& other) {
      return one.capacity >= other.capacity && one.read_bandwidth >= other.read_bandwidth &&
             one.read_rate >= other.read_rate && one.write_bandwidth >= other.write_bandwidth;
    };
    for (const auto& [other, drive] : cheaper(now, fits, outdoes))
      add("drives", fmt::format("{} x {} instead of {}", count, drive->title, now.title),
          parts_.counted("drives", ids, other, count), "a cheaper drive");
  }

  /// Of cores as fast: not of every decoder is known what it costs on a slower one.
  void processors() {
    if (system_.sockets.empty()) return;
    Names ids;
    for (const auto& socket : system_.sockets) ids.push_back(text_of(socket.id));
    const auto& now = system_.sockets.front().model;
    if (!now->socket || !now->core_speed) return;
    const auto fits = [&now](const Cpu& one) {
      constexpr double kAsFast = 0.97;
      return one.socket == now->socket && one.core_speed &&
             one.core_speed->value >= now->core_speed->value * kAsFast;
    };
    const auto outdoes = [](const Cpu& one, const Cpu& other) {
      return one.cores >= other.cores && one.memory_bandwidth >= other.memory_bandwidth &&
             one.core_speed >= other.core_speed;
    };
    for (const auto& [other, cpu] : cheaper(*now, fits, outdoes))
      add("processors", fmt::format("{} x {} instead of {}", ids.size(), cpu->title, now->title),
          parts_.counted("cpu", ids, other, static_cast<std::int64_t>(ids.size())),
          cpu->cores == now->cores ? fmt::format("as many cores, {}", cpu->cores)
                                   : fmt::format("{} cores instead of {}", cpu->cores, now->cores));
  }

  void memory() {
    constexpr double kHalf = 0.5;
    Bytes all{};
    for (const auto& socket : system_.sockets) all += socket.memory;
    if (all.value > 0)
      add("memory", fmt::format("{} of memory instead of {}", text(all * kHalf, 3), text(all, 3)),
          parts_.memory(kHalf), "less of the data stays in the page cache");
  }

  void store(const PartRef& at) {
    const Store& now = *find_store(scenario_, at);
    const std::string key = "store." + key_text(text_of(at.id));
    if (now.model->blades) {
      const std::int64_t blades = now.blades.value_or(*now.model->blades);
      if (blades > 1)
        add("store",
            fmt::format("{} blades of store {} instead of {}", blades / 2, text_of(at.id), blades),
            {fmt::format("{}.blades={}", key, blades / 2)}, "a smaller store");
    }
    const auto fits = [&now](const Array& one) { return !now.blades || one.blades; };
    const auto outdoes = [](const Array& one, const Array& other) {
      return one.read_bandwidth >= other.read_bandwidth && one.read_rate >= other.read_rate &&
             one.read_latency <= other.read_latency;
    };
    for (const auto& [other, array] : cheaper(*now.model, fits, outdoes)) {
      std::vector<std::string> sets{fmt::format("{}.model={}", key, other)};
      if (now.blades) sets.push_back(fmt::format("{}.blades={}", key, *array->blades));
      add("store", fmt::format("{} instead of {}", array->title, now.model->title), std::move(sets),
          scenario_.client_of(at.part->number) == StoreClient::Word::given
              ? "a cheaper store; ask whether it speaks " + (*now.protocol)->title
              : "a cheaper store");
    }
  }

  const Scenario& scenario_;
  const System& system_;
  const Catalog& catalog_;
  const PartText parts_;
  std::vector<Change> changes_;
};

}  // namespace

std::vector<Change> saving_changes(const Scenario& scenario, const Catalog& catalog,
                                   const ScenarioSource& source) {
  return Savings(scenario, catalog, source).all();
}

}  // namespace gpufeed
