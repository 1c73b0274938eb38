// SPDX-License-Identifier: Apache-2.0
#include "sim/load/replace.h"

#include <algorithm>
#include <cctype>

#include "sim/load/read/pattern.h"
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

template <class P>
void swap_parts(std::vector<P>& parts, const Replace& replace, Names& ids, Reader& reader,
                bool& found, Diagnostics& out) {
  std::vector<std::size_t> hits;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (matches(replace.part.id, parts[i].id)) hits.push_back(i);
  if (hits.empty()) return;
  found = true;
  auto product = parts[hits.front()].model;
  product.name = replace.with.id;
  product.where = replace.with.where;
  product.entry = nullptr;
  reader.resolve(product, "replace.with");
  if (!product) return;
  for (const std::size_t i : hits) {
    parts[i].model = product;
    if constexpr (requires { parts[i].at; }) {
      if (replace.at) parts[i].at = *replace.at;
      if (replace.lanes) parts[i].lanes = replace.lanes;
    } else if (replace.at || replace.lanes) {
      out.error(replace.part.where, "replace: a socket hangs on nothing; leave at and lanes out");
    }
  }
  const auto wanted =
      static_cast<std::size_t>(replace.count.value_or(static_cast<std::int64_t>(hits.size())));
  for (std::size_t extra = hits.size(); extra < wanted; ++extra) {
    P clone = parts[hits[extra % hits.size()]];
    clone.id = next_id(clone.id, ids);
    ids.push_back(clone.id);
    parts.push_back(std::move(clone));
  }
  for (std::size_t i = hits.size(); i > wanted; --i)
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(hits[i - 1]));
}

}  // namespace

void apply_replacements(Scenario& scenario, Reader& reader, Diagnostics& out) {
  if (scenario.replace.empty() || !scenario.system) return;
  System system = *scenario.system;
  for (const Replace& replace : scenario.replace) {
    Names ids;
    const auto note = [&](const auto& parts) {
      for (const auto& part : parts) ids.push_back(part.id);
    };
    note(system.sockets), note(system.switches), note(system.gpus), note(system.nics),
        note(system.drives);
    bool found = false;
    swap_parts(system.sockets, replace, ids, reader, found, out);
    swap_parts(system.switches, replace, ids, reader, found, out);
    swap_parts(system.gpus, replace, ids, reader, found, out);
    swap_parts(system.nics, replace, ids, reader, found, out);
    swap_parts(system.drives, replace, ids, reader, found, out);
    if (!found)
      out.error(replace.part.where, "replace.part: no part of {} is called \"{}\"; {}",
                scenario.system.name, replace.part.id, suggestion(replace.part.id, ids));
  }
  scenario.system.entry = std::make_shared<const System>(std::move(system));
}

}  // namespace gpufeed
