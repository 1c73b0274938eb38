// SPDX-License-Identifier: Apache-2.0
// Files of studies, clusters and engines that serve.
#include "sim/load/cluster/document.h"
#include "sim/load/serving/document.h"
#include "sim/load/study/first_contacts.h"
#include "sim/load/study/goal.h"
#include "sim/load/study/observed.h"
#include "sim/load/study/sweep.h"
#include "sim/load/study/validation.h"
#include "tests/fuzz/catalog.h"
#include "tests/fuzz/inputs.h"

using namespace gpufeed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text(data, size);
  const std::string name = GPUFEED_SOURCE_DIR "/examples/x/fuzz.toml";
  const Catalog& catalog = fuzz_catalog();
  read_or_refuse([&] { parse_sweep(text, name, catalog); });
  read_or_refuse([&] { parse_goal(text, name, catalog); });
  read_or_refuse([&] { parse_validation(text, name, catalog); });
  read_or_refuse([&] { parse_bars(text, name, catalog); });
  read_or_refuse([&] { parse_observed(text, name, catalog); });
  read_or_refuse([&] {
    Diagnostics out;
    parse_first_contacts(text, name, out);
    out.throw_if_any();
  });
  read_or_refuse([&] { to_toml(parse_cluster(text, name, catalog)); });
  read_or_refuse([&] { parse_serving(text, name, catalog); });
  return 0;
}
