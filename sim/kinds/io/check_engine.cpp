// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/io/check_engine.h"

namespace gpufeed {

void check_engine(const IoJob& io, const Location& where, bool store, Diagnostics& out) {
  const char* const aside = store        ? "on a store, whose client takes the cores"
                            : !io.direct ? "through the page cache"
                                         : nullptr;
  if (io.engine == IoEngine::psync && io.queue_depth > 1)
    out.refuse("workload.io.queue_depth", where,
               " is {}, but with psync a job waits for each request; leave it out, or set "
               "workload.io.engine = \"libaio\"",
               io.queue_depth)
        .code = ProblemCode::conflict;
  const bool calls = io.engine == IoEngine::libaio || io.engine == IoEngine::io_uring;
  if (io.batch > 1 && (!calls || aside))
    out.refuse("workload.io.batch", where, " has no effect {}; leave it out",
               calls ? aside : "but with libaio and io_uring")
        .code = ProblemCode::idle_key;
  else if (io.batch > io.queue_depth)
    out.refuse("workload.io.batch", where,
               " is {}, more than the requests under way, workload.io.queue_depth = {}", io.batch,
               io.queue_depth)
        .code = ProblemCode::conflict;
  if (aside && io.engine != IoEngine::libaio && io.engine != IoEngine::psync)
    out.refuse("workload.io.engine", where, " has no effect {}; leave it out", aside).code =
        ProblemCode::idle_key;
}

}  // namespace gpufeed
