// SPDX-License-Identifier: Apache-2.0
// Files read and written through the client of an object store, as jobs see it.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

constexpr double kMiB = 1048576;

std::string machine(const std::string& protocol, const std::string& store = "") {
  return "title = \"t\"\n[system]\ntitle = \"s\"\nsource = \"t\"\nbasis = \"estimate\"\nsocket = "
         "[{ id = "
         "\"cpu0\", model = \"intel-xeon-gold-6430\", memory = \"256 GB\" }]\nnic = [{ id = \"n\", "
         "model = "
         "\"google-gvnic-100g\", at = \"cpu0\" }]\n[store.far]\nmodel = "
         "\"google-cloud-storage\"\nprotocol = "
         "\"" +
         protocol + "\"\n" + store + "[data]\nat = \"far\"\n";
}

Result io(const std::string& protocol, const std::string& keys, const std::string& store = "") {
  return simulate(
      parse_scenario(machine(protocol, store) + "[workload]\nkind = \"io\"\n[workload.io]\n" + keys,
                     "t.toml", own_catalog()));
}

double reads_Bps(const std::string& keys, const std::string& store = "") {
  return io("gcsfuse", keys, store).io.at(0).bandwidth_Bps;
}

double files_per_s(const std::string& size, int workers, const std::string& store = "",
                   const std::string& protocol = "gcsfuse", const std::vector<Override>& set = {}) {
  const std::string text =
      machine(protocol, store) +
      "[workload]\nkind = \"loader\"\nbatch_per_gpu = 4\nepochs = 1\n[workload.dataset]\ntitle = "
      "\"files\"\nsamples = 20_000\nsample_size = \"" +
      size + "\"\n[loader]\ndecode = \"none\"\nworkers_per_gpu = " + std::to_string(workers) +
      "\nworker_start = \"0 s\"\n[run]\nrange_samples = 0\n";
  return simulate(parse_scenario(text, "t.toml", own_catalog(), set)).throughput_samples_per_s;
}

double smooth_min(double a, double b) { return std::pow(std::pow(a, -4) + std::pow(b, -4), -0.25); }

}  // namespace

TEST_CASE("workers of a loader wait for each file of an object store as the client's law says") {
  const double one_s = 18e-3 + 19e-3 + kMiB / 147e6;
  CHECK(files_per_s("1 MiB", 8) == doctest::Approx(8 / one_s).epsilon(0.02));
  const double many =
      files_per_s("1 MiB", 128);  // with their start and end, and queues for the ceiling
  CHECK(many <= 128 / one_s);
  CHECK(many >= 0.9 * smooth_min(128 / one_s, 0.66 * 12.5e9 / kMiB));
  CHECK(files_per_s("1 MiB", 8, "metadata = \"cached\"\n") ==
        doctest::Approx(8 / (one_s - 18e-3)).epsilon(0.02));
  // One file handle has one connection, however many the machine may have.
  CHECK(files_per_s("100 MiB", 1) * 100 * kMiB < 147e6);
}

TEST_CASE("jobs of io read files through a client, in order and at random") {
  const double random_s = (18e-3 + 3 * 19e-3 + 2 * 17e-3) / 5 + kMiB / 147e6;
  CHECK(reads_Bps("block_size = \"1 MiB\"\nfile_size = \"5 MiB\"\njobs = 4\n") ==
        doctest::Approx(4 * kMiB / random_s).epsilon(1e-3));
  const double order_s = 37e-3 + 5 * kMiB / 147e6;
  CHECK(reads_Bps("block_size = \"1 MiB\"\nfile_size = \"5 MiB\"\njobs = 4\npattern = "
                  "\"sequential\"\n") == doctest::Approx(4 * 5 * kMiB / order_s).epsilon(1e-3));
  CHECK(reads_Bps("block_size = \"1 MiB\"\njobs = 4\npattern = \"sequential\"\n") ==
        doctest::Approx(4 * 147e6).epsilon(1e-3));
}

TEST_CASE("a deeper queue does not hurry a client that reads a file request by request") {
  const std::string keys = "block_size = \"1 MiB\"\njobs = 4\n";
  const Result deep = io("gcsfuse", keys + "queue_depth = 64\n");
  CHECK(deep.io.at(0).bandwidth_Bps == approx(reads_Bps(keys)));
  CHECK(std::ranges::count(deep.warnings, WarningCode::queue_depth_of_client, &Warning::code) == 1);
}

TEST_CASE("writers create each file, and share what the client takes") {
  const std::string writes = "read_share = \"0 %\"\nblock_size = \"1 MiB\"\n";
  const double small =
      io("gcsfuse", writes + "file_size = \"1 MiB\"\njobs = 16\n").io.at(0).bandwidth_Bps;
  CHECK(small == doctest::Approx(smooth_min(16 * kMiB / 166e-3, 3.7e9)).epsilon(0.01));
}

TEST_CASE("clients of S3 by name read one file as their documents say") {
  const std::string keys = "block_size = \"1 MiB\"\npattern = \"sequential\"\njobs = 1\n";
  const auto reads = [&](const char* client) { return io(client, keys).io.at(0).bandwidth_Bps; };
  constexpr double kFirst_s = 16e-3, kConnection = 93e6;  // the store's millisecond included
  CHECK(reads("rclone") == doctest::Approx(kConnection).epsilon(0.01));
  CHECK(reads("s3fs") == doctest::Approx(50e6 / (kFirst_s + 10e6 / kConnection)).epsilon(0.02));
  // Twenty chunks at once are more than one core moves.
  CHECK(reads("goofys") > 2 * reads("s3fs"));
  CHECK(reads("goofys") <= 400 * kMiB / (kFirst_s + 20 * kMiB / kConnection));
}

TEST_CASE("an object is got in one request: its first byte is waited for once") {
  const double once_s = 16e-3 + kMiB / 93e6;  // the store's millisecond included
  CHECK(files_per_s("1 MiB", 1, "", "s3") == doctest::Approx(1 / once_s).epsilon(0.02));
  CHECK(io("s3", "block_size = \"1 MiB\"\njobs = 1\n").io.at(0).bandwidth_Bps ==
        doctest::Approx(kMiB / once_s).epsilon(0.02));
  const auto direct = parse_override("data.mode=direct");
  CHECK(files_per_s("1 MiB", 1, "", "s3", {direct}) == doctest::Approx(1 / once_s).epsilon(0.02));
}

TEST_CASE("a first byte has the service in it of a store that answers few requests a second") {
  const auto few = parse_override("store.far.model.read_rate=100 /s");
  const double moved_s = kMiB / 16 / 93e6;
  for (const auto& one : {std::pair{"s3", 16e-3}, std::pair{"s3fs", 3 * 16e-3}}) {
    const char* const client = one.first;
    const double first_s = one.second;
    CAPTURE(client);
    CHECK(files_per_s("64 KiB", 1, "", client, {few}) ==
          doctest::Approx(1 / (first_s + moved_s)).epsilon(0.02));
    CHECK(files_per_s("64 KiB", 64, "", client, {few}) <= 100);
    CHECK(files_per_s("64 KiB", 64, "", client, {few}) > 95);
  }
  // What opens a file costs time, not requests.
  const auto opened = parse_override("store.far.protocol.open_requests=3");
  CHECK(files_per_s("64 KiB", 1, "", "s3", {few, opened}) ==
        doctest::Approx(1 / (3 * 16e-3 + moved_s)).epsilon(0.02));
}

TEST_CASE("reads at random: rclone throws away what was under way, s3fs keeps what it has") {
  const std::string keys = "block_size = \"128 KiB\"\nfile_size = \"16 MiB\"\njobs = 1\n";
  const auto reads = [&](const char* client, const char* more) {
    return io(client, keys + more).io.at(0).bandwidth_Bps;
  };
  const double block = kMiB / 8, first_s = 16e-3, connection = 93e6, blocks = 128, lost = 1.6e6;
  const double jumps = 1 - 1 / blocks;
  const double one_s =
      first_s / blocks + first_s + 16e-3 * jumps + (block + lost * jumps) / connection;
  CHECK(reads("rclone", "") == doctest::Approx(block / one_s).epsilon(1e-3));
  // What is thrown away comes in the same requests: 20 a second, of a store that serves 200.
  const std::string slow = machine("rclone") + "[workload]\nkind = \"io\"\n[workload.io]\n" + keys;
  const auto rate = parse_override("store.far.model.read_rate=200 /s");
  CHECK(simulate(parse_scenario(slow, "t.toml", own_catalog(), {rate})).io.at(0).bandwidth_Bps ==
        doctest::Approx(reads("rclone", "")).epsilon(1e-3));
  CHECK(reads("s3fs", "") == approx(reads("s3fs", "pattern = \"sequential\"\n")));
  CHECK(reads("s3fs", "") > 10 * reads("goofys", ""));
}

TEST_CASE("clients of parallel file systems leave of their ports what they were seen to leave") {
  const auto reads = [](const std::string& store, const std::string& client, const char* share) {
    return simulate(
               parse_scenario(
                   "title = \"t\"\n[system]\ntitle = \"s\"\nsource = \"t\"\nbasis = "
                   "\"estimate\"\nsocket = [{ id = \"cpu0\", model = \"amd-epyc-9654\", memory "
                   "= \"768 GB\" }]\nnic = [{ id = \"n\", model = "
                   "\"nvidia-connectx-7-ndr200-200g\", at = \"cpu0\" }]\n[store.far]\nmodel = \"" +
                       store + "\"\n" + client +
                       "[data]\nat = \"far\"\n[workload]\nkind = \"io\"\n[workload.io]\nblock_size "
                       "= "
                       "\"16 MiB\"\njobs = 64\nread_share = \"" +
                       share + "\"\n",
                   "t.toml", own_catalog()))
        .io.at(0)
        .bandwidth_Bps;
  };
  const std::string none = "protocol = \"none\"\n";
  const double port = 2 * 200e9 / 8;  // of two
  CHECK(reads("ibm-ess-3500", none, "100 %") > 0.8 * port);
  CHECK(reads("ibm-ess-3500", "", "100 %") == doctest::Approx(0.62 * port).epsilon(0.02));
  CHECK(reads("beegfs-bracewell-16-nodes", "", "100 %") ==
        doctest::Approx(0.83 * port).epsilon(0.03));
  CHECK(reads("beegfs-bracewell-16-nodes", "", "0 %") <= 0.96 * port);
  CHECK(reads("daos-wolf-24-nodes", "", "100 %") <= 0.93 * port);
}

TEST_CASE("what has no effect on a store's client, or contradicts itself, is refused") {
  const auto refused = [](const std::string& protocol, const std::string& keys,
                          const std::string& store = "") {
    return refusal_of([&] { io(protocol, keys, store); });
  };
  CHECK(
      refused("gcs-grpc", "", "metadata = \"cached\"\n").find("metadata is given, but gcs-grpc") !=
      std::string::npos);
  for (const char* key : {"jump_loss=1 MB", "keeps_parts=true", "skip=1 MB"}) {
    const std::string set = std::string("store.far.protocol.") + key;
    CHECK(refusal_of([&] {
            parse_scenario(machine("s3") + "[workload]\nkind = \"io\"\n", "t.toml", own_catalog(),
                           {parse_override(set)});
          }).find("has no effect without lookup_latency") != std::string::npos);
  }
  CHECK(refused("gcsfuse", "block_size = \"2 MiB\"\nfile_size = \"1 MiB\"\n")
            .find("workload.io.block_size is 2.097 MB, more than a file") != std::string::npos);
}
