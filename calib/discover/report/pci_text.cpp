// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "calib/discover/report/facts.h"

namespace gpufeed {
namespace {

bool is_hex(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// "3b:00.0" or "0000:3b:00.0".
bool is_bus(std::string_view word) {
  const std::size_t dot = word.rfind('.');
  const std::size_t colon = word.rfind(':');
  if (dot == std::string_view::npos || colon == std::string_view::npos || dot < colon) return false;
  const std::string_view head = word.substr(0, colon);
  const std::size_t domain = head.find(':');
  return is_hex(word.substr(dot + 1)) && dot - colon == 3 && is_hex(word.substr(colon + 1, 2)) &&
         word.size() - dot == 2 &&
         (domain == std::string_view::npos
              ? head.size() == 2 && is_hex(head)
              : is_hex(head.substr(0, domain)) && is_hex(head.substr(domain + 1)));
}

/// The last "[10de:2330]" of a line, or "10de:2330" of -n.
std::string ids_in(const std::string& line) {
  for (std::size_t at = line.rfind(':'); at != std::string::npos && at >= 4;
       at = line.rfind(':', at - 1)) {
    if (at + 5 > line.size()) continue;
    std::string ids = line.substr(at - 4, 9);
    const bool alone = at == 4 || std::isxdigit(static_cast<unsigned char>(line[at - 5])) == 0;
    if (alone && is_hex(ids.substr(0, 4)) && is_hex(ids.substr(5)) && ids.size() == 9 &&
        (at + 5 == line.size() || std::isxdigit(static_cast<unsigned char>(line[at + 5])) == 0))
      return ids;
  }
  return "";
}

/// Classes by lspci's names, for lspci without -n. Source: pci.ids, its list of classes.
int class_called(const std::string& name) {
  struct Known {
    std::string_view name;
    int pci_class;
  };
  static constexpr std::array<Known, 15> kKnown{{{"VGA compatible controller", 0x0300},
                                                 {"3D controller", 0x0302},
                                                 {"Display controller", 0x0380},
                                                 {"Processing accelerators", 0x1200},
                                                 {"Ethernet controller", 0x0200},
                                                 {"Infiniband controller", 0x0207},
                                                 {"InfiniBand controller", 0x0207},
                                                 {"Network controller", 0x0280},
                                                 {"Non-Volatile memory controller", 0x0108},
                                                 {"RAID bus controller", 0x0104},
                                                 {"SATA controller", 0x0106},
                                                 {"Serial Attached SCSI controller", 0x0107},
                                                 {"SCSI storage controller", 0x0100},
                                                 {"PCI bridge", 0x0604},
                                                 {"Bridge", 0x0680}}};
  for (const Known& one : kKnown)
    if (name.starts_with(one.name)) return one.pci_class;
  return 0;
}

PciFacts function_in(const std::string& line) {
  PciFacts out;
  const std::size_t space = line.find(' ');
  out.bus = plain_bus(line.substr(0, space));
  const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
  const std::size_t colon = rest.find(": ");
  out.class_name = rest.substr(0, colon);
  if (is_hex(out.class_name) && out.class_name.size() == 4)  // of -n
    out.pci_class = static_cast<int>(std::strtol(out.class_name.c_str(), nullptr, 16));
  else
    out.pci_class = class_called(out.class_name);
  const std::size_t open = out.class_name.rfind('[');
  if (open != std::string::npos)
    out.pci_class =
        static_cast<int>(std::strtol(out.class_name.substr(open + 1, 4).c_str(), nullptr, 16));
  std::string product = colon == std::string::npos ? "" : rest.substr(colon + 2);
  out.ids.device = ids_in(product);
  if (const auto rev = product.find(" (rev "); rev != std::string::npos) product.resize(rev);
  if (const auto ids = product.rfind(" [" + out.ids.device + "]");
      !out.ids.device.empty() && ids != std::string::npos)
    product.resize(ids);
  out.product = product;
  return out;
}

/// "LnkCap: Port #0, Speed 16GT/s, Width x16, ASPM not supported".
PcieLink link_in(const std::string& line) {
  PcieLink link;
  if (const auto speed = line.find("Speed "); speed != std::string::npos)
    link.generation = generation_of(line.substr(speed + 6));
  if (const auto width = line.find("Width x"); width != std::string::npos)
    link.lanes = static_cast<std::int64_t>(std::min(leading_number(line.substr(width + 7)), 32.0));
  return link;
}

void read_detail(const std::string& line, PciFacts& function) {
  const std::string plain(trimmed(line));
  if (plain.starts_with("Subsystem:")) function.ids.subsystem = ids_in(plain);
  if (const auto node = value_after(plain, "NUMA node"))
    function.node = static_cast<std::int64_t>(std::min(leading_number(*node), 1e4));
  if (plain.starts_with("Bus: primary=")) {
    const auto at = plain.find("secondary=");
    if (at != std::string::npos)
      function.secondary =
          static_cast<int>(std::strtol(plain.substr(at + 10, 2).c_str(), nullptr, 16));
  }
  if (plain.find("Upstream Port") != std::string::npos &&
      plain.find("Express") != std::string::npos)
    function.upstream_port = true;
  if (plain.starts_with("LnkCap:") && link_in(plain).known()) {
    function.link = link_in(plain);
    function.link.of_capabilities = true;
  }
}

}  // namespace

std::string plain_bus(std::string_view bus) {
  std::string out(trimmed(bus));
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  if (std::ranges::count(out, ':') == 1) out = "0000:" + out;
  const std::size_t colon = out.find(':');
  if (colon != std::string::npos && colon > 4) out = out.substr(colon - 4);
  return out;
}

void read_pci(ReportLines& lines, ReportFacts& facts) {
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const std::string first = line.substr(0, line.find(' '));
    if (is_bus(first) && line.find(": ") != std::string::npos) {
      constexpr std::size_t kMostFunctions = 20000;  // with virtual ones
      if (facts.pci.size() == kMostFunctions)
        throw InputError({{{lines.name(), static_cast<int>(i) + 1, 1},
                           fmt::format("more than {} functions on PCI: this is no one machine",
                                       kMostFunctions)}});
      facts.pci.push_back(function_in(line));
      inside = true;
    } else if (inside && !line.empty() && (line[0] == '\t' || line[0] == ' ')) {
      read_detail(line, facts.pci.back());
    } else {
      inside = false;
      continue;
    }
    lines.use(i);
  }
}

}  // namespace gpufeed
