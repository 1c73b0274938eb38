// SPDX-License-Identifier: Apache-2.0
// Clients that show object stores as files, against sums by hand.
#include "sim/model/transport/store_client.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

constexpr double kMiB = 1048576;
constexpr Bandwidth kNetwork{1e12};

Store store_of(const char* array, const char* protocol, Metadata metadata = Metadata::cold) {
  const std::string text =
      std::string("title = \"t\"\n[system]\ntitle = \"s\"\nsource = \"t\"\nbasis = ") +
      "\"estimate\"\nsocket = [{ id = \"cpu0\", model = \"intel-xeon-gold-6430\", "
      "memory = \"256 GB\" }]\nnic = [{ id = \"n\", model = \"google-gvnic-100g\", at = "
      "\"cpu0\" }]\n[store.far]\nmodel = \"" +
      array + "\"\nprotocol = \"" + protocol +
      "\"\n[workload]\nkind = \"io\"\n[workload.io]\n[data]\nat = \"far\"\n";
  const Scenario scenario = parse_scenario(text, "t.toml", own_catalog());
  Store store = scenario.store.begin()->second;
  store.metadata = metadata;
  return store;
}

double time_s(const Store& store, double file, double block, bool random = false) {
  const FilePattern pattern{{file}, {block}, random};
  return block_read(store, pattern, kNetwork).time_of(pattern.block).value;
}

/// Of so many readers, under the ceiling of ports of `in_Bps`.
double together_Bps(const Store& store, double readers, double file, double block, bool random,
                    double in_Bps) {
  const double alone = readers * block / time_s(store, file, block, random);
  return under_ceiling({alone}, client_ceiling(store, {in_Bps}, 48)).value;
}

}  // namespace

TEST_CASE("gcsfuse waits for a first byte, and a lookup where metadata are cold") {
  const Store cached = store_of("google-cloud-storage", "gcsfuse", Metadata::cached);
  CHECK(time_s(cached, kMiB, kMiB) == approx(19e-3 + kMiB / 147e6));
  CHECK(together_Bps(cached, 128, kMiB, kMiB, false, 12.5e9) ==
        doctest::Approx(4.96e9).epsilon(1e-3));
  const Store cold = store_of("google-cloud-storage", "gcsfuse");
  CHECK(time_s(cold, kMiB / 4, kMiB / 4) == doctest::Approx(38.78e-3).epsilon(1e-3));
  CHECK(together_Bps(cold, 128, kMiB / 4, kMiB / 4, false, 12.5e9) ==
        doctest::Approx(865e6).epsilon(1e-3));
}

TEST_CASE("a jump that the transfer under way does not reach opens another") {
  const Store cached = store_of("google-cloud-storage", "gcsfuse", Metadata::cached);
  CHECK(time_s(cached, 5 * kMiB, kMiB, true) == doctest::Approx(25.33e-3).epsilon(1e-3));
  CHECK(together_Bps(cached, 40, 5 * kMiB, kMiB, true, 6.25e9) ==
        doctest::Approx(1.645e9).epsilon(1e-3));
  const double endless = std::numeric_limits<double>::infinity();
  CHECK(time_s(cached, endless, kMiB, true) == approx(36e-3 + kMiB / 147e6));
  CHECK(time_s(cached, 1e15, kMiB, true) == approx(36e-3 + kMiB / 147e6));
  CHECK(time_s(cached, kMiB, kMiB, true) == approx(time_s(cached, kMiB, kMiB)));
}

TEST_CASE("parts come whole, and ahead of a reader") {
  const Store store = store_of("amazon-s3-100-prefixes", "mountpoint-s3");
  CHECK(time_s(store, 5 * kMiB, 5 * kMiB) == doctest::Approx(90.4e-3).epsilon(1e-3));
  const double endless = std::numeric_limits<double>::infinity();
  CHECK(time_s(store, endless, kMiB / 4, true) == doctest::Approx(123.3e-3).epsilon(1e-3));
  CHECK(kMiB / time_s(store, endless, kMiB) == approx(1.63e9));
  // The first part of a file is waited for, the rest streams.
  CHECK(time_s(store, 1e9, 1e9) == approx(34e-3 + 8306688 / 93e6 + (1e9 - 8306688) / 1.63e9));
}

TEST_CASE("a file of one part is there before a jump could leave it") {
  // 20 blocks of 256 KiB in 5 MiB: lookup, 10.5 times a first byte and half the file, no transfer
  // left
  const Store store = store_of("amazon-s3-100-prefixes", "mountpoint-s3");
  CHECK(time_s(store, 5 * kMiB, kMiB / 4, true) ==
        approx((17e-3 + 10.5 * (17e-3 + 2.5 * kMiB / 93e6)) / 20));
}

TEST_CASE("a library takes its turn and a core's time for every byte") {
  const auto& protocol = **store_of("amazon-s3-100-prefixes", "s3-boto3").protocol;
  CHECK(software_ceiling(protocol, 18).value == approx(1 / (1 / 815e6 + 1 / 18e9)));
  CHECK(software_ceiling(protocol, 1).value == approx(1 / (1 / 815e6 + 1 / 1e9)));
  const auto& kernel = **store_of("pure-flashblade-s500-r2-10-blades", "nfs-tcp").protocol;
  CHECK(std::isinf(software_ceiling(kernel, 1).value));
}

TEST_CASE("one reader, then the software, then the ports hold a client") {
  const Store store = store_of("azure-blob-standard-account", "blobfuse2");
  const double endless = std::numeric_limits<double>::infinity();
  CHECK(together_Bps(store, 1, endless, kMiB, false, 12.5e9) ==
        doctest::Approx(4.48e9).epsilon(2e-3));
  CHECK(together_Bps(store, 4, endless, kMiB, false, 12.5e9) ==
        doctest::Approx(6.58e9).epsilon(2e-3));
  CHECK(under_ceiling({4 * 3.9e9}, write_ceiling(store, {35e9 / 8})).value ==
        doctest::Approx(4.15e9).epsilon(2e-3));
}

TEST_CASE("more readers, wider ports and more connections never slow a client") {
  for (const auto* names : {"gcsfuse", "mountpoint-s3", "blobfuse2", "juicefs"}) {
    CAPTURE(names);
    const std::string protocol = names;
    const Store store = store_of(protocol == "gcsfuse"     ? "google-cloud-storage"
                                 : protocol == "blobfuse2" ? "azure-blob-standard-account"
                                                           : "amazon-s3-100-prefixes",
                                 names);
    for (const bool random : {false, true})
      for (double file = kMiB; file < 1e12; file *= 7) {
        double before = 0;
        for (double readers = 1; readers < 2000; readers *= 3) {
          const double now = together_Bps(store, readers, file, kMiB, random, 12.5e9);
          CHECK(now >= before);
          CHECK(now <= readers * kMiB / time_s(store, file, kMiB, random));
          CHECK(now <= client_ceiling(store, {12.5e9}, 48).value);
          before = now;
        }
        CHECK(time_s(store, file, kMiB, random) > 0);
        CHECK(time_s(store, file, kMiB, true) >= 0.999 * time_s(store, file, kMiB, false));
      }
  }
}
