// SPDX-License-Identifier: Apache-2.0
#include "tests/support/kinds.h"

namespace gpufeed::systems {

template kind::Training& become(Workload&);
template kind::Emulated& become(Workload&);
template kind::Loader& become(Workload&);
template kind::Io& become(Workload&);

}  // namespace gpufeed::systems
