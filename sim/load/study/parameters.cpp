// SPDX-License-Identifier: Apache-2.0
#include "sim/load/study/parameters.h"

#include "sim/load/read/reader.h"

namespace gpufeed {

ParameterFile load_parameters(const std::filesystem::path& file, const Catalog& catalog) {
  Diagnostics out;
  auto table = parse_toml_file(file, out);
  out.throw_if_any();
  Reader reader(catalog, file.lexically_normal().string(), out);
  ParameterFile parameters;
  reader.read_table(*table, "", parameters);
  if (parameters.catalog && !parameters.catalog->path.empty()) {
    const auto folder = file.parent_path() / parameters.catalog->path;
    if (std::error_code unknown; !std::filesystem::is_directory(folder, unknown))
      out.error(ProblemCode::unusable_file, parameters.catalog->where,
                "catalog: there is no folder {}", folder.string());
    parameters.catalog->path = folder.string();
  }
  out.throw_if_any();
  return parameters;
}

std::vector<Override> overrides_of(const ParameterFile& file) {
  std::vector<Override> overrides;
  for (const CalibratedParameter& one : file.parameters) {
    Override value{one.path, one.value, text(one.where) + ": " + text(one.path)};
    value.provenance = Provenance{file.source, Basis::calibrated};
    value.deviation = one.deviation.value;
    overrides.push_back(std::move(value));
  }
  return overrides;
}

}  // namespace gpufeed
