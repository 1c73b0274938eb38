// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/hwloc_nvlink.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace gpufeed {
namespace {

/// One link carries 20 GB/s each way in the first generation, 25 in the second to fourth, 50 in the
/// fifth (NVIDIA's data sheets of P100, V100, A100, H100, B200); hwloc says MB/s of all together.
std::int64_t links_in(double MBps) {
  constexpr double kUsual = 25000;
  constexpr double kFirst = 20000;
  const double rate =
      std::fmod(MBps, kUsual) != 0 && std::fmod(MBps, kFirst) == 0 ? kFirst : kUsual;
  return std::llround(MBps / rate);
}

struct Matrix {
  std::vector<std::string> ends;  ///< gp_index of each
  std::vector<double> MBps;       ///< by row
};

Matrix matrix_of(const XmlElement& element) {
  Matrix matrix;
  for (const auto& part : element.children) {
    std::istringstream words(part->text);
    for (std::string word; words >> word;) {
      if (part->name == "indexes") matrix.ends.push_back(word.substr(word.find(':') + 1));
      if (part->name == "u64values") matrix.MBps.push_back(std::strtod(word.c_str(), nullptr));
    }
  }
  if (matrix.MBps.size() != matrix.ends.size() * matrix.ends.size())
    throw InputError(
        {{element.where, fmt::format("{} numbers for {} places: the matrix is not square",
                                     matrix.MBps.size(), matrix.ends.size())}});
  return matrix;
}

}  // namespace

void find_nvlinks(const XmlElement& root, const PlacesByIndex& places, FoundMachine& machine) {
  for (const auto& element : root.children) {
    if (!element->name.starts_with("distances2") || (*element)["name"] != "NVLinkBandwidth")
      continue;
    const Matrix matrix = matrix_of(*element);
    const std::size_t size = matrix.ends.size();
    for (std::size_t from = 0; from < size; ++from) {
      const auto gpu = places.find(matrix.ends[from]);
      if (gpu == places.end()) continue;
      std::int64_t to_switches = 0;
      for (std::size_t to = 0; to < size; ++to) {
        const auto other = places.find(matrix.ends[to]);
        const std::int64_t links = from == to ? 0 : links_in(matrix.MBps[from * size + to]);
        if (links == 0) continue;
        if (other == places.end())
          to_switches += links;
        else if (gpu->second < other->second)
          machine.nvlinks.push_back({gpu->second, other->second, links});
      }
      machine.links_to_nvswitches = std::max(machine.links_to_nvswitches, to_switches);
    }
  }
}

}  // namespace gpufeed
