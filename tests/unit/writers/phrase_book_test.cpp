// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/phrase_book.h"

#include <doctest/doctest.h>

#include "reports/writers/json.h"
#include "reports/writers/phrase.h"
#include "sim/range/widening.h"
#include "tests/unit/writers/sample_result.h"

using namespace gpufeed;

namespace {

/// Of every code one, each argument a text, or a quantity of its unit.
template <FactCode Code>
std::vector<Fact<Code>> all_facts() {
  std::vector<Fact<Code>> out;
  for (const auto& form : FactForms<Code>::all) {
    out.push_back({form.code, {}});
    for (std::size_t i = 0; i < count_of(form.arguments); ++i) {
      const FactUnit unit = form.arguments[i].unit;
      out.back().arguments.push_back(unit == FactUnit::none ? FactValue("word")
                                                            : FactQuantity{1.5, unit});
    }
  }
  return out;
}

}  // namespace

TEST_CASE("arguments stand in sentences in their unit") {
  using enum WarningCode;
  CHECK(sentence(fact<stopped_early>(20, 0.005, 0.123)) ==
        "stopped after 20 steps, before the throughput was known to 0.5 %; it is known to 12.3 %");
  CHECK(sentence(fact<small_cache_unseen>(Bytes{100e6}, Bytes{262144000})) ==
        "a page cache of 100 MB is outside what was seen (262 MB and more); it may keep more");
  CHECK(sentence(fact<cgroup_cache_by_chance>(Seconds{1.5}))
            .starts_with("what a cgroup's page cache keeps in epochs of 1.5 s is"));
  CHECK(sentence(fact<leaf_switch_too_large>(40960, BitRate{13926.4e12}, 576, BitRate{115.2e12}))
            .starts_with("40,960 ports, 13,930 Tb/s in all, hang on one leaf switch"));
  CHECK(sentence(fact<protocol_unseen>("smb", std::vector<std::string>{"lustre", "nfs"})) ==
        "a store read over smb is outside what was seen; measured jobs read over lustre, nfs");
  CHECK(sentence(fact<AssumptionCode::no_framework>("pytorch", -0.05))
            .ends_with("with workload.framework = \"pytorch\" GPUs that are fed train 5 % slower"));
}

TEST_CASE("what an estimate lies beyond is said by its facts") {
  using Texts = std::vector<std::string>;
  CHECK(sentence(fact<WarningCode::rate_estimated_beyond>(
            "a", "b", "fp32", "s", Texts{"class-unmeasured", "maker-unmeasured"}, "attention",
            "AMD CDNA 3", "AMD")) ==
        "nobody measured a on b in fp32; estimate: s; outside what estimates were seen for: no "
        "network of class attention was measured in fp32; in fp32 no GPU of AMD was measured");
  CHECK(sentence(fact<WarningCode::rate_estimated_beyond>("a", "{b}", "fp16", "s",
                                                          Texts{"generation-unknown"}, "", "", ""))
            .ends_with("in fp16 the generation of {b} is not known"));
}

TEST_CASE("a claim is what is so, without why") {
  CHECK(claim(fact<WarningCode::rate_estimated>("a", "b", "fp16", "c; d")) ==
        "nobody measured a on b in fp16");
}

TEST_CASE("every fact has words, and reads back from JSON by its code and arguments") {
  Result result = sample_result();
  result.warnings = all_facts<WarningCode>();
  result.assumptions = all_facts<AssumptionCode>();
  for (const auto& warning : result.warnings) {
    CHECK(!claim(warning).empty());
    CHECK(sentence(warning).find_first_of("{}") == std::string::npos);
  }
  const Result back = result_from_json(to_json(result));
  CHECK(back.warnings == result.warnings);
  CHECK(back.assumptions == result.assumptions);
}

TEST_CASE("every warning that says outside what was seen widens the prediction interval") {
  for (const auto& warning : all_facts<WarningCode>()) {
    const std::string text = sentence(warning);
    CAPTURE(text);
    const bool unseen = text.find("outside what") != std::string::npos;
    const bool named = form_of(warning.code).name.find("unseen") != std::string_view::npos;
    // Whether an estimate is of another generation stands in the line of its step, not in the code.
    if (warning.code == WarningCode::rate_estimated_beyond) continue;
    CHECK((!(unseen || named) || step_of(warning.code)));
  }
}

TEST_CASE("arguments of every kind read back from JSON") {
  using enum WarningCode;
  Result result = sample_result();
  result.warnings = {fact<stopped_early>(20, 1.0, 0.5),
                     fact<protocol_unseen>("smb", std::vector<std::string>{"nfs", "weka"})};
  CHECK(result_from_json(to_json(result)).warnings == result.warnings);
}

TEST_CASE("JSON has sentences at the old keys, and codes at the new ones") {
  Result result = sample_result();
  result.warnings = {fact<WarningCode::no_checkpoint>(50)};
  CHECK(to_json(result).ends_with(R"(  "warnings": [
    "training ends after 50 steps, before the first checkpoint"
  ],
  "warning_codes": [
    {
      "code": "no_checkpoint",
      "arguments": {
        "steps": 50
      },
      "text": "training ends after 50 steps, before the first checkpoint"
    }
  ]
}
)"));
}

TEST_CASE("every limiter and every clause of evidence has words, and reads back from JSON") {
  Result result = sample_result();
  result.stages.clear();
  for (const auto& limiter : all_facts<LimiterCode>()) {
    CHECK(!sentence(limiter).empty());
    result.stages.push_back({limiter, 1, limiter});
  }
  result.bottleneck.evidence.clear();
  for (const auto& shows : all_facts<EvidenceCode>())
    result.bottleneck.evidence.push_back({shows, fact<LimiterCode::gpu_compute>()});
  const std::string why = in_words(result.bottleneck.evidence);
  CHECK(why.find_first_of("{}") == std::string::npos);
  const Result back = result_from_json(to_json(result));
  CHECK(back.bottleneck.evidence == result.bottleneck.evidence);
  CHECK(back.bottleneck.resource == result.bottleneck.resource);
  CHECK(in_words(back.bottleneck.evidence) == why);
  REQUIRE(back.stages.size() == result.stages.size());
  CHECK(back.stages.back().limit == result.stages.back().limit);
}

TEST_CASE("numbers of things have their noun, and what a clause is said of stands in it") {
  using enum LimiterCode;
  CHECK(sentence(fact<cores>(1.0)) == "1 core");
  CHECK(sentence(fact<cores_with_smt>(40.0)) == "40 cores with SMT");
  CHECK(sentence(fact<threads_and_readers_of_batches>(4, 2, 1)) ==
        "4 threads, 2 readers x 1 batch per GPU");
  const auto ssds = std::vector<std::string>{"ssd0", "ssd1", "ssd2"};
  CHECK(in_words(std::vector{evidence_of<EvidenceCode::delivers>(
                                 fact<storage_parts>(ssds, "bandwidth"), 1390.0, 0.999),
                             evidence<EvidenceCode::wait_for_data>(0.095)}) ==
        "ssd0-ssd2 (bandwidth) can deliver 1,390 samples/s, at 99.9 % load; GPUs wait for data 9.5 "
        "% of the time");
}

TEST_CASE("a quantity is shown in its unit, whatever its argument is called") {
  const Arguments names{{{"late"}, {"size"}, {"rate"}, {"ports"}, {"number_s"}}};
  const std::vector<FactValue> values{
      FactQuantity{1.5, FactUnit::seconds}, FactQuantity{2e9, FactUnit::bytes},
      FactQuantity{3e9, FactUnit::bytes_per_s}, FactQuantity{4e12, FactUnit::bits_per_s}, 5.0};
  CHECK(filled("{late}, {size}, {rate}, {ports}, {number_s}", names, values) ==
        "1.5 s, 2 GB, 3 GB/s, 4 Tb/s, 5");
}

TEST_CASE("the name of an argument ends in its unit") {
  CHECK(Argument("late_s", FactUnit::seconds).fits());
  CHECK(Argument("requests_per_s").fits());
  CHECK(!Argument("late_s").fits());
  CHECK(!Argument("late", FactUnit::seconds).fits());
  CHECK(!Argument("size_B", FactUnit::bytes_per_s).fits());
}
