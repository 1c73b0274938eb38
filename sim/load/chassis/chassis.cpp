// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/chassis.h"

#include "sim/load/chassis/write.h"

namespace gpufeed {

bool is_chassis_with_parts(const toml::table& system) {
  return system.contains("chassis") && !system.contains("socket");
}

bool make_of_chassis(toml::table& system, const std::string& place, Reader& reader,
                     Diagnostics& out) {
  const toml::node& node = *system.get("chassis");
  if (!node.is_string()) {
    out.error(reader.at(node),
              "{}.chassis must be the name of a chassis in the catalog, or a path "
              "to its file; found {}",
              place, shown(node));
    return false;
  }
  const std::string& name = node.as_string()->get();
  if (!reader.catalog().find(Chassis::kKind, name) && reader.catalog().find(System::kKind, name)) {
    out.error(reader.at(node),
              "{}.chassis: {} is a machine that comes whole, not a chassis; take it as {} = \"{}\"",
              place, name, place, name);
    return false;
  }
  Ref<Chassis> chassis{name, reader.at(node), nullptr};
  reader.resolve(chassis, place + ".chassis");
  if (!chassis) return false;

  const std::size_t before = out.count();
  const Request request{system, place, *chassis, reader, out};
  const Parts parts = choose_parts(request);
  const Placement placement = place_parts(request, parts);
  if (out.count() > before) return false;
  write_tables(system, *chassis, parts, placement, reader);
  return true;
}

}  // namespace gpufeed
