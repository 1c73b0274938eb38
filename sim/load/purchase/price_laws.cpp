// SPDX-License-Identifier: Apache-2.0
#include "sim/load/purchase/price_laws.h"

#include "sim/load/read/reader.h"

namespace gpufeed {

PriceLaws price_laws_in(const Catalog& catalog, Diagnostics& out) {
  PriceLaws laws;
  Reader reader(catalog, "", out);
  for (const std::string& kind : catalog.names(PriceLaw::kKind))
    if (auto law = reader.entry_of<PriceLaw>(*catalog.find(PriceLaw::kKind, kind))) {
      if (!(law->within >= 1))
        out.error(ProblemCode::out_of_range, {catalog.find(PriceLaw::kKind, kind)->string(), 0, 0},
                  "{}: within must be at least 1, found {}", kind, law->within);
      laws[kind] = std::move(law);
    }
  return laws;
}

}  // namespace gpufeed
