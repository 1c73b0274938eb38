// SPDX-License-Identifier: Apache-2.0
#include "sim/load/entry_values.h"

#include <doctest/doctest.h>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

using Values = std::map<std::string, std::string>;

std::string desk(const std::string& memory, const std::string& dataset, const std::string& more) {
  return "title = 't'\n[system]\nchassis = 'desktop-am5'\ncpu = '1 x amd-ryzen-9-9950x'\n"
         "memory = '" +
         memory +
         "'\ngpu = '1 x nvidia-rtx-4080'\ndrives = '1 x samsung-870-evo-4tb'\n"
         "[workload]\nmodel = 'resnet-50'\nprecision = 'fp16'\nbatch_per_gpu = 64\ndataset = " +
         dataset + "\n" + more;
}

std::string photos(const std::string& more) {
  return "{ title = 'photos', samples = 1000, sample_size = '100 kB', source = 's', "
         "basis = 'estimate', " +
         more + " }";
}

std::vector<Values> differences(const std::string& one, const std::string& other) {
  const Scenario a = parse_scenario(one, "a.toml", own_catalog());
  const Scenario b = parse_scenario(other, "b.toml", own_catalog());
  return entry_differences({&a, &b});
}

}  // namespace

TEST_CASE("entries in the place of a name have their titles, those with a name none") {
  const Scenario scenario =
      parse_scenario(desk("64 GB", photos("decode_time = '6 ms'"), ""), "s.toml", own_catalog());
  const Values titles = inline_titles(scenario);
  REQUIRE(titles.contains("workload.dataset"));
  CHECK(titles.at("workload.dataset") == "photos");
  CHECK_FALSE(titles.contains("workload.model"));
}

TEST_CASE("of tables in the place of names, the keys that differ are listed, and no others") {
  const auto found = differences(desk("64 GB", photos("decode_time = '6 ms'"), ""),
                                 desk("64 GB", photos("decode_time = '12 ms'"), ""));
  CHECK(found[0] == Values{{"workload.dataset.decode_time", "\"6 ms\""}});
  CHECK(found[1] == Values{{"workload.dataset.decode_time", "\"12 ms\""}});
}

TEST_CASE("a key that one table alone has is a difference") {
  const auto found =
      differences(desk("64 GB", photos("decode_time = '6 ms'"), ""),
                  desk("64 GB", photos("decode_time = '6 ms', pixels = 250000"), ""));
  CHECK(found[0].empty());
  CHECK(found[1].contains("workload.dataset.pixels"));
}

TEST_CASE("a machine made of parts may have other memory") {
  const std::string dataset = photos("decode_time = '6 ms'");
  const auto found = differences(desk("64 GB", dataset, ""), desk("128 GB", dataset, ""));
  CHECK(found[0].contains("system.socket[0].memory"));
  CHECK(found[1].size() == found[0].size());
}

TEST_CASE("where another entry is named, what it says otherwise is no difference of its own") {
  const auto found = differences(desk("64 GB", "'imagenet-1k'", ""),
                                 desk("64 GB", photos("decode_time = '6 ms'"), ""));
  CHECK(found == std::vector<Values>(2));
}

TEST_CASE("what parts a machine is made of is told by its bill, and a title is no value") {
  const auto machine = [](const std::string& count) {
    return "title = 't'\nsystem = 'nvidia-dgx1-p100'\n[workload]\nmodel = 'resnet-50'\n"
           "dataset = 'imagenet-1k'\n[[replace]]\npart = 'ssd*'\n"
           "with = 'samsung-pm983-1.92tb'\nat = 'plx0'\ncount = " +
           count + "\n";
  };
  CHECK(differences(machine("4"), machine("3")) == std::vector<Values>(2));
}

TEST_CASE(
    "a product that is part of one machine, and only named beside the other, is no difference") {
  const auto on = [](const std::string& machine) {
    return "title = 't'\nsystem = '" + machine +
           "'\n[workload]\nmodel = 'resnet-50'\ndataset = 'imagenet-1k'\nprecision = 'fp16'\n";
  };
  CHECK(differences(on("nvidia-dgx-h100"), on("nvidia-dgx-a100")) == std::vector<Values>(2));
}

TEST_CASE("a product with a value of one's own differs from the catalog's in that value") {
  const auto found = differences(desk("64 GB", "'imagenet-1k'", ""),
                                 desk("64 GB", "'imagenet-1k'",
                                      "[[own]]\nproduct = 'samsung-870-evo-4tb'\nkey = "
                                      "'read_bandwidth'\nvalue = '400 MB/s'\n"));
  REQUIRE(found[1].size() == 1);
  CHECK(found[1].begin()->first == "system.drive[0].model.read_bandwidth");
  CHECK(found[1].begin()->second == "\"400 MB/s\"");
}
