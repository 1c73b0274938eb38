// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/tick_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "reports/writers/key_words.h"
#include "reports/writers/layout.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "ui/model/build/words.h"

namespace gpufeed::ui {
namespace {

/// In the order in which a buyer decides.
constexpr std::array<std::string_view, 20> kUsual{"system.chassis",
                                                  "system.gpu",
                                                  "system.cpu",
                                                  "system.memory",
                                                  "system.drives",
                                                  "system.nics",
                                                  "nodes",
                                                  "workload.batch_per_gpu",
                                                  "workload.precision",
                                                  "workload.optimizer",
                                                  "workload.recompute",
                                                  "parallel.tensor",
                                                  "parallel.pipeline",
                                                  "parallel.shard",
                                                  "loader.workers_per_gpu",
                                                  "loader.decode",
                                                  "data.mode",
                                                  "data.staging.mode",
                                                  "checkpoint.interval_steps",
                                                  "checkpoint.mode"};

/// "6 x NAME".
struct Parts {
  std::int64_t count = 1;
  std::string product;
};

std::optional<Parts> parts_in(const std::string& text) {
  if (text.empty() || text == "none" || text.find(',') != std::string::npos) return {};
  Parts parts;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, parts.count);
  const std::string_view behind(rest, end);
  const bool counted = error == std::errc{} && behind.starts_with(" x ");
  parts.product = counted ? std::string(behind.substr(3)) : text;
  if (!counted) parts.count = 1;
  return parts;
}

/// Half, twice and four times as much: of "16 x 64 GB" as many modules.
std::vector<std::string> memories(const std::string& now) {
  double number = 0;
  const char* const end = now.data() + now.size();
  const auto [rest, error] = std::from_chars(now.data(), end, number);
  if (error != std::errc{} || !(number > 0)) return {};
  std::vector<std::string> out;
  for (const double factor : {0.5, 2.0, 4.0}) {
    const double other = number * factor;
    if (other == std::floor(other)) out.push_back(text_number(other, 15) + std::string(rest, end));
  }
  std::ranges::for_each(out, [](std::string& one) { std::erase(one, ','); });
  return out;
}

TickGroup group_of_parts(const Parameter& parameter, const std::string& kind, const Parts& now) {
  TickGroup group{parameter, key_as_title(parameter.path), kind, {}, {}, false};
  add_tick(group.values, now.product, now.product);
  std::set<std::int64_t> counts{1, 2, 4, 8, now.count, 2 * now.count};
  if (kind == "cpu") counts = {1, 2, now.count};
  for (const std::int64_t count : counts)
    group.counts.push_back({std::to_string(count), std::to_string(count), count == now.count});
  return group;
}

bool is_on(const Tick& tick) { return tick.on; }

std::int64_t on(const std::vector<Tick>& ticks) { return std::ranges::count_if(ticks, is_on); }

/// "NVIDIA L4, 2,500 USD".
std::string words_of(const Choice& product) {
  return product.title +
         (product.price_USD ? ", " + text_number(*product.price_USD, 15) + " USD" : "");
}

/// Whether the scenario could be read with it. \param value  as TOML writes it
bool can_take(const std::string& text, const std::string& name, const std::string& path,
              const std::string& value, const Catalog& catalog) {
  try {
    gpufeed::Choice choice;
    choice.values = {{"", path, value}};
    parse_scenario(with_choice(text, choice), name, catalog);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

void add_tick(std::vector<Tick>& ticks, const std::string& value, const std::string& words) {
  const auto known = std::ranges::find(ticks, value, &Tick::value);
  if (known != ticks.end())
    known->on = true;
  else if (!value.empty())
    ticks.push_back({value, words, true});
}

TickGroup tick_group(const Parameter& parameter) {
  TickGroup group{parameter, key_as_title(parameter.path), "", {}, {}, false};
  const std::string now = without_quotes(parameter.now);
  if (parameter.path == "system.chassis") group.kind = "chassis";
  constexpr std::size_t kAround = std::string_view("store..model").size();
  if (parameter.path.starts_with("store.") && parameter.path.ends_with(".model"))
    group.kind = "array",
    group.title = "Store " + parameter.path.substr(std::string_view("store.").size(),
                                                   parameter.path.size() - kAround);
  AxisForm form = suggested_form(parameter);
  if (!usual_values(parameter.path).empty()) form.list = usual_values(parameter.path);
  if (parameter.path == "system.memory")
    form.list = fmt::format("{}", fmt::join(memories(now), ", "));
  if (group.kind.empty())
    for (const std::string& value : items_of(form.list)) group.values.push_back({value, value});
  add_tick(group.values, now, now);
  return group;
}

std::vector<TickGroup> tick_groups(const std::vector<Parameter>& parameters) {
  std::vector<TickGroup> groups;
  const auto add = [&](const Parameter& parameter) {
    if (std::ranges::any_of(groups, [&](const TickGroup& known) {  // a part may be there twice
          return known.parameter.path == parameter.path;
        }))
      return;
    const std::string kind = kind_of_parts(parameter);
    if (kind.empty()) return groups.push_back(tick_group(parameter));
    if (const auto parts = parts_in(without_quotes(parameter.now)))
      groups.push_back(group_of_parts(parameter, kind, *parts));
  };
  const auto add_path = [&](std::string_view path) {
    const auto found = std::ranges::find(parameters, path, &Parameter::path);
    if (found != parameters.end()) add(*found);
  };
  for (const std::string_view path : kUsual) {
    if (path == "nodes")  // stores stand between parts and settings
      for (const Parameter& one : parameters)
        if (one.path.starts_with("store.") && one.path.ends_with(".model")) add(one);
    add_path(path);
  }
  return groups;
}

void fill_with_products(TickGroup& group, const std::string& text, const std::string& name,
                        const std::vector<Choice>& all, const Catalog& catalog) {
  constexpr std::size_t kShown = 8;
  constexpr std::size_t kTried = 40;
  group.filled = true;
  if (group.values.empty()) return;
  const std::string now = group.values.front().value;
  const auto own = std::ranges::find(all, now, &Choice::name);
  if (own == all.end()) return;
  group.values.front().words = words_of(*own);
  std::vector<const Choice*> near;
  for (const Choice& one : all)
    if (&one != &*own && !one.fits_nowhere && one.price_USD && *one.price_USD > 0)
      near.push_back(&one);
  const double price = own->price_USD.value_or(0);
  if (price > 0)
    std::ranges::stable_sort(
        near, {}, [&](const Choice* one) { return std::abs(std::log(*one->price_USD / price)); });
  near.resize(std::min(near.size(), kTried));
  const Catalog remembering = catalog.remembering();
  const auto count = std::ranges::find_if(group.counts, is_on);
  for (const Choice* one : near) {
    if (group.values.size() >= kShown) break;
    const std::string value =
        group.counts.empty()
            ? one->name
            : fmt::format("{} x {}", count == group.counts.end() ? "1" : count->value, one->name);
    if (can_take(text, name, group.parameter.path, toml_string(value), remembering))
      group.values.push_back({one->name, words_of(*one), false});
  }
}

void keep_ticks(const std::vector<TickGroup>& before, std::vector<TickGroup>& now) {
  for (const TickGroup& old : before) {
    const auto found = std::ranges::find(
        now, old.parameter.path, [](const TickGroup& group) { return group.parameter.path; });
    if (found == now.end()) continue;
    const auto keep = [](const std::vector<Tick>& from, std::vector<Tick>& to) {
      for (const Tick& tick : from) {
        const auto same = std::ranges::find(to, tick.value, &Tick::value);
        if (same != to.end()) {
          same->words = tick.words;
          same->on = same->on || tick.on;
        } else if (tick.on) {
          to.push_back(tick);
        }
      }
    };
    keep(old.values, found->values);
    keep(old.counts, found->counts);
  }
}

std::int64_t values_of(const TickGroup& group) {
  return std::max<std::int64_t>(1, on(group.values)) * std::max<std::int64_t>(1, on(group.counts));
}

std::int64_t combinations(const std::vector<TickGroup>& groups) {
  std::int64_t all = 1;
  for (const TickGroup& group : groups) all *= values_of(group);
  return all;
}

std::vector<AxisForm> ticked_axes(const std::vector<TickGroup>& groups) {
  std::vector<AxisForm> axes;
  for (const TickGroup& group : groups) {
    std::vector<std::string> values;
    for (const Tick& value : group.values) {
      if (!value.on) continue;
      if (group.counts.empty()) values.push_back(value.value);
      for (const Tick& count : group.counts)
        if (count.on) values.push_back(fmt::format("{} x {}", count.value, value.value));
    }
    const bool as_it_is = values.empty() || (values.size() == 1 &&
                                             values.front() == without_quotes(group.parameter.now));
    if (as_it_is) continue;
    AxisForm form;
    form.parameter = group.parameter;
    form.list = fmt::format("{}", fmt::join(values, ", "));
    axes.push_back(std::move(form));
  }
  return axes;
}

}  // namespace gpufeed::ui
