// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/cluster.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>

#include "reports/html/cluster_page.h"
#include "reports/writers/cluster_json.h"
#include "reports/writers/cluster_text.h"
#include "reports/writers/layout.h"
#include "sim/base/files/read_file.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/cluster/answer.h"
#include "sim/import/cluster_json.h"
#include "sim/import/csv_logs.h"
#include "sim/import/job_logs.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/cluster/document.h"
#include "sim/load/cluster/job_log.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"
#include "ui/places/places.h"
#include "ui/processes/line_pipe.h"

namespace gpufeed::cli {

bool is_cluster(const std::string& file) { return kind_of_file(file) == FileKind::cluster; }

namespace {

/// A process of the command, which lives as long as this is kept.
cluster::Talk talk_to(const std::string& command) {
  const auto process = std::make_shared<LinePipe>(command);
  return [process](const std::string& line, bool asks) {
    process->write(line);
    return asks ? process->read() : std::string();
  };
}

/// With the one alone that is asked for.
cluster::Document with_scheduler(cluster::Document document,
                                 const std::optional<std::string>& policy) {
  if (policy && document.cluster.policies.contains(*policy))
    document.cluster.scheduler = document.cluster.policies.find(*policy)->second;
  return document;
}

}  // namespace

int simulate_cluster(const ScenarioArguments& arguments, const ClusterWishes& wishes,
                     const ClusterOutputs& outputs, bool screen_taken) {
  const cluster::Document document =
      load_cluster(arguments.files.front(), catalog_of(arguments), overrides_of(arguments));
  const Names known = cluster::schedulers_of(document);
  if (wishes.policy && std::ranges::count(known, *wishes.policy) == 0)
    throw InputError({{{"--policy " + *wishes.policy, 0, 0},
                       fmt::format("the file has no scheduler \"{}\"; {}", *wishes.policy,
                                   suggestion(*wishes.policy, known))}});
  for (OutputOption* const one : {&outputs.json, &outputs.csv, &outputs.html}) one->open();
  std::function<cluster::Talk()> foreign;
  if (wishes.command) foreign = [&] { return talk_to(*wishes.command); };
  cluster::Answer answer = cluster::answer_of(document, wishes.policy, foreign);
  if (wishes.command) answer.command = *wishes.command;
  if (wishes.why) answer.changes = cluster::changes_of(with_scheduler(document, wishes.policy));
  if (outputs.json.asked_for()) outputs.json.write(to_json(answer));
  if (outputs.csv.asked_for()) outputs.csv.write(to_csv(answer));
  if (outputs.html.asked_for())
    outputs.html.write(
        html::to_html(answer, {answer.title.empty() ? "A shared cluster" : answer.title,
                               outputs.command, PROJECT_VERSION}));
  if (!screen_taken) print_screen(to_text(answer));
  return kGood;
}

namespace {

/// The jobs of a file by what it holds: JSON, or a log of another scheduler.
ImportedCluster imported(const std::string& file, bool cores,
                         std::map<std::string, int>& left_out) {
  constexpr std::size_t kMostBytes = 1u << 30;
  Diagnostics out;
  const auto text = read_text_file(file, kMostBytes, out);
  out.throw_if_any();
  const std::string_view first = std::string_view(*text).substr(0, text->find('\n'));
  if (text->find_first_not_of(" \t\r\n") != std::string::npos &&
      (*text)[text->find_first_not_of(" \t\r\n")] == '{')
    return parse_cluster_json(*text, file);
  ImportedCluster made;
  if (is_csv_log(first)) {
    LoggedJobs logged = parse_csv_log(*text, file, out);
    made.document.cluster.jobs = std::move(logged.jobs);
    left_out = std::move(logged.left_out);
  } else if (first.find(',') != std::string_view::npos &&
             first.find('|') == std::string_view::npos) {
    made.document.cluster.jobs = parse_job_log(*text, {file, 0, 0}, out);
  } else {
    LoggedJobs logged = first.find('|') != std::string_view::npos
                            ? parse_sacct(*text, file, out)
                            : parse_swf(*text, file, cores, out);
    made.document.cluster.jobs = std::move(logged.jobs);
    left_out = std::move(logged.left_out);
  }
  out.throw_if_any();
  return made;
}

/// "4 x 8": machines of so many GPUs; "4 x NAME": of a system of the catalog.
cluster::NodeGroup group_of(const std::string& text, const Options& options) {
  const std::size_t by = text.find(" x ");
  const auto wrong = [&] {
    return options.error(
        fmt::format("--nodes must be such as \"4 x 8\", machines of so many GPUs, or \"4 x "
                    "nvidia-dgx1-p100\"; found \"{}\"",
                    text));
  };
  if (by == std::string::npos || by + 3 == text.size()) throw wrong();
  const auto is_count = [](std::string_view word) {
    return !word.empty() && word.size() < 7 &&
           word.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const std::string what = text.substr(by + 3);
  if (!is_count(text.substr(0, by))) throw wrong();
  cluster::NodeGroup group;
  group.count = std::stoll(text.substr(0, by));
  if (is_count(what))
    group.gpus = std::stoll(what);
  else
    group.system = Ref<System>{what, {}, nullptr};
  return group;
}

}  // namespace

int import_cluster(const Arguments& arguments) {
  constexpr std::size_t kIndent = 13;
  Options options(
      "import cluster",
      "Turns a cluster with its jobs into a file that simulate takes: JSON, an object with nodes, "
      "stores, jobs, failures and policy (or policies, by name), whose keys gpufeed check --keys "
      "cluster lists, in seconds, bytes and bytes per second; or a log of jobs, for machines that "
      "--nodes names: what sacct --parsable2 prints, the Standard Workload Format, CSV of Alibaba "
      "PAI, Philly or Helios, or CSV with these keys. Never overwrites a file.",
      "gpufeed import cluster jobs.json cluster.toml");
  std::string json;
  std::string file;
  std::vector<std::string> nodes;
  bool cores = false;
  options.operand("FILE", json, "the cluster and its jobs, or the log");
  options.optional_operand("OUTPUT", file, "the file to write; - or none prints it");
  options.repeatable("--nodes", "N x WHAT", nodes,
                     "of a log: so many machines of so many GPUs, or of a system of the catalog");
  options.flag("--cores", cores,
               "processors of the Standard Workload Format are cores; else they are GPUs");
  if (!options.parse(arguments)) return kGood;
  if (json.empty()) throw options.error("name the file to import");
  std::map<std::string, int> left_out;
  ImportedCluster made = imported(json, cores, left_out);
  for (const auto& group : nodes) made.document.cluster.nodes.push_back(group_of(group, options));
  if (made.document.cluster.nodes.empty())
    throw options.error("a log does not tell the machines; add --nodes \"4 x 8\"");
  if (std::ranges::all_of(made.document.cluster.nodes,
                          [](const auto& group) { return group.type.empty(); }) &&
      !nodes.empty()) {
    bool typed = false;
    for (auto& job : made.document.cluster.jobs) {
      typed = typed || !job.gpu_types.empty();
      job.gpu_types.clear();
    }
    if (typed) made.not_modeled.emplace_back("types of GPUs, which --nodes does not tell");
  }
  if (made.document.title.empty())
    made.document.title = printable(std::filesystem::path(json).stem().string());
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
  for (const auto& [reason, count] : left_out)
    out += labeled("Left out", fmt::format("{} rows: {}", count, reason), kIndent);
  if (!made.not_modeled.empty())
    out += labeled("Not modeled", fmt::format("{}", fmt::join(made.not_modeled, ", ")), kIndent);
  print(out + labeled("Next", "gpufeed simulate " + file, kIndent));
  return kGood;
}

}  // namespace gpufeed::cli
