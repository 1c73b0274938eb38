// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "reports/writers/dot.h"
#include "reports/writers/result_csv.h"
#include "reports/writers/trace.h"
#include "tests/unit/writers/sample_result.h"

using namespace gpufeed;

TEST_CASE("a trace names a process for each stretch, a thread for each GPU, and has their bars") {
  const auto trace = nlohmann::json::parse(to_trace({sample_result()}));
  const auto& events = trace.at("traceEvents");
  REQUIRE(events.size() == 4);
  CHECK(events[0].at("ph") == "M");
  CHECK(events[0].at("name") == "process_name");
  CHECK(events[0].at("args").at("name") == "the first steps");
  CHECK(events[1].at("name") == "thread_name");
  CHECK(events[1].at("args").at("name") == "gpu0 (one of 8 alike)");
  CHECK(events[2].at("ph") == "X");
  CHECK(events[2].at("name") == "waiting for storage");
  CHECK(events[2].at("ts") == 0);
  CHECK(events[2].at("dur") == 400000);
  CHECK(events[3].at("name") == "computing");
  CHECK(events[3].at("ts") == 400000);
  CHECK(events[3].at("dur").get<double>() == doctest::Approx(332000));
  CHECK(events[3].at("pid") == events[0].at("pid"));
  CHECK(events[3].at("tid") == events[1].at("tid"));
  CHECK(events[3].at("args").at("step") == 0);
}

TEST_CASE("traces of several results keep them apart; one without a time line is empty") {
  Result result = sample_result();
  const auto two = nlohmann::json::parse(to_trace({result, result}));
  CHECK(two.at("traceEvents")[4].at("pid") == 2);
  CHECK(two.at("traceEvents")[4].at("args").at("name") == result.title + ": the first steps");
  result.timeline.clear();
  CHECK(nlohmann::json::parse(to_trace({result})).at("traceEvents").empty());
}

TEST_CASE("a graph has an arrow for what travels, and one line for what does not") {
  Result result = sample_result();
  result.title = "say \"hi\" \\";
  result.resources = {{"cpu0 -> gpu0", "link", 2e9, "B/s", 0.75, "its data sheet", "datasheet"}};
  result.topology = {{{"cpu0", "socket"}, {"gpu0", "gpu"}, {"gpu1", "gpu"}},
                     {{"cpu0", "gpu0", "cpu0 -> gpu0"},
                      {"gpu0", "cpu0", "gpu0 -> cpu0"},
                      {"cpu0", "gpu1", "cpu0 -> gpu1"},
                      {"gpu1", "cpu0", "gpu1 -> cpu0"}}};
  CHECK(to_dot({result}) ==
        "digraph \"say \\\"hi\\\" \\\\\" {\n"
        "  label=\"say \\\"hi\\\" \\\\\"; labelloc=t; fontname=\"sans-serif\";\n"
        "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n"
        "  edge [fontname=\"sans-serif\", fontsize=10];\n"
        "  \"cpu0\" [label=\"cpu0 (socket)\"];\n"
        "  \"gpu0\" [label=\"gpu0 (gpu)\"];\n"
        "  \"gpu1\" [label=\"gpu1 (gpu)\"];\n"
        "  \"cpu0\" -> \"gpu0\" [label=\"75.0 %\", tooltip=\"cpu0 -> gpu0: 1.5 GB/s of 2 GB/s "
        "(datasheet)\", penwidth=6.0, color=\"#e69f00\"];\n"
        "  \"cpu0\" -> \"gpu1\" [dir=none, color=\"#999999\"];\n"
        "}\n");
}

TEST_CASE("the tables as CSV: a value a line, with its table, row and key") {
  Result result = sample_result();
  result.title = "a, \"b\"";
  const std::string csv = to_csv({result});
  const auto has = [&](const std::string& line) {
    return csv.find("\n" + line + "\n") != std::string::npos;
  };
  CHECK(csv.starts_with("scenario,table,row,column,value\n"));
  CHECK(has("\"a, \"\"b\"\"\",result,0,accelerator_utilization,0.901"));
  CHECK(has("\"a, \"\"b\"\"\",gpus,2,share.storage,0.15"));
  CHECK(has("\"a, \"\"b\"\"\",stages,2,capacity_samples_per_s,"));  // unlimited
  CHECK(has("\"a, \"\"b\"\"\",stages,1,limited_by,ssd0-ssd3"));
  CHECK(has("\"a, \"\"b\"\"\",bound,0,cut[1],ssd1"));
  CHECK(has("\"a, \"\"b\"\"\",defaults,2,value,loader.workers_per_gpu = 8"));
  CHECK(csv.find(",timeline,") == std::string::npos);
}
