// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/cluster_form.h"

#include <fmt/format.h>

#include <tuple>

#include "sim/base/diagnostics.h"
#include "sim/load/text/patch.h"
#include "sim/load/text/values.h"
#include "ui/model/build/setting_rows.h"

namespace gpufeed::ui {
namespace {

/// A key below a table, and what a group of rows tells of it.
struct Known {
  const char* label;
  const char* key;
  const char* help;
};

const std::vector<Known> kScheduler{
    {"Order", "order", "Who is first: fifo, priority, shortest or fair"},
    {"Backfill", "backfill", "Who may pass the first: none, skip, easy or conservative"},
    {"Placement", "placement", "On which GPUs: first, pack or spread"},
    {"Split", "split", "Whether a job that fits one node may lie on several: true or false"},
    {"Readers within", "storage_aware",
     "Part of the bandwidth of a store that its readers may ask for together; 0: any"},
    {"Or else GPUs", "storage_soft", "Whether GPUs that are then left go to readers, too"},
    {"Preempt", "preempt", "Whether a job of higher priority stops others: true or false"}};

const std::vector<Known> kNodes{
    {"System", "system", "A system of the catalog, such as nvidia-dgx-h100"},
    {"Count", "count", "How many of them"},
    {"GPUs", "gpus", "Of one, where no system says it"},
    {"Pool", "pool", "Whose jobs may have them"},
    {"Link", "link", "Of each to the stores: 12.5 GB/s"},
    {"MTBF", "mtbf", "Mean time between failures of one: 2000 h"},
    {"Power", "power", "Of one whose GPUs all compute: 10 kW"}};

const std::vector<Known> kStore{
    {"Model", "model", "A store of the catalog, such as pure-flashblade-15-blade"},
    {"Bandwidth", "bandwidth", "Instead: 4 GB/s"}};

const std::vector<Known> kStream{
    {"Runs", "scenario", "The file of what each job runs, or nothing"},
    {"User", "user", "Who submits them"},
    {"GPUs", "gpus", "Of a job, one of several by chance: [1, 2, 8]"},
    {"Length", "length", "Mean: 2 h"},
    {"Spread", "spread", "Of lengths: standard deviation of their logarithm"},
    {"One every", "every", "Mean time between two: 20 min"},
    {"Count", "count", "How many come; else until the window ends"},
    {"Reads a GPU", "io_per_gpu", "From its store, at full rate: 0.5 GB/s"}};

ServingGroup group_of(const std::string& heading, const std::string& table,
                      const std::vector<Known>& keys) {
  ServingGroup group{heading};
  for (const Known& one : keys) {
    const std::string path = fmt::format("{}.{}", table, one.key);
    group.rows.push_back({one.label, path, one.help});
  }
  return group;
}

void fill(const std::string& text, std::vector<ServingGroup>& groups) {
  std::vector<ServingRow*> rows;
  std::vector<KeyPath> paths;
  for (ServingGroup& group : groups)
    for (ServingRow& row : group.rows) {
      rows.push_back(&row);
      paths.push_back(own_path(row.path));
    }
  const auto values = values_at(text, paths);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i]->value = as_typed(values[i].value_or(""));
}

}  // namespace

std::vector<ServingGroup> cluster_groups(const std::string& text) try {
  std::vector<ServingGroup> out{group_of("Scheduler", "cluster.scheduler", kScheduler)};
  out.front().rows.push_back(
      {"Window", "workload.window", "What happens later does not count: 96 h"});
  const std::size_t groups = texts_in(text, "cluster.nodes", "system").size();
  for (std::size_t i = 0; i < groups; ++i)
    out.push_back(
        group_of(fmt::format("Nodes {}", i + 1), fmt::format("cluster.nodes[{}]", i), kNodes));
  for (const auto& [heading, table, keys] :
       {std::tuple{"Store", "store", &kStore}, std::tuple{"Jobs", "cluster.stream", &kStream}})
    for (const std::string& name : tables_at(text, own_path(table)))
      out.push_back(
          group_of(fmt::format("{} {}", heading, name), fmt::format("{}.{}", table, name), *keys));
  fill(text, out);
  return out;
} catch (const InputError&) {
  return {};  // what is wrong with the text is shown elsewhere
}

std::string usual_cluster() {
  return "schema = 1\ntitle = \"Jobs of two teams on one cluster\"\n\n"
         "[workload]\nkind = \"cluster\"\nwindow = \"96 h\"\n\n"
         "[[cluster.nodes]]\ncount = 4\ngpus = 8\nswitches = 2\n\n"
         "[store.nas]\nbandwidth = \"8 GB/s\"\n\n"
         "[cluster.scheduler]\norder = \"fifo\"\nbackfill = \"easy\"\nplacement = \"pack\"\n\n"
         "[cluster.stream.vision]\nuser = \"vision\"\ngpus = [1, 2, 4]\nlength = \"2 h\"\n"
         "spread = 1.3\nevery = \"20 min\"\nio_per_gpu = \"0.5 GB/s\"\n\n"
         "[cluster.stream.language]\nuser = \"language\"\ngpus = [8, 16]\nlength = \"6 h\"\n"
         "spread = 1\nevery = \"4 h\"\n";
}

}  // namespace gpufeed::ui
