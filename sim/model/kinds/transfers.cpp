// SPDX-License-Identifier: Apache-2.0
#include "sim/model/kinds/transfers.h"

#include "sim/base/labels/label_text.h"

namespace gpufeed {

void refuse_halves(const Copy& copy, Diagnostics& out) {
  out.error(ProblemCode::conflict, copy.where,
            "workload.copy.overlapped: a copy from {} to {} does not stop in host "
            "memory on its way",
            text_of(copy.from.id), text_of(copy.to.id));
}

void refuse_via(const Copy& copy, Diagnostics& out) {
  out.error(ProblemCode::conflict, copy.via->where,
            "workload.copy.via: {} has no NVLink to both {} and {}", text_of(copy.via->id),
            text_of(copy.from.id), text_of(copy.to.id));
}

}  // namespace gpufeed
