// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gpufeed {

/// A machine with one GPU, then what a test adds to [workload].
inline std::string one_gpu(const std::string& gpu, const std::string& more = "",
                           const std::string& dataset = "\"imagenet-1k\"") {
  return "[system]\n"
         "title = \"one GPU\"\n"
         "socket = [{ id = \"cpu0\", model = \"intel-xeon-e5-2698v4\", memory = \"256 GiB\" }]\n"
         "drive = [{ id = \"ssd0\", model = \"samsung-pm1733-15.36tb\", at = \"cpu0\" }]\n"
         "gpu = [{ id = \"gpu0\", model = \"" +
         gpu + "\", at = \"cpu0\"" + more +
         " }]\n"
         "[data]\n"
         "at = \"ssd0\"\n"
         "[workload]\n"
         "dataset = " +
         dataset + "\n";
}

}  // namespace gpufeed
