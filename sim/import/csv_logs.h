// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sim/import/job_logs.h"

namespace gpufeed {

/// Whether the first line of a CSV names the columns of a log of `parse_csv_log`.
bool is_csv_log(std::string_view first_line);

/// CSV of published logs, whose first line names the columns: Alibaba PAI's pods (2023:
/// creation_time, scheduled_time, deletion_time, num_gpu, gpu_milli, gpu_spec, cpu_milli,
/// memory_mib) and tasks (2020: start_time, end_time, inst_num, plan_cpu and plan_gpu in percent,
/// plan_mem in GiB), Helios and Philly (submit_time, start_time, end_time, duration, gpu_num,
/// cpu_num, user, vc). Where no submission is told, a job arrives when it started. Dates are
/// numbers of seconds or such as 2020-04-07 22:40:00. \source  the logs' own descriptions:
/// alibaba/clusterdata, S-Lab-System-Group/HeliosData,
///          msr-fiddle/philly-traces
LoggedJobs parse_csv_log(std::string_view text, const std::string& name, Diagnostics& out);

}  // namespace gpufeed
