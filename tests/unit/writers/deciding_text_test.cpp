// SPDX-License-Identifier: Apache-2.0
// Defaults that decide, and memory that is short, on every screen.
#include <doctest/doctest.h>

#include "reports/html/result_page.h"
#include "reports/writers/json.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/result_csv.h"
#include "reports/writers/text.h"
#include "tests/unit/writers/sample_result.h"

using namespace gpufeed;

namespace {

Result deciding() {
  Result result = sample_result();
  result.deciding_defaults = {{"loader.workers_per_gpu", "8", "16", 0.45},
                              {"data.readahead", "131.072 kB", "4 MB", -0.12}};
  return result;
}

Result too_large() {
  Result result = sample_result();
  result.warnings.push_back(fact<WarningCode::gpu_memory_short_but_with>(
      Bytes{100e9}, Bytes{85.9e9},
      std::vector<std::string>{"workload.recompute = \"ops\"", "parallel.tensor = 2"}));
  return result;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string page(const Result& result) { return html::to_html({{result, {}}}, {"t", "c", "1"}); }

}  // namespace

TEST_CASE("a default that decides stands under the bottleneck, with the option that states it") {
  const std::string text = to_text(deciding());
  const auto bottleneck = text.find("\nBottleneck "), bound = text.find("\nBound ");
  const auto line = text.find(
      "\nRests on a default    loader.workers_per_gpu = 8, which nobody gave: with 16 the job is "
      "45 "
      "% faster");
  CHECK(bottleneck < line);
  CHECK(line < bound);
  CHECK(has(text, "--set loader.workers_per_gpu=16"));
  CHECK_FALSE(has(to_text(sample_result()), "Rests on a default"));
  CHECK(sentence(deciding().deciding_defaults.back()) ==
        "data.readahead = 131.072 kB, which nobody gave: with 4 MB the job is 12 % slower (--set "
        "'data.readahead=4 MB')");
  CHECK(has(page(deciding()), "Rests on a default"));
}

TEST_CASE("it reads back from JSON, and stands in the tables") {
  const std::string json = to_json(deciding());
  CHECK(has(json,
            "\"key\": \"loader.workers_per_gpu\",\n      \"value\": \"8\",\n      "
            "\"alternative\": \"16\",\n      \"effect\": 0.45\n"));
  CHECK(has(json, "\"loader.workers_per_gpu = 8\""));  // as it always was
  CHECK(to_json(result_from_json(json)) == json);
  CHECK(has(to_csv({deciding()}), ",deciding_defaults,1,effect,0.45\n"));
}

TEST_CASE("what does not fit says so first, and its rate is one that it would have") {
  const std::string text = to_text(too_large());
  const auto first = text.find("Does not fit          such jobs take about 100 GB of a GPU's");
  CHECK(first < text.find("\nSystem "));
  CHECK(has(text, "workload.recompute = \"ops\" with parallel.tensor = 2 would fit"));
  CHECK(has(text, "samples/s, if it fitted"));
  const std::string html = page(too_large());
  CHECK(html.find("Does not fit") < html.find("Storage"));
  CHECK(has(html, "samples/s, if it fitted"));
  CHECK_FALSE(has(to_text(sample_result()), "if it fitted"));
  CHECK_FALSE(has(page(sample_result()), "if it fitted"));
}

TEST_CASE("layouts and parts of a step are codes, and read as they always did") {
  using enum LayoutCode;
  CHECK(in_words(std::vector<SplitOver>{fact<tensor_with_sequence>(8),
                                        fact<pipeline_of_virtual_stages>(8, 5), fact<data>(16.0),
                                        fact<sharded>("optimizer")}) ==
        "tensor 8 with sequence, pipeline 8 x 5 virtual, data 16, optimizer sharded");
  Result result = sample_result();
  result.transformer = TransformerSummary{.layout = {fact<expert>(8), fact<data>(2.0)},
                                          .parts = {{fact<LimiterCode::step_host>(), 1, 0.4}},
                                          .memory = {{HeldPart::gathered, 1e9}}};
  const std::string json = to_json(result);
  CHECK(has(json, "\"layout\": \"expert 8, data 2\""));
  CHECK(has(json, "\"name\": \"host, starting kernels\""));
  CHECK(has(json, "\"code\": \"step_host\""));
  CHECK(has(json, "\"name\": \"gathered parameters\""));
  CHECK(to_json(result_from_json(json)) == json);
}

TEST_CASE("what steps were not seen for is told by codes") {
  const auto warning =
      fact<WarningCode::step_unseen>(std::vector<std::string>{"experts", "tensor-over-nodes"});
  CHECK(sentence(warning) ==
        "this step is outside what steps of decoders were seen for; experts (errors of 15 to 30 "
        "%); tensor groups of several nodes");
}
