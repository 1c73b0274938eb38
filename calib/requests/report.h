// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calib/requests/job_log.h"

namespace gpufeed {

/// Walks through the log by both clocks, for each need of which jobs say what they used, and says
/// of the new jobs what they need. \param name  of the log
RequestReport report_requests(const JobLog& log, RequestPolicy policy, std::string name);

}  // namespace gpufeed
