// SPDX-License-Identifier: Apache-2.0
#include "calib/observe/nvml.h"

#include <dlfcn.h>

namespace gpufeed {
namespace {

template <class Function>
Function function_of(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

Nvml& Nvml::here() {
  static Nvml nvml;
  return nvml;
}

// Names and forms of NVML's API reference; 0 is NVML_SUCCESS.
Nvml::Nvml() {
  void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  const auto init = function_of<int (*)()>(library, "nvmlInit_v2");
  const auto count_of = function_of<int (*)(unsigned*)>(library, "nvmlDeviceGetCount_v2");
  const auto device_of =
      function_of<int (*)(unsigned, Device*)>(library, "nvmlDeviceGetHandleByIndex_v2");
  use_of_ = function_of<int (*)(Device, Use*)>(library, "nvmlDeviceGetUtilizationRates");
  unsigned count = 0;
  if (!init || !count_of || !device_of || !use_of_ || init() != 0 || count_of(&count) != 0) return;
  for (unsigned i = 0; i < count; ++i)
    if (Device device = nullptr; device_of(i, &device) == 0) devices_.push_back(device);
}

std::optional<double> Nvml::utilization() const {
  double sum = 0;
  for (Device device : devices_) {
    Use use{};
    if (use_of_(device, &use) != 0) return {};
    sum += use.gpu;
  }
  constexpr double kPercent = 100;
  if (devices_.empty()) return {};
  return sum / static_cast<double>(devices_.size()) / kPercent;
}

}  // namespace gpufeed
