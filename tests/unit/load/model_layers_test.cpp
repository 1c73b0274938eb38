// SPDX-License-Identifier: Apache-2.0
// What the loader makes of a model that is given by its layers, or by what they sum to.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/one_gpu.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

Scenario load_layers(const std::string& text) {
  return parse_scenario(text, "test.toml", own_catalog());
}

std::string layers_error(const std::string& text) {
  return refusal_of([&] { load_layers(text); });
}

const std::string kLayers =
    "[workload.model]\n"
    "title = \"two layers\"\n"
    "input_size = \"1 kB\"\n"
    "[[workload.model.layer]]\n"
    "kind = \"conv\"\n"
    "inputs = 3\n"
    "outputs = 8\n"
    "kernel = 3\n"
    "width = 10\n"
    "[[workload.model.layer]]\n"
    "kind = \"dense\"\n"
    "inputs = 800\n"
    "outputs = 10\n";

}  // namespace

TEST_CASE("a model may be its layers") {
  const auto scenario = load_layers(one_gpu("nvidia-p100-sxm2-16gb") + kLayers);
  const Model& model = *scenario.workload.model();
  CHECK(model.parameters == 3 * 8 * 9 + 8 + 800 * 10 + 10);
  CHECK(*model.multiply_adds == 3 * 8 * 9 * 100 + 800 * 10);
  CHECK(model.activation_size->value == 4 * (8 * 100 + 10));
  CHECK(scenario.workload.get<ComputesModel>().step_lines.size() == 1);
}

TEST_CASE("layers that do not say what their kind needs are refused") {
  CHECK(layers_error(one_gpu("nvidia-p100-sxm2-16gb") + "[workload.model]\n"
                                                        "title = \"wrong\"\n"
                                                        "input_size = \"1 kB\"\n"
                                                        "parameters = 5\n"
                                                        "[[workload.model.layer]]\n"
                                                        "kind = \"dense\"\n"
                                                        "inputs = 3\n"
                                                        "kernel = 3\n"
                                                        "[[workload.model.layer]]\n"
                                                        "kind = \"conv\"\n"
                                                        "inputs = 3\n"
                                                        "outputs = 8\n"
                                                        "kernel = 3\n"
                                                        "width = 10\n"
                                                        "groups = 2\n") ==
        "test.toml:10:1: error: workload.model.layer: parameters and multiply_adds are counted "
        "from the layers; leave them out\n"
        "test.toml:14:1: error: workload.model.layer[0]: \"outputs\" is missing; kind = \"dense\" "
        "needs it\n"
        "test.toml:14:1: error: workload.model.layer[0]: kind = \"dense\" has no kernel; leave it "
        "out\n"
        "test.toml:18:1: error: workload.model.layer[1]: 2 groups must divide the inputs and the "
        "outputs\n");
}

TEST_CASE("a part of a network is at most all of it") {
  const std::string model =
      "[workload.model]\n"
      "title = \"wrong\"\n"
      "input_size = \"1 kB\"\n";
  CHECK(layers_error(one_gpu("nvidia-p100-sxm2-16gb") + model +
                     "parameters = 10\n"
                     "late_parameters = 11\n"
                     "multiply_adds = 1000\n"
                     "depthwise_multiply_adds = 2000\n") ==
        "test.toml:10:1: error: workload.model.depthwise_multiply_adds: 2,000 are more than its "
        "multiply_adds of 1,000\n"
        "test.toml:10:1: error: workload.model.late_parameters: 11 are more than its parameters of "
        "10\n");
  CHECK(layers_error(one_gpu("nvidia-p100-sxm2-16gb") + model +
                     "late_parameters = 5\n"
                     "[[workload.model.layer]]\n"
                     "kind = \"dense\"\n"
                     "inputs = 3\n"
                     "outputs = 3\n") ==
        "test.toml:10:1: error: workload.model.layer: depthwise_multiply_adds and late_parameters "
        "are counted from the layers; leave them out\n");
}

TEST_CASE("the parts that a backward pass meets are the whole network") {
  const std::string start = one_gpu("nvidia-p100-sxm2-16gb") +
                            "[workload.model]\n"
                            "title = \"wrong\"\n"
                            "input_size = \"1 kB\"\n";
  const auto part = [](int parameters, int multiply_adds) {
    return fmt::format(
        "[[workload.model.backward]]\nparameters = {}\nmultiply_adds = {}\nsource = \"s\"\n"
        "basis = \"estimate\"\n",
        parameters, multiply_adds);
  };
  CHECK(layers_error(start + "parameters = 1000\nmultiply_adds = 100\n" + part(500, 0) +
                     part(400, 0)) ==
        "test.toml:10:1: error: workload.model.backward: its parts have 900 parameters, and it has "
        "1,000\n"
        "test.toml:10:1: error: workload.model.backward: one of its parts at least needs "
        "multiply_adds\n");
  CHECK(layers_error(start + "parameters = 1000\nmultiply_adds = 100\nlate_parameters = 10\n" +
                     part(1000, 1)) ==
        "test.toml:10:1: error: workload.model.backward: late_parameters say when gradients are "
        "there as well; leave one of them out\n");
  CHECK(layers_error(start + part(12, 1) +
                     "[[workload.model.layer]]\n"
                     "kind = \"dense\"\n"
                     "inputs = 3\n"
                     "outputs = 3\n") ==
        "test.toml:10:1: error: workload.model.backward: its layers say when gradients are there "
        "as well; leave one of them out\n");
}

TEST_CASE("a model without layers needs its parameters") {
  CHECK(layers_error(one_gpu("nvidia-p100-sxm2-16gb") + "[workload.model]\n"
                                                        "title = \"wrong\"\n"
                                                        "input_size = \"1 kB\"\n"
                                                        "multiply_adds = 1\n") ==
        "test.toml:10:1: error: workload.model: \"parameters\" is missing; it must be a whole "
        "number from 1 to 100000000000000\n");
}

TEST_CASE("no layers are no parameters") {
  CHECK(layers_error(one_gpu("nvidia-p100-sxm2-16gb") + "[workload.model]\n"
                                                        "title = \"wrong\"\n"
                                                        "input_size = \"1 kB\"\n"
                                                        "multiply_adds = 1\n"
                                                        "layer = []\n") ==
        "test.toml:10:1: error: workload.model: \"parameters\" is missing; it must be a whole "
        "number from 1 to 100000000000000\n");
}

TEST_CASE("a misspelt key of a model or layer is one problem") {
  const std::string model =
      "[workload.model]\n"
      "title = \"wrong\"\n"
      "input_size = \"1 kB\"\n";
  CHECK(layers_error(one_gpu("nvidia-p100-sxm2-16gb") + model +
                     "[[workload.model.layer]]\n"
                     "kind = \"dense\"\n"
                     "inputs = 3\n"
                     "ouputs = 3\n") ==
        "test.toml:16:1: error: workload.model.layer[0]: unknown key \"ouputs\"; did you mean "
        "\"outputs\"?\n");
  CHECK(layers_error(one_gpu("nvidia-p100-sxm2-16gb") + model +
                     "parameters = 1\n"
                     "multiply_add = 1\n") ==
        "test.toml:14:1: error: workload.model: unknown key \"multiply_add\"; did you mean "
        "\"multiply_adds\"?\n");
}

TEST_CASE("layers beyond all measure are refused") {
  CHECK(layers_error(one_gpu("nvidia-p100-sxm2-16gb") + "[workload.model]\n"
                                                        "title = \"huge\"\n"
                                                        "input_size = \"1 kB\"\n"
                                                        "[[workload.model.layer]]\n"
                                                        "kind = \"dense\"\n"
                                                        "inputs = 1000000000\n"
                                                        "outputs = 1000000000\n"
                                                        "sequence = 1000000000\n")
            .find("workload.model.layer: the layers have 1,000,000,000,000,000,000 parameters") !=
        std::string::npos);
}
