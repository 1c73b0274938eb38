// SPDX-License-Identifier: Apache-2.0
#include "sim/load/replace.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "sim/base/labels/label_text.h"
#include "sim/base/pattern.h"
#include "sim/load/read/reader.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/scenario_build.h"
#include "sim/model/scenario.h"

namespace gpufeed {

namespace {

/// The id with its number raised until nobody has it: ssd3 -> ssd4.
std::string next_id(const std::string& id, const Names& taken) {
  std::size_t digits = id.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(id[digits - 1]))) --digits;
  for (std::size_t number = 0;; ++number)
    if (auto candidate = id.substr(0, digits) + std::to_string(number);
        !std::ranges::count(taken, candidate))
      return candidate;
}

/// What a replacement did.
struct Swap {
  bool found = false;
  Names titles;   ///< of the products that `changed` are now, in the same order
  Names changed;  ///< ids of the parts that were swapped or added
  Names gone;
};

/// A part as a path of `--set` may name it.
struct Named {
  std::string kind;
  Label id;
  std::optional<std::size_t> number;  ///< among those of its kind that the system was sold with
};

bool names(const std::string& element, const Named& part) {
  return matches(element, text_of(part.id)) ||
         (part.number && element == std::to_string(*part.number));
}

KeyPath path_of(const Named& part) { return (KeyPath("system") / part.kind)[text_of(part.id)]; }

/// The overrides of the product of this part, such as system.drive[ssd*].model.read_bandwidth, with
/// the part's id in the place of a pattern or a number.
std::vector<Override> overrides_of(const Named& part, const std::vector<Override>& all) {
  std::vector<Override> out;
  for (Override one : all) {
    if (one.provenance) continue;  // measured of the part that was there
    auto& steps = one.path.steps;
    const bool of_product = steps.size() > 2 && steps[0].key == "system" &&
                            steps[1].key == part.kind && steps[1].element &&
                            steps[2].key == "model";
    if (!of_product || !names(*steps[1].element, part)) continue;
    steps[1].element = text_of(part.id);
    out.push_back(std::move(one));
  }
  return out;
}

/// The product that `replace` puts in the place of a part's, with what is set of it.
template <class T>
Ref<T> product_for(const Named& part, const Ref<T>& product, const std::vector<Override>& all,
                   Reader& reader, Diagnostics& out) {
  const auto overrides = overrides_of(part, all);
  if (overrides.empty()) return product;
  auto table = parse_toml(fmt::format("system = {{ {} = [{{ id = {}, model = {} }}] }}", part.kind,
                                      toml_string(text_of(part.id)), toml_string(product.name)),
                          product.where.file, out);
  if (!table) return product;
  for (const auto& override : overrides) apply_override(*table, override, reader, out);
  Ref<T> changed = product;
  if (const toml::node* model = (*table)["system"][part.kind][0]["model"].node())
    reader.read_part(*model, text(path_of(part) / "model"), changed);
  return changed;
}

/// "2 x Fast SSD, 1 x Slow SSD", in the order of the first of each.
std::string counted(const Names& titles) {
  Names out;
  for (std::size_t i = 0; i < titles.size(); ++i)
    if (std::find(titles.begin(), titles.begin() + static_cast<std::ptrdiff_t>(i), titles[i]) ==
        titles.begin() + static_cast<std::ptrdiff_t>(i))
      out.push_back(fmt::format("{} x {}", std::ranges::count(titles, titles[i]), titles[i]));
  return fmt::format("{}", fmt::join(out, ", "));
}

template <class P>
std::optional<std::size_t> number_of(const Label& id, const std::vector<P>& sold) {
  const auto found = std::ranges::find(sold, id, &P::id);
  if (found == sold.end()) return {};
  return static_cast<std::size_t>(found - sold.begin());
}

template <class P>
void swap_parts(std::vector<P>& parts, const std::vector<P>& sold, const std::string& kind,
                const Replace& replace, const std::vector<Override>& overrides, Names& ids,
                Reader& reader, Swap& swap, Diagnostics& out) {
  std::vector<std::size_t> hits;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (matches(text_of(replace.part.id), text_of(parts[i].id))) hits.push_back(i);
  if (hits.empty()) return;
  swap.found = true;
  auto product = parts[hits.front()].model;
  product.name = text_of(replace.with.id);
  product.where = replace.with.where;
  product.entry = nullptr;
  reader.resolve(product, "replace.with");
  if (!product) return;
  const auto become = [&](P& part) {
    part.model =
        product_for({kind, part.id, number_of(part.id, sold)}, product, overrides, reader, out);
    swap.changed.push_back(text_of(part.id));
    swap.titles.push_back(part.model ? part.model->title : product->title);
  };
  for (const std::size_t i : hits) {
    become(parts[i]);
    if constexpr (requires { parts[i].at; }) {
      if (replace.at) parts[i].at = *replace.at;
      if (replace.lanes) parts[i].lanes = replace.lanes;
    } else if (replace.at || replace.lanes) {
      out.refuse(ProblemCode::conflict, "replace", replace.part.where,
                 ": a socket hangs on nothing; leave at and lanes out");
    }
  }
  const auto wanted =
      static_cast<std::size_t>(replace.count.value_or(static_cast<std::int64_t>(hits.size())));
  for (std::size_t extra = hits.size(); extra < wanted; ++extra) {
    P clone = parts[hits[extra % hits.size()]];
    clone.id = Label(next_id(text_of(clone.id), ids));
    ids.push_back(text_of(clone.id));
    become(clone);
    parts.push_back(std::move(clone));
  }
  for (std::size_t i = hits.size(); i > wanted; --i) {
    swap.gone.push_back(text_of(parts[hits[i - 1]].id));
    swap.changed.pop_back();
    swap.titles.pop_back();
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(hits[i - 1]));
  }
}

/// Refuses a product that no part could be. Which kind it should be of is not known.
void check_product(const PartRef& with, Reader& reader, Diagnostics& out) {
  constexpr std::array kinds{Cpu::kKind, Switch::kKind, Gpu::kKind, Nic::kKind, Drive::kKind};
  const auto has = [&](std::string_view kind) {
    return reader.catalog().find(kind, text_of(with.id)).has_value();
  };
  if (std::ranges::any_of(kinds, has)) return;
  if (names_file(text_of(with.id))) {
    reader.locate(kinds.front(), text_of(with.id), with.where, "replace.with");
    return;
  }
  Names known;
  for (const auto kind : kinds)
    for (auto& name : reader.catalog().names(kind)) known.push_back(std::move(name));
  out.refuse(ProblemCode::unknown_entry, "replace.with", with.where,
             ": no product \"{}\" in the catalog; {}", text_of(with.id),
             suggestion(text_of(with.id), known));
}

bool is_one(const Names& ids, const std::string& id) { return std::ranges::count(ids, id) > 0; }

template <class P>
const P* find_part(const std::vector<P>& parts, const Label& id) {
  const auto found = std::ranges::find(parts, id, &P::id);
  return found == parts.end() || !found->model ? nullptr : &*found;
}

/// The slower of the kinds of link that two parts have; nothing where one does not say.
std::optional<Ref<Link>> slower(const std::optional<Ref<Link>>& a,
                                const std::optional<Ref<Link>>& b) {
  if (!a || !b || !*a || !*b) return {};
  return (*b)->raw_bandwidth < (*a)->raw_bandwidth ? b : a;
}

/// Links of a machine become those of the parts that they join now, as far as these say.
class Relinker {
 public:
  Relinker(System& system, const Swap& swap) : system_(system), swap_(swap) {}

  void relink() {
    for (auto* links : {&system_.nvlinks, &system_.socket_links})
      std::erase_if(*links, [&](const Connection& link) { return joins(link, swap_.gone); });
    for (auto& board : system_.nvswitches) forget(board.gpus);
    for (auto& volume : system_.volumes) forget(volume.drives);
    std::erase_if(system_.nvlinks, [&](const Connection& link) {
      return joins(link, swap_.changed) && ends_without_link(link);
    });
    for (auto& link : system_.nvlinks)
      if (joins(link, swap_.changed)) between_gpus(link);
    for (auto& link : system_.socket_links)
      if (joins(link, swap_.changed)) between_sockets(link);
    for (auto& board : system_.nvswitches) on_board(board);
  }

 private:
  static bool joins(const Connection& link, const Names& ids) {
    return std::ranges::any_of(link.between,
                               [&](const PartRef& end) { return is_one(ids, text_of(end.id)); });
  }
  void forget(std::vector<PartRef>& parts) {
    std::erase_if(parts, [&](const PartRef& part) { return is_one(swap_.gone, text_of(part.id)); });
  }
  const Device<Gpu>* gpu(const PartRef& end) const { return find_part(system_.gpus, end.id); }

  bool ends_without_link(const Connection& link) const {
    return std::ranges::any_of(link.between, [&](const PartRef& end) {
      return gpu(end) && gpu(end)->model->nvlinks == 0;
    });
  }

  void between_gpus(Connection& link) {
    if (link.between.size() != 2) return;
    const auto* one = gpu(link.between[0]);
    const auto* other = gpu(link.between[1]);
    if (!one || !other) return;
    if (const auto kind = slower(one->model->nvlink, other->model->nvlink)) link.link = *kind;
  }

  void between_sockets(Connection& link) {
    if (link.between.size() != 2) return;
    const auto* one = find_part(system_.sockets, link.between[0].id);
    const auto* other = find_part(system_.sockets, link.between[1].id);
    if (!one || !other) return;
    if (const auto kind = slower(one->model->socket_link, other->model->socket_link))
      link.link = *kind;
    for (const Socket* end : {one, other})
      link.count = std::min(link.count, end->model->socket_links.value_or(link.count));
  }

  /// An NVSwitch serves all links of the GPU that has the least.
  void on_board(NvSwitch& board) {
    const Device<Gpu>* least = nullptr;
    const auto sum = [](const Device<Gpu>& one) {
      return (*one.model->nvlink)->raw_bandwidth * static_cast<double>(*one.model->nvlinks);
    };
    bool changed = false;
    for (const auto& one : system_.gpus) {
      const bool member = std::ranges::any_of(board.gpus, [&](const PartRef& pattern) {
        return matches(text_of(pattern.id), text_of(one.id));
      });
      if (!member || !one.model) continue;
      changed = changed || is_one(swap_.changed, text_of(one.id));
      if (!one.model->nvlinks || !one.model->nvlink || !*one.model->nvlink) return;
      if (!least || sum(one) < sum(*least)) least = &one;
    }
    if (!changed || !least) return;
    board.link = *least->model->nvlink;
    board.count = *least->model->nvlinks;
  }

  System& system_;
  const Swap& swap_;
};

}  // namespace

void apply_replacements(Scenario& scenario, const std::vector<Override>& overrides, Reader& reader,
                        Diagnostics& out) {
  if (scenario.replace.empty() || !scenario.system) return;
  const System& sold = *scenario.system;
  System system = sold;
  for (const Replace& replace : scenario.replace) {
    Names ids;
    const auto note = [&](const auto& parts) {
      for (const auto& part : parts) ids.push_back(text_of(part.id));
    };
    note(system.sockets), note(system.switches), note(system.gpus), note(system.nics),
        note(system.drives);
    Swap swap;
    swap_parts(system.sockets, sold.sockets, "socket", replace, overrides, ids, reader, swap, out);
    swap_parts(system.switches, sold.switches, "switch", replace, overrides, ids, reader, swap,
               out);
    swap_parts(system.gpus, sold.gpus, "gpu", replace, overrides, ids, reader, swap, out);
    swap_parts(system.nics, sold.nics, "nic", replace, overrides, ids, reader, swap, out);
    swap_parts(system.drives, sold.drives, "drive", replace, overrides, ids, reader, swap, out);
    Relinker(system, swap).relink();
    if (std::ranges::count(system.socket_links, 0, &Connection::count) > 0)
      out.refuse(ProblemCode::unfit_part, "replace.with", replace.with.where,
                 ": {} cannot be joined to another CPU, and {} has {}; take one that can",
                 text_of(replace.with.id), scenario.system.name, system.sockets.size());
    if (!swap.changed.empty())
      system.title +=
          fmt::format("{} {} ({})", &replace == &scenario.replace.front() ? "; changed:" : ",",
                      counted(swap.titles), text_of(replace.part.id));
    if (!swap.found) {
      check_product(replace.with, reader, out);
      out.refuse(ProblemCode::unknown_part, "replace.part", replace.part.where,
                 ": no part of {} is called \"{}\"; {}", scenario.system.name,
                 text_of(replace.part.id), suggestion_for(text_of(replace.part.id), ids));
    }
  }
  scenario.system.entry = std::make_shared<const System>(std::move(system));
}

}  // namespace gpufeed
