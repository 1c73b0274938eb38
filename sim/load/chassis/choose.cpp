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
      request.out.error(request.reader.at(node), "{}: unknown key \"{}\"; {}", request.place,
                        key.str(), suggestion(key.str(), known));
}

/// Parts of a key; none where `table`, the parts list of the same, stands there in its place.
template <class Product>
std::vector<Chosen<Product>> choose(const Request& request, std::string_view key,
                                    std::string_view table, const std::vector<PartRef>& standard) {
  std::vector<Chosen<Product>> found;
  const bool own = request.system.contains(table) && !is_text(request.system.get(table));
  if (own && (key == table || !request.system.contains(key))) return found;
  for (const auto& asked : asked_for(request, key, standard)) {
    if (asked.what.find(' ') != std::string::npos) {
      request.out.error(asked.where,
                        "{}.{} must be how many, an x and what, such as \"8 x NAME\"; found "
                        "\"{}\"",
                        request.place, key, asked.what);
      continue;
    }
    Ref<Product> model{asked.what, asked.where, nullptr};
    request.reader.resolve(model, fmt::format("{}.{}", request.place, key));
    if (model) found.push_back({asked.count, std::move(model)});
  }
  return found;
}

/// ", such as A, B or C": CPUs for the chassis' socket, those with as many cores first.
/// \param joined  only those that can be joined to another
std::string cpus_for_socket(const Request& request, std::optional<std::int64_t> cores,
                            bool joined = false) {
  return such_as<Cpu>(request.reader.catalog(), [&](const Cpu& one) -> std::optional<double> {
    if (one.socket != request.chassis.socket || (joined && one.socket_links == 0)) return {};
    return cores ? std::abs(static_cast<double>(one.cores - *cores)) : 0;
  });
}

void choose_cpus(const Request& request, Parts& parts) {
  const auto& [system, place, chassis, reader, out] = request;
  const std::size_t before = out.count();
  const auto cpus = choose<Cpu>(request, "cpu", "cpu", chassis.cpu);
  if (cpus.empty() && out.count() == before)
    out.error(reader.at(system),
              "{}: \"cpu\" is missing; it must be how many and which, for socket {}{}", place,
              chassis.socket, cpus_for_socket(request, {}));
  if (cpus.empty()) return;
  const Ref<Cpu>& cpu = cpus.front().model;
  for (const auto& one : cpus) {
    parts.sockets += one.count;
    if (one.model.name != cpu.name)
      return out.error(one.model.where, "{}.cpu: the CPUs of a machine are alike; take {} or {}",
                       place, cpu.name, one.model.name);
  }
  if (parts.sockets > chassis.sockets)
    return out.error(cpu.where, "{}.cpu: {} has {} socket{}, and {} CPUs are asked for; take {}",
                     place, chassis.name, chassis.sockets, chassis.sockets > 1 ? "s" : "",
                     parts.sockets, chassis.sockets);
  if (!cpu->socket)
    parts.doubts.push_back(fmt::format("{} does not say which socket it fits; {} has {}", cpu.name,
                                       chassis.name, chassis.socket));
  else if (*cpu->socket != chassis.socket)
    return out.error(cpu.where, "{}.cpu: {} fits socket {}, and {} has {}; take one that fits{}",
                     place, cpu.name, *cpu->socket, chassis.name, chassis.socket,
                     cpus_for_socket(request, cpu->cores));
  if (parts.sockets > 1 && cpu->socket_links == 0)
    return out.error(cpu.where,
                     "{}.cpu: {} cannot be joined to another; take one, or another CPU{}", place,
                     cpu.name, cpus_for_socket(request, cpu->cores, true));
  parts.cpu = cpu;
}

void choose_memory_of_sockets(const Request& request, Parts& parts) {
  const auto& [system, place, chassis, reader, out] = request;
  const auto asked = asked_for(request, "memory", chassis.memory);
  if (asked.size() == 1 && parts.cpu)
    parts.memory = choose_memory(request, asked.front(), parts.cpu, parts.sockets, parts.doubts);
  else if (asked.size() > 1)
    out.error(asked.back().where, "{}.memory: one text says it all; found {}", place, asked.size());
  else if (asked.empty())
    out.error(reader.at(system.contains("memory") ? *system.get("memory") : system),
              "{}: \"memory\" is missing; it must be one size, such as \"512 GB\" or \"16 x 32 "
              "GB\"",
              place);
}

}  // namespace

Parts choose_parts(const Request& request) {
  refuse_unknown_keys(request);
  Parts parts;
  choose_cpus(request, parts);
  choose_memory_of_sockets(request, parts);
  parts.gpus = choose<Gpu>(request, "gpu", "gpu", request.chassis.gpu);
  parts.nics = choose<Nic>(request, "nics", "nic", request.chassis.nics);
  parts.drives = choose<Drive>(request, "drives", "drive", request.chassis.drives);
  return parts;
}

}  // namespace gpufeed
