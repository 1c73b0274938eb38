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
  constexpr double kMost = 1e9;
  return std::llround(std::clamp(MBps, 0.0, kMost) / rate);
}

struct Matrix {
  std::vector<std::string> ends;  ///< gp_index of each
  std::vector<double> MBps;       ///< by row; of a matrix of hops, hops
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

std::vector<const XmlElement*> matrices(const XmlElement& root, std::string_view name) {
  std::vector<const XmlElement*> found;
  for (const auto& element : root.children)
    if (element->name.starts_with("distances2") && (*element)["name"] == name)
      found.push_back(element.get());
  return found;
}

void add_nvlinks(const Matrix& matrix, const HwlocPlaces& places, FoundMachine& machine) {
  const std::size_t size = matrix.ends.size();
  for (std::size_t from = 0; from < size; ++from) {
    const auto gpu = places.devices.find(matrix.ends[from]);
    if (gpu == places.devices.end()) continue;
    std::int64_t to_switches = 0;
    for (std::size_t to = 0; to < size; ++to) {
      const double MBps = from == to ? 0 : matrix.MBps[from * size + to];
      const std::int64_t links = links_in(MBps);
      if (links == 0) continue;
      const auto other = places.devices.find(matrix.ends[to]);
      if (places.sockets.contains(matrix.ends[to]))
        machine.devices[gpu->second].to_processor += Bandwidth{MBps * 1e6};
      else if (other == places.devices.end())
        to_switches += links;
      else if (gpu->second < other->second)
        machine.nvlinks.push_back({gpu->second, other->second, links});
    }
    machine.links_to_nvswitches = std::max(machine.links_to_nvswitches, to_switches);
  }
}

void add_xgmi(const Matrix& hops, const HwlocPlaces& places, FoundMachine& machine) {
  const std::size_t size = hops.ends.size();
  for (std::size_t from = 0; from < size; ++from)
    for (std::size_t to = from + 1; to < size; ++to) {
      const auto a = places.devices.find(hops.ends[from]);
      const auto b = places.devices.find(hops.ends[to]);
      if (a == places.devices.end() || b == places.devices.end()) continue;
      if (a->second != b->second && hops.MBps[from * size + to] == 1)
        machine.nvlinks.push_back({a->second, b->second, 1});
    }
}

}  // namespace

void find_nvlinks(const XmlElement& root, const HwlocPlaces& places, FoundMachine& machine) {
  for (const XmlElement* element : matrices(root, "NVLinkBandwidth"))
    add_nvlinks(matrix_of(*element), places, machine);
  for (const XmlElement* element : matrices(root, "XGMIHops"))
    add_xgmi(matrix_of(*element), places, machine);
}

}  // namespace gpufeed
