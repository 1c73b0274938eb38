// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/cluster.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "reports/writers/cluster_json.h"
#include "reports/writers/cluster_text.h"
#include "reports/writers/layout.h"
#include "sim/base/nearest.h"
#include "sim/cluster/answer.h"
#include "sim/import/cluster_json.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/cluster/document.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"
#include "ui/places/places.h"

namespace gpufeed::cli {

bool is_cluster(const std::string& file) { return kind_of_file(file) == FileKind::cluster; }

int simulate_cluster(const ScenarioArguments& arguments, const std::optional<std::string>& policy,
                     OutputOption& json, OutputOption& csv, bool screen_taken) {
  const cluster::Document document =
      load_cluster(arguments.files.front(), catalog_of(arguments), overrides_of(arguments));
  const Names known = cluster::schedulers_of(document);
  if (policy && std::ranges::count(known, *policy) == 0)
    throw InputError({{{"--policy " + *policy, 0, 0},
                       fmt::format("the file has no scheduler \"{}\"; {}", *policy,
                                   suggestion(*policy, known))}});
  json.open();
  csv.open();
  const cluster::Answer answer = cluster::answer_of(document, policy);
  if (json.asked_for()) json.write(to_json(answer));
  if (csv.asked_for()) csv.write(to_csv(answer));
  if (!screen_taken) print_screen(to_text(answer));
  return kGood;
}

int import_cluster(const Arguments& arguments) {
  constexpr std::size_t kIndent = 13;
  Options options(
      "import cluster",
      "Turns a cluster with its jobs that JSON describes into a file that simulate "
      "takes: an object with nodes, stores, jobs, failures and policy (or policies, by "
      "name), whose keys gpufeed check --keys cluster lists; numbers are seconds, bytes "
      "and bytes per second. Never overwrites a file.",
      "gpufeed import cluster jobs.json cluster.toml");
  std::string json;
  std::string file;
  options.operand("FILE.json", json, "the cluster and its jobs");
  options.optional_operand("FILE", file, "the file to write; - or none prints it");
  if (!options.parse(arguments)) return kGood;
  if (json.empty()) throw options.error("name the file to import");
  ImportedCluster made = load_cluster_json(json);
  if (made.document.title.empty())
    made.document.title = std::filesystem::path(json).stem().string();
  const std::string text = to_toml(made.document);
  const bool printed = file.empty() || file == "-";
  parse_cluster(text, printed ? "the cluster" : file, catalog_with({}));
  if (printed) {
    print(text);
    return kGood;
  }
  write_new(file, text);
  std::string out = fmt::format("{}: written\n", file) +
                    labeled("Jobs", std::to_string(made.document.cluster.jobs.size()), kIndent);
  if (!made.not_modeled.empty())
    out += labeled("Not modeled", fmt::format("{}", fmt::join(made.not_modeled, ", ")), kIndent);
  print(out + labeled("Next", "gpufeed simulate " + file, kIndent));
  return kGood;
}

}  // namespace gpufeed::cli
