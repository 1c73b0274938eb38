// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gpufeed {

/// Refuses raw measurements that cannot be what they are called, before anything is fitted to them:
/// rates (`..._Bps`) that are not from 100 kB/s to 1 PB/s, times and sizes (`..._s`, `..._B`) of
/// decoding below 0 or of a core that took longer than the clock, as where somebody has swapped
/// units. What fio and GPU probes say is checked where it is read. \param name  of the file
/// \throws InputError  with every such value
void check_raw(const nlohmann::ordered_json& raw, const std::string& name);

}  // namespace gpufeed
