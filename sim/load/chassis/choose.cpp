// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/choose.h"

#include <algorithm>
#include <cmath>

#include "sim/load/chassis/advice.h"
#include "sim/load/chassis/asked.h"

namespace gpufeed {
namespace {

/// Of the keys that go: those that stay are read as those of any other system.
void refuse_unknown_keys(const Request& request) {
  Names known{"source", "basis"};
  for_each_field<System>([&](const auto& field) { known.emplace_back(field.name); });
  known.insert(known.end(), kPartKeys.begin(), kPartKeys.end());
  for (const auto& [key, node] : request.system)
    if (!std::ranges::count(known, key.str()))
      request.out.add(
          unknown_key(request.reader.at(node), request.place, std::string(key.str()), known));
}

/// Parts of a key; none where `table`, the parts list of the same, stands there in its place.
template <class Product>
std::vector<Chosen<Product>> choose(const Request& request, std::string_view key,
                                    std::string_view table) {
  std::vector<Chosen<Product>> found;
  const bool own = request.system.contains(table) && !is_text(request.system.get(table));
  if (own && (key == table || !request.system.contains(key))) return found;
  for (const auto& asked : asked_for(request, key)) {
    if (asked.what.find(' ') != std::string::npos) {
      Problem problem{asked.where};
      problem.code = ProblemCode::wrong_type;
      problem.subject = request.place / key;
      problem.expected = "how many, an x and what, such as \"8 x NAME\"";
      problem.found = fmt::format("\"{}\"", asked.what);
      request.out.add(std::move(problem));
      continue;
    }
    Ref<Product> model{asked.what, asked.where, nullptr};
    request.reader.resolve(model, text(request.place / key));
    if (model) found.push_back({asked.count, std::move(model)});
  }
  return found;
}

/// CPUs for the chassis' socket, those with as many cores first.
/// \param joined  only those that can be joined to another
Names cpus_for_socket(const Request& request, std::optional<std::int64_t> cores,
                      bool joined = false) {
  return nearest_entries<Cpu>(
      request.reader.catalog(), [&](const Cpu& one) -> std::optional<double> {
        if (one.socket != request.chassis.socket || (joined && one.socket_links == 0)) return {};
        return cores ? std::abs(static_cast<double>(one.cores - *cores)) : 0;
      });
}

void refuse_no_cpu(const Request& request) {
  const Chassis& chassis = request.chassis;
  const Names cpus = cpus_for_socket(request, {});
  Problem problem = missing_key(
      request.reader.at(request.system), request.place, "cpu",
      fmt::format("how many and which, for socket {}{}", chassis.socket, such_as(cpus)));
  add_products(problem, request, "cpu", "", chassis.sockets, cpus);
  request.out.add(std::move(problem));
}

/// Whether the CPUs are alike, fit the sockets, and can be joined where there are several.
bool check_cpus(const Request& request, const std::vector<Chosen<Cpu>>& cpus, Parts& parts) {
  const Chassis& chassis = request.chassis;
  const auto& [count, cpu] = cpus.front();
  for (const auto& one : cpus) {
    parts.sockets += one.count;
    if (one.model.name == cpu.name) continue;
    Problem& unlike =
        request.refuse("cpu", one.model.where, ": the CPUs of a machine are alike; take {} or {}",
                       cpu.name, one.model.name);
    add_products(unlike, request, "cpu", one.model.name, one.count, {cpu.name});
    add_products(unlike, request, "cpu", cpu.name, count, {one.model.name});
    return false;
  }
  if (parts.sockets > chassis.sockets) {
    add_count(
        request.refuse("cpu", cpu.where, ": {} has {} socket{}, and {} CPUs are asked for; take {}",
                       chassis.name, chassis.sockets, chassis.sockets > 1 ? "s" : "", parts.sockets,
                       chassis.sockets),
        request, "cpu", cpu.name, chassis.sockets);
    return false;
  }
  if (!cpu->socket)
    parts.doubts.push_back(fmt::format("{} does not say which socket it fits; {} has {}", cpu.name,
                                       chassis.name, chassis.socket));
  else if (*cpu->socket != chassis.socket) {
    const Names others = cpus_for_socket(request, cpu->cores);
    add_products(
        request.refuse("cpu", cpu.where, ": {} fits socket {}, and {} has {}; take one that fits{}",
                       cpu.name, *cpu->socket, chassis.name, chassis.socket, such_as(others)),
        request, "cpu", cpu.name, count, others);
    return false;
  }
  if (parts.sockets == 1 || cpu->socket_links != 0) return true;
  const Names others = cpus_for_socket(request, cpu->cores, true);
  Problem& alone = request.refuse("cpu", cpu.where,
                                  ": {} cannot be joined to another; take one, or another CPU{}",
                                  cpu.name, such_as(others));
  add_count(alone, request, "cpu", cpu.name, 1);
  add_products(alone, request, "cpu", cpu.name, count, others);
  return false;
}

void choose_cpus(const Request& request, Parts& parts) {
  const std::size_t before = request.out.count();
  const auto cpus = choose<Cpu>(request, "cpu", "cpu");
  if (cpus.empty() && request.out.count() == before) refuse_no_cpu(request);
  if (!cpus.empty() && check_cpus(request, cpus, parts)) parts.cpu = cpus.front().model;
}

void choose_memory_of_sockets(const Request& request, Parts& parts) {
  const toml::table& system = request.system;
  const auto asked = asked_for(request, "memory");
  if (asked.size() == 1 && parts.cpu)
    parts.memory = choose_memory(request, asked.front(), parts.cpu, parts.sockets, parts.doubts);
  else if (asked.size() > 1)
    request.refuse("memory", asked.back().where, ": one text says it all; found {}", asked.size());
  else if (asked.empty())
    request.out.add(
        missing_key(request.reader.at(system.contains("memory") ? *system.get("memory") : system),
                    request.place, "memory", "one size, such as \"512 GB\" or \"16 x 32 GB\""));
}

}  // namespace

Parts choose_parts(const Request& request) {
  refuse_unknown_keys(request);
  Parts parts;
  choose_cpus(request, parts);
  choose_memory_of_sockets(request, parts);
  parts.gpus = choose<Gpu>(request, "gpu", "gpu");
  parts.nics = choose<Nic>(request, "nics", "nic");
  parts.drives = choose<Drive>(request, "drives", "drive");
  return parts;
}

}  // namespace gpufeed
