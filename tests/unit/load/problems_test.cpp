// SPDX-License-Identifier: Apache-2.0
// What a program is told of a wrong scenario, and that the fixes mend it.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/load/text/patch.h"
#include "sim/model/scenario.h"
#include "tests/support/malformed.h"

namespace gpufeed {
namespace {

using malformed::kSystem;
using malformed::kWorkload;

Problem only_problem(const std::string& text) {
  try {
    parse_scenario(text, "s.toml", own_catalog());
  } catch (const InputError& error) {
    REQUIRE(error.problems().size() == 1);
    return error.problems().front();
  }
  FAIL("nothing is wrong");
  return {};
}

struct Wrong {
  std::string text;
  ProblemCode code;
  KeyPath subject;
  std::string found;
};

}  // namespace

TEST_CASE("a problem says its code, what it is about, what was found and what mends it") {
  const std::string good = kSystem + kWorkload;
  for (const Wrong& wrong : std::vector<Wrong>{
           {good + "[loader]\nworker_per_gpu = 3\n", ProblemCode::unknown_key,
            "loader.worker_per_gpu", "worker_per_gpu"},
           {good + "[loader]\nprefetch_batches = 0\n", ProblemCode::out_of_range,
            "loader.prefetch_batches", "0"},
           {good + "[loader]\nstyle = \"pytorc\"\n", ProblemCode::wrong_type, "loader.style",
            "\"pytorc\""},
           {"system = \"nvidia-dgx1-p10\"\n" + kWorkload, ProblemCode::unknown_entry, "system",
            "nvidia-dgx1-p10"},
           {good + "[data]\nat = \"scrach\"\n", ProblemCode::unknown_part, "data.at", "scrach"},
           {good + "io = { block_size = \"4096 B\" }\n", ProblemCode::idle_key, "workload.io", ""},
           {good + "[fabric]\nlatency = \"1 us\"\n", ProblemCode::idle_key, "fabric", ""},
       }) {
    CAPTURE(wrong.text);
    const Problem problem = only_problem(wrong.text);
    CAPTURE(sentence(problem));
    CHECK(problem.code == wrong.code);
    CHECK(problem.subject == wrong.subject);
    CHECK(problem.found == wrong.found);
    CHECK(problem.where.file == "s.toml");
    CHECK(problem.where.line > 0);
    for (const Fix& fix : problem.fixes)
      CHECK_NOTHROW(parse_scenario(with_fix(wrong.text, fix), "s.toml", own_catalog()));
  }
}

TEST_CASE("a fix renames, sets and removes keys, and leaves the rest of the text") {
  const std::string text = "# mine\n[loader] # here\nworker = 3 # three\nb.c = 1\n";
  CHECK(with_fix(text, {Fix::Kind::rename, "loader.worker", "workers_per_gpu"}) ==
        "# mine\n[loader] # here\nworkers_per_gpu = 3 # three\nb.c = 1\n");
  CHECK(with_fix(text, {Fix::Kind::rename, "loader.b.c", "d e"}) ==
        "# mine\n[loader] # here\nworker = 3 # three\nb.\"d e\" = 1\n");
  CHECK(with_fix(text, {Fix::Kind::set, "loader.worker", "4"}) ==
        "# mine\n[loader] # here\nworker = 4 # three\nb.c = 1\n");
  CHECK(with_fix(text, {Fix::Kind::remove, "loader.worker"}) ==
        "# mine\n[loader] # here\nb.c = 1\n");
  CHECK(with_fix(text, {Fix::Kind::rename, "loader.nothing", "x"}) == text);
}

}  // namespace gpufeed
