// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/chassis.h"

#include "sim/load/chassis/write.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {

bool is_chassis_with_parts(const toml::table& system) {
  return system.contains("chassis") && !system.contains("socket");
}

bool make_of_chassis(toml::table& system, const KeyPath& place, Reader& reader, Diagnostics& out) {
  const toml::node& node = *system.get("chassis");
  if (!node.is_string()) {
    Problem problem{reader.at(node)};
    problem.code = ProblemCode::wrong_type;
    problem.subject = place / "chassis";
    problem.expected = "the name of a chassis in the catalog, or a path to its file";
    problem.found = shown(node);
    out.add(std::move(problem));
    return false;
  }
  const std::string& name = node.as_string()->get();
  if (!reader.catalog().find(Chassis::kKind, name) && reader.catalog().find(System::kKind, name)) {
    out.refuse(ProblemCode::unfit_part, place / "chassis", reader.at(node),
               ": {} is a machine that comes whole, not a chassis; take it as {} = \"{}\"", name,
               text(place), name)
        .fixes.push_back({Fix::Kind::set, place, toml_string(name)});
    return false;
  }
  Ref<Chassis> chassis{name, reader.at(node), nullptr};
  reader.resolve(chassis, text(place / "chassis"));
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
