// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// What a text of a machine names, told by plain search: knows nothing of the readers.
namespace gpufeed::raw {

struct Parts {
  std::set<std::string> gpus;                                      ///< by PCI bus, or by name
  std::set<std::string> switches;                                  ///< by PCI bus
  std::set<std::string> drives;                                    ///< by name
  std::set<std::string> named_cards;                               ///< of a matrix
  std::map<std::string, std::vector<std::string>> card_functions;  ///< of a slot, "0000:3b:00"
  std::set<std::pair<std::string, std::string>> links;             ///< between GPUs
  std::size_t nodes = 0;                                           ///< of memory
};

inline std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The value of an attribute in a tag; empty where it has none.
inline std::string attribute(const std::string& tag, const std::string& name) {
  const std::size_t at = tag.find(" " + name + "=\"");
  if (at == std::string::npos) return "";
  const std::size_t from = at + name.size() + 3;
  return tag.substr(from, tag.find('"', from) - from);
}

/// Tags of XML with those that they lie in.
struct Tag {
  std::string text;  ///< "<pci busid=...>"
  std::vector<std::string> outer;
};

inline std::vector<Tag> tags_of(const std::string& text) {
  std::vector<Tag> tags;
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) break;
    const std::string tag = text.substr(at, end - at + 1);
    if (tag.starts_with("<?") || tag.starts_with("<!")) continue;
    if (tag.starts_with("</")) {
      if (!open.empty()) open.pop_back();
      continue;
    }
    tags.push_back({tag, open});
    if (!tag.ends_with("/>")) open.push_back(tag);
  }
  return tags;
}

inline void add_function(Parts& parts, int pci_class, const std::string& bus) {
  if (pci_class >> 8 == 0x03 || pci_class >> 8 == 0x12) parts.gpus.insert(bus);
  if (pci_class == 0x0200 || pci_class == 0x0207)
    parts.card_functions[bus.substr(0, bus.rfind('.'))].push_back(bus);
}

inline int hex(const std::string& text) {
  return static_cast<int>(std::strtol(text.c_str(), nullptr, 16));
}

inline void count_nccl(const std::vector<Tag>& tags, Parts& parts) {
  for (const Tag& tag : tags) {
    const std::string bus = attribute(tag.text, "busid");
    const std::string above = tag.outer.empty() ? "" : attribute(tag.outer.back(), "busid");
    const int pci_class = hex(attribute(tag.text, "class")) >> 8;
    if (tag.text.starts_with("<cpu")) ++parts.nodes;
    if (tag.text.starts_with("<pci ") && pci_class == 0x0604) parts.switches.insert(bus);
    if (tag.text.starts_with("<pci ")) add_function(parts, pci_class, bus);
    if (tag.text.starts_with("<gpu")) parts.gpus.insert(above);
    const bool link = tag.text.starts_with("<nvlink") || tag.text.starts_with("<xgmi");
    if (!link || tag.outer.size() < 2) continue;
    const std::string from = attribute(tag.outer[tag.outer.size() - 2], "busid");
    const std::string to = attribute(tag.text, "target");
    parts.links.insert(std::minmax(from, to));
  }
}

inline bool is_bridge(const std::string& tag) {
  return tag.find("\"Bridge\"") != std::string::npos && attribute(tag, "bridge_type") == "1-1";
}

inline void count_hwloc(const std::vector<Tag>& tags, Parts& parts) {
  for (const Tag& tag : tags) {
    const std::string type = attribute(tag.text, "type");
    if (type == "NUMANode") ++parts.nodes;
    if (type == "PCIDev")
      add_function(parts, hex(attribute(tag.text, "pci_type").substr(0, 4)),
                   attribute(tag.text, "pci_busid"));
    const std::string name = attribute(tag.text, "name");
    if (type == "OSDev" && (name.starts_with("sd") || name.starts_with("nvme")))
      parts.drives.insert(name);
    // a bridge below a bridge is a port of a switch; the upper one of two is the switch
    if (!is_bridge(tag.text) || tag.outer.empty()) continue;
    std::size_t depth = 0;
    for (const std::string& outer : tag.outer) depth += is_bridge(outer) ? 1U : 0U;
    if (depth > 0 && depth % 2 == 0)
      parts.switches.insert(attribute(tag.outer.back(), "pci_busid"));
  }
}

/// Rows of a matrix: a name, then cells.
inline void count_matrix(const std::string& text, Parts& parts) {
  std::vector<std::string> heads;
  for (const std::string& line : lines_of(text)) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    if (words.size() < 2) continue;
    if (heads.empty()) {
      if (words[0] == "GPU0" && (words[1] == "GPU1" || words[1] == "CPU")) heads = words;
      continue;
    }
    const std::set<std::string> cells{"X", "SYS", "NODE", "PHB", "PXB", "PIX"};
    if (!cells.contains(words[1]) && !words[1].starts_with("NV")) continue;
    if (words[1] == "=" || words[0] == "X") continue;
    const bool gpu = words[0].starts_with("GPU");
    if (gpu) parts.gpus.insert(words[0]);
    for (std::size_t i = 1; gpu && i < words.size() && i <= heads.size(); ++i)
      if (words[i].starts_with("NV") && heads[i - 1].starts_with("GPU"))
        parts.links.insert(std::minmax(words[0], heads[i - 1]));
  }
}

inline Parts parts_of(const std::string& text) {
  Parts parts;
  const auto tags = tags_of(text);
  if (text.find("<system") != std::string::npos) count_nccl(tags, parts);
  if (text.find("<topology") != std::string::npos) count_hwloc(tags, parts);
  if (text.find("\tGPU0") != std::string::npos || text.find(" GPU0") != std::string::npos)
    count_matrix(text, parts);
  return parts;
}

}  // namespace gpufeed::raw
