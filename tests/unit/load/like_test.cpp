// SPDX-License-Identifier: Apache-2.0
// An entry of the catalog that is like another says only what is its own.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

const std::string kFirst =
    "title = \"First\"\nsource = \"first's data sheet\"\nbasis = \"datasheet\"\n"
    "link = \"pcie-4.0\"\nlanes = 1\ncapacity = \"1 TB\"\nread_bandwidth = \"5 GB/s\"\n"
    "write_bandwidth = \"2 GB/s\"\n"
    "read_rate = \"800 kIOPS\"\nmodel_numbers = [\"A1\", \"A2\"]\n"
    "read_latency = { value = \"85 us\", source = \"a guess\", basis = \"estimate\" }\n"
    "price = { value = \"100 USD\", source = \"a shop\", basis = \"datasheet\" }\n"
    "price_year = 2025\n";
const std::string kSecond =
    "title = \"Second\"\nlike = \"first\"\nsource = \"second's test\"\nbasis = \"measured\"\n";

/// Entries of one's own, before those of the project.
class Own {
 public:
  explicit Own(const std::string& kind = "drive") : kind_(kind) {
    std::filesystem::create_directory(folder_ / kind);
    write("first", kFirst);
  }
  void write(const std::string& name, const std::string& text) const {
    folder_.write(fmt::format("{}/{}.toml", kind_, name), text);
  }
  Catalog catalog() const {
    const std::string source = GPUFEED_SOURCE_DIR;
    return Catalog({folder_ / "", source + "/hw_catalog", source + "/workloads"});
  }
  EntryText entry(const std::string& name) const { return describe_entry(catalog(), name).front(); }
  /// What is said of an entry, without the folder's name.
  std::string refusal(const std::string& name) const {
    std::string text = refusal_of([&] { entry(name); });
    const std::string start = (folder_ / "").string();
    for (auto at = text.find(start); at != std::string::npos; at = text.find(start))
      text.erase(at, start.size());
    return text;
  }
  std::string refusal_of_second(const std::string& more) const {
    write("second", kSecond + more);
    return refusal("second");
  }

 private:
  TemporaryFolder folder_;
  std::string kind_;
};

EntryLine line(const EntryText& entry, const std::string& key) {
  const auto found = std::ranges::find(entry.lines, key, &EntryLine::key);
  REQUIRE(found != entry.lines.end());
  return *found;
}

}  // namespace

TEST_CASE("an entry has what it does not say itself from the entry that it is like") {
  const Own own;
  own.write("second", kSecond + "capacity = \"2 TB\"\nmodel_numbers = [\"B1\"]\n");
  const EntryText second = own.entry("second");
  CHECK(second.title == "Second");
  CHECK(second.like == "first");
  CHECK(line(second, "capacity").value == "2 TB");
  CHECK(line(second, "read_bandwidth").value == "5 GB/s");
  CHECK(line(second, "model_numbers").value == "B1");  // a list is one value
  CHECK(own.entry("first").like.empty());
}

TEST_CASE("a value that is taken over keeps its source and basis, and a new one has the entry's") {
  const Own own;
  own.write("second", kSecond + "capacity = \"2 TB\"\n");
  const EntryText second = own.entry("second");
  CHECK(second.source == "second's test");
  CHECK(line(second, "capacity").source.empty());
  CHECK(line(second, "read_bandwidth").source == "first's data sheet");
  CHECK(line(second, "read_bandwidth").basis == "datasheet");
  CHECK(line(second, "read_latency").source == "a guess");
  own.write("third",
            "title = \"Third\"\nlike = \"second\"\nsource = \"third's\"\n"
            "basis = \"estimate\"\nread_rate = \"1 kIOPS\"\n");
  const EntryText third = own.entry("third");
  CHECK(line(third, "capacity").source == "second's test");
  CHECK(line(third, "read_bandwidth").source == "first's data sheet");
  CHECK(line(third, "read_rate").source.empty());
}

TEST_CASE("an array of tables is taken as a whole, or given as a whole") {
  const Own own("system");
  own.write("first",
            "title = \"First\"\nsource = \"s\"\nbasis = \"datasheet\"\n"
            "socket = [{ id = \"cpu0\", model = \"amd-epyc-9354\", memory = \"1 TiB\" }]\n"
            "gpu = [{ id = \"gpu0\", model = \"nvidia-h100-sxm5-80gb\", at = \"cpu0\" },\n"
            "       { id = \"gpu1\", model = \"nvidia-h100-sxm5-80gb\", at = \"cpu0\" }]\n");
  own.write("second", kSecond +
                          "[[gpu]]\nid = \"gpu0\"\nmodel = \"nvidia-h200-sxm5-141gb\"\n"
                          "at = \"cpu0\"\n");
  const auto count = [&](const char* key) {
    return std::ranges::count(own.entry("second").lines, key, &EntryLine::key);
  };
  CHECK(count("socket") == 1);
  CHECK(count("gpu") == 1);
}

TEST_CASE("what the other entry has and this one has not is left out by name") {
  const Own own;
  own.write("second", kSecond + "without = [\"price\", \"price_year\", \"model_numbers\"]\n");
  const EntryText second = own.entry("second");
  CHECK(line(second, "price").value == "unknown");
  CHECK(line(second, "model_numbers").value == "unknown");
  CHECK(line(second, "read_rate").value == "800 k/s");
  CHECK(own.refusal_of_second("without = [\"pricee\"]\n") ==
        "drive/second.toml:5:12: error: without: \"pricee\" is no key of first; did you mean "
        "\"price\"?\n");
  CHECK(own.refusal_of_second("lanes = 2\nwithout = [\"lanes\"]\n") ==
        "drive/second.toml:6:12: error: without: \"lanes\" is given, and so not taken over\n");
  CHECK(own.refusal_of_second("without = \"lanes\"\n") ==
        "drive/second.toml:5:11: error: without must be an array of keys; found \"lanes\"\n");
  own.write("first", kFirst + "without = [\"lanes\"]\n");
  CHECK(own.refusal("first") ==
        "drive/first.toml:14:11: error: without: there is no \"like\", so nothing is taken over\n");
}

TEST_CASE("an entry that is like none, like one of another kind, or like itself is refused") {
  const Own own;
  const auto second_like = [&](const std::string& what) {
    own.write("second",
              "title = \"Second\"\nlike = " + what + "\nsource = \"s\"\nbasis = \"measured\"\n");
    return own.refusal("second");
  };
  CHECK(second_like("\"firstt\"") ==
        "drive/second.toml:2:8: error: like: no drive \"firstt\" in the catalog; did you mean "
        "\"first\"?\n");
  CHECK(second_like("\"nvidia-h100-sxm5-80gb\"")
            .starts_with("drive/second.toml:2:8: error: like: \"nvidia-h100-sxm5-80gb\" is of kind "
                         "gpu, not drive; "));
  CHECK(second_like("[\"first\"]") ==
        "drive/second.toml:2:8: error: like must be the name of another drive in the catalog; "
        "found an array\n");
  CHECK(second_like("\"second\"") ==
        "drive/second.toml:2:8: error: like: second is like second: a circle\n");
  own.write("third",
            "title = \"Third\"\nlike = \"second\"\nsource = \"s\"\nbasis = \"measured\"\n");
  CHECK(second_like("\"third\"") ==
        "drive/third.toml:2:8: error: like: second is like third is like second: a circle\n");
}

TEST_CASE("what is wrong in the other entry is said where it stands") {
  const Own own;
  own.write("second", kSecond);
  own.write("first", kFirst + "write_rate = \"fast\"\n");
  CHECK(own.refusal("second").starts_with(
      "drive/first.toml:14:14: error: write_rate must be text with a unit"));
}

TEST_CASE("a scenario changes a value of an entry that is like another as of any other") {
  const Own own;
  own.write("second", kSecond + "capacity = \"2 TB\"\n");
  const std::string text =
      "system = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"resnet-50\"\n"
      "dataset = \"imagenet-1k\"\n[[replace]]\npart = \"ssd*\"\nwith = \"second\"\n";
  const auto drive = [&](const std::string& more, const std::vector<Override>& overrides) {
    return *parse_scenario(text + more, "x.toml", own.catalog(), overrides)
                .system->drives.front()
                .model;
  };
  CHECK(drive("", {}).read_bandwidth.value == 5e9);
  const Drive set = drive("", {parse_override("system.drive[*].model.read_bandwidth=3 GB/s")});
  CHECK(set.read_bandwidth.value == 3e9);
  CHECK(set.capacity.value == 2e12);
  CHECK(set.provenance_of("read_rate").source == "first's data sheet");
  const Drive own_value =
      drive("[[own]]\nproduct = \"second\"\nkey = \"read_bandwidth\"\nvalue = \"4 GB/s\"\n", {});
  CHECK(own_value.read_bandwidth.value == 4e9);
  // What the user says of the other product is not said of this one.
  CHECK(drive("[[own]]\nproduct = \"first\"\nkey = \"read_bandwidth\"\nvalue = \"4 GB/s\"\n", {})
            .read_bandwidth.value == 5e9);
}

TEST_CASE("no entry of the project is like one that is like a third") {
  int alike = 0;
  for (const auto& kind : catalog_kinds()) {
    Diagnostics none;
    const auto entries = entries_of_kind(own_catalog(), kind, {}, none);
    for (const EntryText& entry : entries) {
      if (entry.like.empty()) continue;
      ++alike;
      CAPTURE(entry.name);
      CHECK(std::ranges::find(entries, entry.like, &EntryText::name)->like.empty());
    }
  }
  CHECK(alike > 100);
}
