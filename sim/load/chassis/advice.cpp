// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/advice.h"

#include "sim/load/chassis/asked.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

std::string parts_text(std::int64_t count, const std::string& product) {
  return toml_string(fmt::format("{} x {}", count, product));
}

}  // namespace

std::string such_as(const Names& names) {
  return names.empty() ? "" : fmt::format(", such as {}", fmt::join(names, ", "));
}

Fix ask_for(const Request& request, std::string_view key, const std::string& product,
            std::int64_t count, const std::string& instead) {
  Diagnostics reported;
  const Request again{request.system, request.place, request.chassis, request.reader, reported};
  Names items;
  bool found = false;
  for (const Asked& asked : asked_for(again, key)) {
    const bool is_it = asked.what == product;
    found = found || is_it;
    if (!is_it)
      items.push_back(parts_text(asked.count, asked.what));
    else if (count > 0)
      items.push_back(parts_text(count, instead));
  }
  if (!found && count > 0) items.push_back(parts_text(count, instead));
  const std::string value = items.empty()       ? "\"none\""
                            : items.size() == 1 ? items.front()
                                                : toml_array(items);
  return {Fix::Kind::set, request.place / key, value};
}

void add_count(Problem& problem, const Request& request, std::string_view key,
               const std::string& product, std::int64_t count) {
  problem.fixes.push_back(ask_for(request, key, product, count, product));
}

void add_products(Problem& problem, const Request& request, std::string_view key,
                  const std::string& product, std::int64_t count, const Names& instead) {
  for (const auto& name : instead)
    problem.fixes.push_back(ask_for(request, key, product, count, name));
}

void add_chassis(Problem& problem, const Request& request, const Names& chassis) {
  for (const auto& name : chassis)
    problem.fixes.push_back({Fix::Kind::set, request.place / "chassis", toml_string(name)});
}

}  // namespace gpufeed
