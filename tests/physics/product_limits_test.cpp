// SPDX-License-Identifier: Apache-2.0
// What a product's maker or owner withholds: peer-to-peer of GPUs, one direction of a port.
#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "sim/model/transformer/job.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

/// Two GPUs behind one switch that sum gradients.
double bus_Bps(const std::string& gpu, const std::string& more = "") {
  const std::string text =
      "title = \"t\"\n[system]\ntitle = \"s\"\nsource = \"t\"\nbasis = \"estimate\"\n" + more +
      "socket = [{ id = \"cpu0\", model = \"intel-xeon-gold-6430\", memory = \"256 GB\" }]\n"
      "switch = [{ id = \"sw0\", model = \"broadcom-pex88096\", at = \"cpu0\" }]\n"
      "gpu = [{ id = \"gpu0\", model = \"" +
      gpu + "\", at = \"sw0\" }, { id = \"gpu1\", model = \"" + gpu +
      "\", at = \"sw0\" }]\n"
      "[workload]\nkind = \"collective\"\noperations = [\"all-reduce\"]\nfrom = \"256 MiB\"\n"
      "to = \"256 MiB\"\n";
  return simulate(parse_scenario(text, "t.toml", own_catalog())).collectives.at(0).bus_Bps;
}

/// Of one request of 64 MiB after the other, many at once, to or from a store.
double store_Bps(const std::string& port, double reads) {
  const std::string text =
      "title = \"t\"\n[system]\ntitle = \"s\"\nsource = \"t\"\nbasis = \"estimate\"\n"
      "socket = [{ id = \"cpu0\", model = \"intel-xeon-gold-6430\", memory = \"256 GB\" }]\n"
      "[[system.nic]]\nid = \"net0\"\nat = \"cpu0\"\nmodel = { title = \"card\", source = \"t\", "
      "basis = \"estimate\", link = \"pcie-4.0\", lanes = 16, ports = 1, port_bandwidth = \"35 "
      "Gb/s\", efficiency = \"100 %\"" +
      port +
      " }\n[store.nas]\nmodel = \"vast-ebox-11-nodes\"\nprotocol = \"none\"\n[workload]\nkind = "
      "\"io\"\n[workload.io]\n"
      "block_size = \"64 MiB\"\nqueue_depth = 64\njobs = 8\npattern = \"sequential\"\nread_share "
      "= " +
      (reads > 0 ? "\"100 %\"" : "\"0 %\"") + "\n[data]\nat = \"nas\"\n";
  return simulate(parse_scenario(text, "t.toml", own_catalog())).io.at(0).bandwidth_Bps;
}

}  // namespace

TEST_CASE("GeForce since Ada exchange through host memory, as any GPUs that may not reach others") {
  const double geforce = bus_Bps("nvidia-rtx-4090");
  CHECK(geforce == bus_Bps("nvidia-rtx-4090", "peer_to_peer = false\n"));
  CHECK(geforce < 0.5 * bus_Bps("nvidia-l40s"));
  CHECK(geforce == doctest::Approx(6.5e9).epsilon(0.05));
}

TEST_CASE("a decoder's GPUs that reach no other's memory exchange as those of other models do") {
  const auto local_Bps = [](const std::string& more) {
    const std::string text =
        "title = \"t\"\n[system]\ntitle = \"s\"\nsource = \"t\"\nbasis = \"estimate\"\n" + more +
        "socket = [{ id = \"cpu0\", model = \"intel-xeon-gold-6430\", memory = \"256 GB\" "
        "}]\nswitch = "
        "[{ id = \"sw0\", model = \"broadcom-pex88096\", at = \"cpu0\" }]\ndrive = [{ id = \"d\", "
        "model = "
        "\"samsung-pm1733-3.84tb\", at = \"cpu0\" }]\ngpu = [{ id = \"gpu0\", model = "
        "\"nvidia-a100-pcie-80gb\", at = \"sw0\" }, { id = \"gpu1\", model = "
        "\"nvidia-a100-pcie-80gb\", at = \"sw0\" }]\n[workload]\nmodel = \"llama-3.2-1b\"\ndataset "
        "= "
        "\"c4-tokens-2048\"\nprecision = \"bf16\"\nbatch_per_gpu = 1\noptimizer = "
        "\"adam\"\n[loader]\n"
        "decode = \"none\"\n[data]\nat = \"d\"\n[parallel]\nshard = \"parameters\"\n";
    return transformer_job(parse_scenario(text, "t.toml", own_catalog()))->ways.local.value;
  };
  const std::string without = "peer_to_peer = false\n";
  const auto ratio = [&](const auto& of) { return of(without) / of(std::string()); };
  const auto bus = [](const std::string& more) { return bus_Bps("nvidia-a100-pcie-80gb", more); };
  CHECK(ratio(local_Bps) == doctest::Approx(ratio(bus)).epsilon(0.01));
}

TEST_CASE("a port receives more than it may send where the owner limits sending alone") {
  constexpr double kGbps = 1e9 / 8;
  CHECK(store_Bps("", 1) == doctest::Approx(35 * kGbps).epsilon(1e-3));
  CHECK(store_Bps(", receive_bandwidth = \"53 Gb/s\"", 1) ==
        doctest::Approx(53 * kGbps).epsilon(1e-3));
  CHECK(store_Bps(", receive_bandwidth = \"53 Gb/s\"", 0) ==
        doctest::Approx(35 * kGbps).epsilon(1e-3));
  CHECK(store_Bps(", send_bandwidth = \"20 Gb/s\"", 0) ==
        doctest::Approx(20 * kGbps).epsilon(1e-3));
}

TEST_CASE("drives write into a GPU of another slot at what the socket passes on") {
  const auto copied_Bps = [](const std::string& gpu_at, bool direct) {
    std::string text =
        "title = \"t\"\n[system]\ntitle = \"s\"\nsource = \"t\"\nbasis = \"estimate\"\nsocket = [{ "
        "id = "
        "\"cpu0\", model = \"intel-xeon-gold-6442y\", memory = \"256 GB\" }]\nswitch = [{ id = "
        "\"sw0\", "
        "model = \"broadcom-pex89104\", at = \"cpu0\" }]\ngpu = [{ id = \"gpu0\", model = "
        "\"nvidia-h100-pcie-80gb\", at = \"" +
        gpu_at + "\" }]\n";
    for (int i = 0; i < 5; ++i)
      text += "[[system.drive]]\nid = \"ssd" + std::to_string(i) +
              "\"\nmodel = \"samsung-pm1753-30.72tb\"\nat = \"" + gpu_at + "\"\n";
    text += "[workload]\nkind = \"transfers\"\n";
    for (int i = 0; i < 5; ++i)
      text += "[[workload.copy]]\nfrom = \"ssd" + std::to_string(i) +
              "\"\nto = \"gpu0\"\nstreams = 128\n";
    if (direct) text += "[data]\npath = \"gpudirect\"\n";
    double sum = 0;
    for (const auto& copy : simulate(parse_scenario(text, "t.toml", own_catalog())).copies)
      sum += copy.bandwidth_Bps;
    return sum;
  };
  constexpr double kRaw = 16 * 3.938e9;
  CHECK(copied_Bps("cpu0", true) == doctest::Approx(0.72 * kRaw).epsilon(0.005));
  CHECK(copied_Bps("sw0", true) > 0.8 * kRaw);  // below one switch no socket passes anything on
  CHECK(copied_Bps("cpu0", false) > 0.8 * kRaw);
}
