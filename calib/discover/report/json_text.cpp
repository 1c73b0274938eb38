// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "calib/discover/report/facts.h"

namespace gpufeed {
namespace {

using Json = nlohmann::json;

std::string word(const Json& object, const char* key) {
  const auto it = object.is_object() ? object.find(key) : object.end();
  if (it == object.end()) return "";
  if (it->is_string()) return it->get<std::string>();
  return it->is_number() ? it->dump() : "";
}

double number(const Json& object, const char* key) { return leading_number(word(object, key)); }

/// lscpu -J: {"lscpu": [{"field": "Model name:", "data": "..."}, ...]}, nested in newer ones. Read
/// as the lines that it prints without -J.
void lines_of_lscpu(const Json& fields, std::string& out) {
  for (const Json& field : fields) {
    out += word(field, "field") + " " + word(field, "data") + "\n";
    if (field.is_object() && field.contains("children") && field["children"].is_array())
      lines_of_lscpu(field["children"], out);
  }
}

void read_lsblk(const Json& devices, ReportFacts& facts) {
  for (const Json& device : devices) {
    if (word(device, "type") != "disk") continue;
    const std::string name = word(device, "name");
    const std::string size = word(device, "size");
    if (name.empty() || name.starts_with("zram")) continue;
    DriveFacts& drive = facts.drives[name.substr(name.rfind('/') + 1)];
    if (const double bytes = size_in_bytes(size); bytes > 0) drive.size = {bytes};
    if (const std::string model = word(device, "model"); !model.empty())
      drive.product = std::string(trimmed(model));
    const auto rotates = device.find("rota");
    drive.rotates = rotates != device.end() && (*rotates == true || *rotates == "1");
  }
}

/// nvme list -o json: a flat list, or controllers with namespaces in newer ones.
void read_nvme(const Json& devices, ReportFacts& facts) {
  for (const Json& device : devices) {
    const std::string path = word(device, "DevicePath");
    if (!path.empty()) {
      DriveFacts& drive = facts.drives[path.substr(path.rfind('/') + 1)];
      drive.product = word(device, "ModelNumber");
      drive.size = {number(device, "PhysicalSize")};
    }
    if (!device.is_object() || !device.contains("Subsystems")) continue;
    for (const Json& subsystem : device["Subsystems"])
      for (const char* const level : {"Controllers", "Namespaces"})
        if (subsystem.is_object() && subsystem.contains(level))
          for (const Json& one : subsystem[level]) {
            const auto below = one.find("Namespaces");
            const std::string model = word(one, "ModelNumber");
            for (const Json& space : below == one.end() ? Json::array({one}) : *below) {
              const std::string name = word(space, "NameSpace");
              if (name.empty()) continue;
              if (!model.empty()) facts.drives[name].product = model;
              facts.drives[name].size = {number(space, "PhysicalSize")};
            }
          }
  }
}

/// ip -j link: names alone; ethtool or /sys tell rates.
void read_ip(const Json& links, ReportFacts& facts) {
  for (const Json& link : links) {
    const std::string name = word(link, "ifname");
    if (name.empty() || word(link, "link_type") == "loopback") continue;
    NetFacts& net = facts.net[name];
    if (const std::string bus = word(link, "parentdev"); !bus.empty()) net.bus = plain_bus(bus);
  }
}

}  // namespace

bool read_json(const std::string& text, ReportFacts& facts) {
  const Json root = Json::parse(text, nullptr, false);
  if (root.is_discarded()) return false;
  if (root.is_object() && root.contains("lscpu") && root["lscpu"].is_array()) {
    std::string plain;
    lines_of_lscpu(root["lscpu"], plain);
    ReportLines lines(plain, "lscpu");
    read_processor(lines, facts);
    return true;
  }
  if (root.is_object() && root.contains("blockdevices") && root["blockdevices"].is_array())
    return read_lsblk(root["blockdevices"], facts), true;
  if (root.is_object() && root.contains("Devices") && root["Devices"].is_array())
    return read_nvme(root["Devices"], facts), true;
  if (root.is_array() && !root.empty() && root[0].is_object() && root[0].contains("ifname"))
    return read_ip(root, facts), true;
  return false;
}

}  // namespace gpufeed
