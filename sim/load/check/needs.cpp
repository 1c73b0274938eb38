// SPDX-License-Identifier: Apache-2.0
#include "sim/load/check/checks.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

constexpr std::string_view kEntry = "a name in the catalog, a path to a file, or a table";

bool given(const auto& ref) { return !ref.name.empty() || ref; }

/// The keys that each kind needs; a kind that is not named here needs none.
class Needs {
 public:
  Needs(const Workload& workload, const std::set<std::string, std::less<>>& misspelt,
        Diagnostics& out)
      : workload_(workload), misspelt_(misspelt), out_(out) {}

  void operator()(const kind::Training& own) const {
    need(given(own.model), "model", fmt::format("the network to train: {}", kEntry));
    need(given(own.dataset), "dataset", fmt::format("the data to read: {}", kEntry));
  }
  void operator()(const kind::Loader& own) const {
    need(given(own.dataset), "dataset", fmt::format("the data to read: {}", kEntry));
  }
  void operator()(const kind::Pipeline& own) const {
    need(given(own.dataset) || own.input, "dataset",
         fmt::format("the data that its first stage reads: {}; or input = \"2 TB\"", kEntry));
    need(!own.stages.empty(), "stage", "one at least: [[workload.stage]] tables");
  }
  void operator()(const kind::Inference& own) const {
    need(given(own.model), "model", fmt::format("the network to serve: {}", kEntry));
    need(given(own.dataset), "dataset", fmt::format("the inputs of requests: {}", kEntry));
    need(own.serving.has_value(), "serving",
         "the requests, such as { request_rate = \"100 samples/s\", largest_batch = 8 }");
  }
  void operator()(const kind::Emulated& own) const {
    need(own.job.has_value(), "job", fmt::format("the benchmark to emulate: {}", kEntry));
  }
  void operator()(const kind::Io& own) const {
    need(own.io.has_value(), "io",
         "the requests, such as { block_size = \"4096 B\", queue_depth = 32 }");
  }
  void operator()(const kind::Transfers& own) const {
    need(!own.tests.empty() || !own.copies.empty(), "tests",
         "some, such as [\"host_to_device\"], or [[workload.copy]] tables");
  }
  void operator()(const auto&) const {}

 private:
  void need(bool there, const char* key, const std::string& what) const {
    if (!there && !misspelt_.contains(fmt::format("workload.{}", key))) add(key, what);
  }

  void add(const char* key, const std::string& what) const {
    Problem missing = missing_key(workload_.where, "workload", key, what);
    missing.message = fmt::format("workload: \"{}\" is missing; {} needs {}", key,
                                  name_of(workload_.kind()), what);
    out_.add(std::move(missing));
  }

  const Workload& workload_;
  const std::set<std::string, std::less<>>& misspelt_;
  Diagnostics& out_;
};

}  // namespace

void check_workload_keys(const Scenario& scenario,
                         const std::set<std::string, std::less<>>& misspelt, Diagnostics& out) {
  const Workload& workload = scenario.workload;
  if (workload.where.line == 0) return;  // the whole table is missing
  if (misspelt.contains("workload.kind")) return;
  std::visit(Needs(workload, misspelt, out), workload.of_kind);
}

}  // namespace gpufeed
