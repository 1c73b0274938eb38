// SPDX-License-Identifier: Apache-2.0
#include "sim/load/text/patch.h"

#include <doctest/doctest.h>

#include "tests/support/refusals.h"

namespace gpufeed {
namespace {

const std::string kScenario =
    "title = \"né\"  # shown\n"
    "system = \"nvidia-dgx-h100\"\n"
    "workload = { model = \"resnet-50\", dataset = \"imagenet-1k\" }\n"
    "\n"
    "# who reads\n"
    "[loader]\n"
    "workers_per_gpu = 8  # PyTorch's\n"
    "\n"
    "[[replace]]\n"
    "part = \"ssd*\"\n"
    "with = \"intel-p4510-8tb\"\n"
    "\n"
    "[store.nas]\n"
    "model = \"x\"\n";

/// `text` with `from` replaced by `to`.
std::string swapped(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a value that is there changes, and nothing beside it") {
  CHECK(with_value(kScenario, "loader.workers_per_gpu", "16") ==
        swapped(kScenario, "gpu = 8", "gpu = 16"));
  CHECK(with_value(kScenario, "title", "'x'") == swapped(kScenario, "\"né\"", "'x'"));
  CHECK(with_value(kScenario, "workload.model", "\"vgg-16\"") ==
        swapped(kScenario, "resnet-50", "vgg-16"));
  CHECK(with_value(kScenario, "replace[0].with", "\"a\"") ==
        swapped(kScenario, "intel-p4510-8tb", "a"));
  CHECK(with_value(kScenario, "store.nas.model", "\"y\"") == swapped(kScenario, "\"x\"", "\"y\""));
}

TEST_CASE("a key that is not there goes to the end of its section") {
  CHECK(with_value(kScenario, "loader.prefetch_batches", "4") ==
        swapped(kScenario, "# PyTorch's\n", "# PyTorch's\nprefetch_batches = 4\n"));
  CHECK(with_value(kScenario, "workload.epochs", "3") ==
        swapped(kScenario, "1k\" }", "1k\", epochs = 3 }"));
  CHECK(with_value(kScenario, "nodes", "2") ==
        swapped(kScenario, "1k\" }\n", "1k\" }\nnodes = 2\n"));
}

TEST_CASE("a section that is not there goes to the end of the file") {
  CHECK(with_value(kScenario, "data.at", "\"scratch\"") ==
        kScenario + "\n[data]\nat = \"scratch\"\n");
  CHECK(with_value("", "nodes", "2") == "nodes = 2\n");
}

TEST_CASE("one more table of an array stands at the end, or in the brackets of the others") {
  CHECK(with_table(kScenario, "replace", {{"part", "\"gpu*\""}, {"with", "\"a\""}}) ==
        kScenario + "\n[[replace]]\npart = \"gpu*\"\nwith = \"a\"\n");
  CHECK(with_table("replace = [{ part = \"a\" }]", "replace", {{"part", "\"b\""}}) ==
        "replace = [{ part = \"a\" }, { part = \"b\" } ]");
}

TEST_CASE("what an array of tables says at a key is told table by table") {
  CHECK(texts_in(kScenario + "[[replace]]\nwith = \"b\"\n", "replace", "part") ==
        std::vector<std::string>{"ssd*", ""});
  CHECK(texts_in(kScenario, "nothing", "part").empty());
}

TEST_CASE("what cannot be changed is refused, with the reason") {
  CHECK(refusal_of([] { with_value(kScenario, "system.title", "1"); }) ==
        "system.title: error: system is \"nvidia-dgx-h100\", not a table\n");
  CHECK(refusal_of([] { with_value(kScenario, "nodes", "= ="); }) ==
        "nodes: error: = = is no value as TOML writes it\n");
  CHECK(refusal_of([] { with_table(kScenario, "loader", {}); }) ==
        "loader: error: this is a table, not an array of tables\n");
}

TEST_CASE("values are read as they are written, and taken out with their line") {
  const std::string text =
      "a = 1  # one\n[b]\nc = [\"x\", \"ü\"]\nd = { e = \"2 GB/s\", f = 3 }\n# last\n";
  CHECK(value_at(text, "a") == "1");
  CHECK(value_at(text, "b.c") == "[\"x\", \"ü\"]");
  CHECK(value_at(text, "b.d.e") == "\"2 GB/s\"");
  CHECK(!value_at(text, "b.z"));
  CHECK(texts_at(text, "b.c") == std::vector<std::string>{"x", "ü"});
  CHECK(texts_at(text, "b.d.e") == std::vector<std::string>{"2 GB/s"});
  CHECK(!texts_at(text, "a"));
  CHECK(without_value(text, "a") ==
        "[b]\nc = [\"x\", \"ü\"]\nd = { e = \"2 GB/s\", f = 3 }\n# last\n");
  CHECK(without_value(text, "b.d") == "a = 1  # one\n[b]\nc = [\"x\", \"ü\"]\n# last\n");
  CHECK(without_value(text, "b.z") == text);
  CHECK_THROWS_AS(without_value(text, "b.d.f"), InputError);
  CHECK(without_value("x = [\n  1,\n  2,\n]\ny = 1\n", "x") == "y = 1\n");
}

}  // namespace gpufeed
