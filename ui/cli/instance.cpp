// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "reports/writers/layout.h"
#include "sim/base/files/read_file.h"
#include "sim/base/files/write_whole.h"
#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/catalog/system.h"
#include "ui/cli/output.h"

namespace gpufeed::cli {
namespace {

/// How entries of clouds begin, and what else is said before an instance's name.
constexpr std::array<std::string_view, 3> kClouds{"aws-", "azure-", "gce-"};
constexpr std::array<std::string_view, 8> kBefore{"amazon-ec2-", "aws-", "ec2-",      "azure-",
                                                  "gce-",        "gcp-", "standard-", "ml."};

/// As the catalog writes it, without its cloud.
std::string plain_instance(std::string name) {
  for (char& c : name) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (c == '_' || c == ' ') c = '-';
  }
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view before : kBefore)
      if (name.starts_with(before) && name.size() > before.size()) {
        name.erase(0, before.size());
        again = true;
      }
  }
  return name;
}

/// The catalog's names by those of their clouds.
std::map<std::string, std::string> instances_of(const Catalog& catalog) {
  std::map<std::string, std::string> out;
  for (const std::string& name : catalog.names("system"))
    for (const std::string_view cloud : kClouds)
      if (name.starts_with(cloud)) out[name.substr(cloud.size())] = name;
  return out;
}

/// "8 x nvidia-h100-sxm5-80gb", of each product.
template <class Parts>
std::string counted_products(const Parts& parts) {
  std::map<std::string, int> count;
  std::vector<std::string> order;
  for (const auto& part : parts)
    if (++count[part.model.name] == 1) order.push_back(part.model.name);
  std::string out;
  for (const auto& name : order)
    out += fmt::format("{}{} x {}", out.empty() ? "" : ", ", count[name], name);
  return out;
}

std::string on_screen(const System& system, const std::string& entry) {
  constexpr std::size_t kTextFrom = 14;
  std::string out = system.title + "\n";
  const auto row = [&](const char* label, const std::string& what) {
    if (!what.empty()) out += labeled(std::string("  ") + label, what, kTextFrom);
  };
  Bytes memory;
  for (const Socket& socket : system.sockets) memory += socket.memory;
  row("sockets", counted_products(system.sockets) + ", " + text(memory, 4) + " in all");
  row("GPUs", counted_products(system.gpus));
  row("cards", counted_products(system.nics));
  row("drives", counted_products(system.drives));
  if (system.rent_per_hour && system.rent_year)
    row("rent", fmt::format("{} an hour ({})", text(*system.rent_per_hour, 4), *system.rent_year));
  return out + fmt::format(
                   "\nsystem = \"{0}\" names it in a scenario; gpufeed catalog show {0} "
                   "tells its sources\n",
                   entry);
}

/// The file of the entry, as it stands in the catalog.
std::string entry_text(const std::string& entry, const Catalog& catalog) {
  Diagnostics problems;
  for (const EntryText& one : describe_entry(catalog, entry))
    if (one.kind == "system")
      if (auto text = read_text_file(one.file, kMaxTextSize, problems)) return *text;
  problems.throw_if_any();
  return "";
}

}  // namespace

void show_instance(const std::string& name, const std::optional<std::string>& output,
                   const Catalog& catalog, const Options& options) {
  const auto instances = instances_of(catalog);
  const auto found = instances.find(plain_instance(name));
  const Names all = catalog.names("system");
  if (found == instances.end() && !std::ranges::count(all, name)) {
    Names known;
    for (const auto& one : instances) known.push_back(one.first);
    throw options.error(fmt::format("--instance: the catalog has none called \"{}\"; {}", name,
                                    suggestion(plain_instance(name), known)));
  }
  const std::string entry = found == instances.end() ? name : found->second;
  if (output == "-") return print(entry_text(entry, catalog));
  const auto system =
      parse_system(fmt::format("system = {}\n", toml_string(entry)), "--instance", catalog);
  print(on_screen(*system, entry));
  if (!output) return;
  write_new(*output, entry_text(entry, catalog));
  print(fmt::format("{}: written; system = \"{}\" names it in a scenario\n", *output, *output));
}

}  // namespace gpufeed::cli
