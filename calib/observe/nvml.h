// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace gpufeed {

/// NVIDIA's management library, as the driver brings it: loaded when it is asked for, absent where
/// there is none.
class Nvml {
 public:
  static Nvml& here();
  /// Share of the last moments in which a kernel ran, mean of all GPUs, 0 to 1.
  std::optional<double> utilization() const;

 private:
  Nvml();

  /// nvmlUtilization_t of nvml.h.
  struct Use {
    unsigned gpu;
    unsigned memory;
  };
  using Device = void*;
  int (*use_of_)(Device, Use*) = nullptr;
  std::vector<Device> devices_;
};

}  // namespace gpufeed
