// SPDX-License-Identifier: Apache-2.0
#include "sim/load/serving/source.h"

#include "sim/base/files/read_file.h"
#include "sim/load/read/front_door.h"
#include "sim/load/scenario_build.h"
#include "sim/load/serving/document.h"

namespace gpufeed {

ServingSource::ServingSource(const std::filesystem::path& file, Catalog catalog,
                             std::vector<Override> always)
    : name_(file.lexically_normal().string()),
      catalog_(std::move(catalog)),
      always_(std::move(always)) {
  Diagnostics out;
  if (auto text = read_text_file(file, kMaxTextSize, out)) text_ = std::move(*text);
  parse_toml(text_, name_, out);
  out.throw_if_any();
}

serving::Document ServingSource::load(const std::vector<Override>& more) const {
  std::vector<Override> all = always_;
  all.insert(all.end(), more.begin(), more.end());
  try {
    return parse_serving(text_, name_, catalog_, all);
  } catch (const InputError& error) {
    Diagnostics found, moved;
    for (const Problem& problem : error.problems()) found.add(problem);
    report_at_overrides(found, more, moved);
    moved.throw_if_any();
    throw;
  }
}

void ServingSource::check(const std::vector<Override>& more, Diagnostics& out) const {
  std::vector<Override> all = always_;
  all.insert(all.end(), more.begin(), more.end());
  Diagnostics found;
  read_serving_keys(text_, name_, catalog_, all, found);
  report_at_overrides(found, more, out);
}

}  // namespace gpufeed
