// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/nearest.h"
#include "sim/model/kinds/io.h"

namespace gpufeed {

/// One job of a job file of fio in gpufeed's terms.
struct FioWorkload {
  std::string file;   ///< its name, without folders
  std::string job;    ///< the section's name
  IoJob io;           ///< options that are left out have fio's own defaults
  Names not_modeled;  ///< options that ask for something gpufeed does not model
};

/// Reads a job: its options, and those of the [global] sections before it.
/// \param job  which, where the file has several
/// \throws InputError  with every problem: no job, several and none named, sizes that vary, engines
///                     and directions (trim) that are not simulated
FioWorkload parse_fio_job(std::string_view text, const std::string& name,
                          const std::optional<std::string>& job = {});

/// A scenario as TOML. \param at  the volume, drive or store that the job reads and writes
std::string fio_scenario(const FioWorkload& workload, const std::string& system,
                         const std::optional<std::string>& at);

}  // namespace gpufeed
