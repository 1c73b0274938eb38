// SPDX-License-Identifier: Apache-2.0
// What the catalog says of drives, of shared stores and of the machines that clouds lend.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/load/read/reader.h"
#include "sim/load/read/usual_clients.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/entries.h"

using namespace gpufeed;
using namespace gpufeed::literals;

namespace {

/// Lent, not sold: by the name that hw_catalog/README.md gives what a cloud has.
bool lent(const std::string& name) {
  return name.starts_with("aws-") || name.starts_with("azure-") || name.starts_with("gce-");
}

Scenario training_on(const std::string& system) {
  return parse_scenario(
      "system = \"" + system + "\"\n[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n",
      "test.toml", own_catalog());
}

Drive drive_of(const std::string& name) {
  const Scenario scenario = parse_scenario(
      "[system]\n"
      "title = \"one drive\"\n"
      "socket = [{ id = \"cpu0\", model = \"amd-epyc-9554\", memory = \"64 GiB\" }]\n"
      "drive = [{ id = \"ssd0\", model = \"" +
          name +
          "\", at = \"cpu0\" }]\n"
          "gpu = [{ id = \"gpu0\", model = \"nvidia-p4\", at = \"cpu0\" }]\n"
          "[data]\n"
          "at = \"ssd0\"\n"
          "[workload]\n"
          "kind = \"io\"\n"
          "io = { block_size = \"4 KiB\" }\n",
      "test.toml", own_catalog());
  return *scenario.system->drives.front().model;
}

/// Null where the catalog has none of this name.
template <class Product>
std::shared_ptr<const Product> read_entry(const std::string& name) {
  Diagnostics out;
  return Reader(own_catalog(), "", out).entry_named<Product>(name);
}

/// "three drive writes a day for five years": three; 0 where the source says it another way.
double writes_a_day(const std::string& source) {
  const auto end = source.find(" drive write");
  if (end == std::string::npos || source.find(" a day for five years") == std::string::npos)
    return 0;
  const std::string word = source.substr(0, end);
  if (word == "one") return 1;
  if (word == "three") return 3;
  return std::stod(word);
}

/// A machine as its cloud describes it.
struct Lent {
  std::string system;
  std::size_t gpus;
  std::string gpu;
  std::int64_t virtual_cpus;
  Bytes memory;
  double gigabits;
};

}  // namespace

TEST_CASE("every drive says which bay it fits, unless a cloud lends it") {
  std::map<std::string, int> count;
  for (const auto& name : own_catalog().names("drive")) {
    CAPTURE(name);
    const EntryText entry = entry_of("drive", name);
    const std::string form = line_of(entry, "form").value;
    CHECK((form != kUnknown) == !lent(name));
    if (form == kUnknown) continue;
    ++count[form];
    const bool disk = line_of(entry, "medium").value == "disk";
    const std::string link = line_of(entry, "link").value;
    CHECK((form == "2.5-inch" || form == "3.5-inch") ==
          (link.starts_with("sata") || link.starts_with("sas")));
    if (form == "3.5-inch") CHECK(disk);
  }
  CHECK(count["u.2"] >= 60);
  for (const auto* form : {"m.2", "2.5-inch", "3.5-inch"}) CHECK(count[form] >= 10);
  for (const auto* form : {"e1.s", "e3.s"}) CHECK(count[form] >= 5);
  for (const auto* form : {"e1.l", "e3.l", "card"}) CHECK(count[form] >= 1);
}

TEST_CASE("nine tenths of the drives sold from 2020 on have a price, none before its year") {
  long sold = 0;
  long priced = 0;
  for (const auto& name : own_catalog().names("drive")) {
    CAPTURE(name);
    const EntryText entry = entry_of("drive", name);
    REQUIRE(says(entry, "released"));
    if (lent(name)) {
      CHECK_FALSE(says(entry, "price"));
      continue;
    }
    if (says(entry, "price")) CHECK(year_of(entry, "price_year") >= year_of(entry, "released"));
    if (year_of(entry, "released") < 2020) continue;
    ++sold;
    if (says(entry, "price")) ++priced;
  }
  CHECK(sold >= 100);
  CHECK(10 * priced >= 9 * sold);
}

TEST_CASE("what a drive endures is its size times the writes a day that its source names") {
  long checked = 0;
  for (const auto& name : own_catalog().names("drive")) {
    CAPTURE(name);
    const EntryText entry = entry_of("drive", name);
    if (!says(entry, "endurance")) continue;
    const double daily = writes_a_day(line_of(entry, "endurance").source);
    if (daily == 0) continue;
    const Drive drive = drive_of(name);
    CHECK(drive.endurance->value == about(daily * 5 * 365 * drive.capacity.value, 0.01));
    ++checked;
  }
  CHECK(checked >= 80);
}

TEST_CASE("every shared store that is sold or lent says since when") {
  // Both are our own choice of parts.
  const std::set<std::string> assembled{"hdfs-10-data-nodes", "linux-nfs-server-10g"};
  CHECK(own_catalog().names("array").size() >= 70);
  for (const auto& name : own_catalog().names("array")) {
    CAPTURE(name);
    const EntryText entry = entry_of("array", name);
    CHECK(says(entry, "released") == !assembled.contains(name));
    if (says(entry, "price")) CHECK(year_of(entry, "price_year") >= year_of(entry, "released"));
  }
}

TEST_CASE("every shared store has a usual client, of a family that it speaks, or is named here") {
  // What these two speak is not known.
  const std::set<std::string> without{"iei-as13000-3-nodes", "juicefs-cache-2-m6idn"};
  for (const std::string& name : own_catalog().names(Array::kKind)) {
    CAPTURE(name);
    const auto array = read_entry<Array>(name);
    REQUIRE(array);
    const std::string client = usual_client(*array, own_catalog());
    CHECK(client.empty() == without.contains(name));
    if (client.empty()) continue;
    const auto protocol = read_entry<Protocol>(client);
    REQUIRE(protocol);
    CHECK(std::ranges::count(array->protocols, protocol->family) == 1);
  }
}

TEST_CASE("every family that a store or a client names is known, and has clients of its own") {
  std::set<std::string> families;
  for (const std::string& name : own_catalog().names(Array::kKind))
    for (const auto& family : read_entry<Array>(name)->protocols) families.insert(family);
  for (const std::string& name : own_catalog().names(StorageSoftware::kKind))
    for (const auto& family : read_entry<StorageSoftware>(name)->protocols) families.insert(family);
  for (const std::string& name : own_catalog().names(Protocol::kKind)) {
    CAPTURE(name);
    const auto protocol = read_entry<Protocol>(name);
    CHECK_FALSE(protocol->family.empty());
    families.insert(protocol->family);
  }
  for (const std::string& name : families) {
    CAPTURE(name);
    const auto family = read_entry<ProtocolFamily>(name);
    REQUIRE(family);
    CHECK_FALSE(family->clients.empty());
    for (const std::string& client : family->clients) {
      CAPTURE(client);
      const auto protocol = read_entry<Protocol>(client);
      REQUIRE(protocol);
      CHECK(protocol->family == name);
    }
    // Where the usual one needs a network for RDMA, another does without, but for DAOS and 3FS.
    const auto needs = [](const std::string& one) { return read_entry<Protocol>(one)->needs_rdma; };
    CHECK(std::ranges::all_of(family->clients, needs) == (name == "daos" || name == "3fs"));
  }
}

TEST_CASE("the machines that clouds lend have what their clouds say") {
  const std::vector<Lent> machines{
      {"aws-p4de.24xlarge", 8, "nvidia-a100-sxm4-80gb", 96, 1152_GiB, 400},
      {"aws-p5e.48xlarge", 8, "nvidia-h200-sxm5-141gb", 192, 2048_GiB, 3200},
      {"aws-p5en.48xlarge", 8, "nvidia-h200-sxm5-141gb", 192, 2048_GiB, 3200},
      {"aws-p6-b200.48xlarge", 8, "nvidia-b200-sxm-180gb", 192, 2048_GiB, 3200},
      {"aws-g5.48xlarge", 8, "nvidia-a10g", 192, 768_GiB, 100},
      {"aws-g6.48xlarge", 8, "nvidia-l4", 192, 768_GiB, 100},
      {"aws-g6e.48xlarge", 8, "nvidia-l40s", 192, 1536_GiB, 400},
      {"azure-nd96asr-v4", 8, "nvidia-a100-sxm4-40gb", 96, 900_GiB, 1624},
      {"azure-nd96isr-h100-v5", 8, "nvidia-h100-sxm5-80gb", 96, 1900_GiB, 3280},
      {"azure-nd96isr-h200-v5", 8, "nvidia-h200-sxm5-141gb", 96, 1850_GiB, 3280},
      {"azure-nc96ads-a100-v4", 4, "nvidia-a100-pcie-80gb", 96, 880_GiB, 80},
      {"gce-a2-ultragpu-8g", 8, "nvidia-a100-sxm4-80gb", 96, 1360_GB, 100},
      {"gce-a3-highgpu-8g", 8, "nvidia-h100-sxm5-80gb", 208, 1872_GB, 1000},
      {"gce-a3-ultragpu-8g", 8, "nvidia-h200-sxm5-141gb", 224, 2952_GB, 3600},
      {"gce-a4-highgpu-8g", 8, "nvidia-b200-sxm-180gb", 224, 3968_GB, 3600},
      {"gce-g2-standard-96", 8, "nvidia-l4", 96, 384_GB, 100}};
  for (const auto& machine : machines) {
    CAPTURE(machine.system);
    const Scenario scenario = training_on(machine.system);
    const System& system = *scenario.system;
    CHECK(system.gpus.size() == machine.gpus);
    for (const auto& gpu : system.gpus) CHECK(gpu.model.name == machine.gpu);
    std::int64_t threads = 0;
    double memory = 0;
    for (const auto& socket : system.sockets) {
      threads += socket.model->cores * socket.model->threads_per_core;
      memory += socket.memory.value;
    }
    CHECK(threads == machine.virtual_cpus);
    CHECK(memory == about(machine.memory.value));
    double network = 0;
    for (const auto& nic : system.nics)
      network += static_cast<double>(nic.model->ports) * nic.model->port_bandwidth.value;
    CHECK(network == about(machine.gigabits * 1e9 / 8));
    CHECK(says(entry_of("system", machine.system), "released"));
  }
}
