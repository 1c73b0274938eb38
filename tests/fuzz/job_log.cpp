// SPDX-License-Identifier: Apache-2.0
// Logs of jobs and of requests: sacct, the Standard Workload Format, published CSV, JSON of
// clusters.
#include "sim/import/job_logs.h"

#include "sim/import/cluster_json.h"
#include "sim/import/csv_logs.h"
#include "sim/import/sacct_requests.h"
#include "sim/load/cluster/document.h"
#include "sim/load/cluster/job_log.h"
#include "sim/load/serving/request_log.h"
#include "tests/fuzz/inputs.h"

using namespace gpufeed;

namespace {

template <class Parse>
void read_by(Parse parse) {
  read_or_refuse([&] {
    Diagnostics out;
    parse(out);
    out.throw_if_any();
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text(data, size);
  read_by([&](Diagnostics& out) { parse_sacct(text, "fuzz", out); });
  read_by([&](Diagnostics& out) { parse_swf(text, "fuzz", false, out); });
  read_by([&](Diagnostics& out) { parse_csv_log(text, "fuzz", out); });
  read_by([&](Diagnostics& out) { requests_of_sacct(text, "fuzz", out); });
  read_by([&](Diagnostics& out) { parse_request_log(text, "fuzz", out); });
  read_by([&](Diagnostics& out) {
    const auto jobs = parse_job_log(text, {"fuzz", 0, 0}, out);
    out.throw_if_any();
    parse_job_log(job_log_text(jobs), {"again", 0, 0}, out);  // what is written is read
    if (!out.empty()) std::abort();
  });
  read_or_refuse([&] { to_toml(parse_cluster_json(text, "fuzz.json").document); });
  return 0;
}
