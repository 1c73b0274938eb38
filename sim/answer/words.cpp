// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "sim/base/join_ids.h"
#include "sim/base/labels/label_text.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"

namespace gpufeed {

std::string model_in_words(const Model& model) {
  if (!model.architecture) return model.title;
  return fmt::format("{}, {} tokens", model.title,
                     text_number(static_cast<double>(*model.tokens), 15));
}

std::string workload_in_words(const Scenario& scenario, const Plan& plan) {
  const auto& workload = scenario.workload;
  const auto each_of = [&](std::string_view what) {
    std::string all = plan.gpus.size() == 1 ? fmt::format("one {}", what)
                                            : fmt::format("each of {} {}s", plan.gpus.size(), what);
    if (plan.nodes == 1) return all;
    std::string nodes = fmt::format("{} in {} nodes", all, plan.nodes);
    if (!is_uneven(scenario)) return nodes;
    return fmt::format("{} ({})", nodes,
                       fmt::join(workload.get<kind::Training>().placement, " + "));
  };
  const std::string samples =
      fmt::format("{} samples of {} ({})",
                  text_number(static_cast<double>(plan.steps) * plan.global_batch(), 15),
                  text(plan.sample_size, 3), workload.dataset().name);
  if (const auto* emulated = workload.find<kind::Emulated>())
    return fmt::format("{}, batch {} on {} ({}); {}", (*emulated->job)->title, plan.batch,
                       each_of("emulated GPU"), (*emulated->job)->accelerator, samples);
  if (workload.is<kind::Loader>())
    return fmt::format("reading and decoding alone, batch {} in {}; {}", plan.batch,
                       each_of("loader"), samples);
  return fmt::format("{}, {}, batch {} on {}; {}", model_in_words(*workload.model()),
                     workload.get<ComputesModel>().precision, plan.batch, each_of("GPU"), samples);
}

std::string client_in_words(const Scenario& scenario, const Store& store, std::size_t number) {
  using enum StoreClient::Word;
  const StoreClient::Word word = scenario.client_of(number);
  const std::string of_product = word == unknown ? "" : scenario.clients.at(number).of_product;
  switch (word) {
    case none:
      return "; no client is counted, as asked";
    case unknown:
      return "; its client is not known, and not counted";
    case not_here:
      return fmt::format("; its usual client, {}, does not run here, and none is counted",
                         of_product);
    case replaced:
      return "; opening a file takes what is given, and no client is counted";
    case given:
      return " by " + store.protocol->name;
    case usual:
      break;
  }
  const std::string& now = store.protocol->name;
  return now == of_product
             ? fmt::format(" by {}, its usual client", now)
             : fmt::format(" by {}, as its usual client, {}, does not run here", now, of_product);
}

std::string place_in_words(const Scenario& scenario, const PartRef& at) {
  if (const Store* store = find_store(scenario, at)) {
    std::vector<std::string> nics;
    std::int64_t ports = 0;
    for (const auto& nic : store->via) {
      nics.push_back(text_of(nic.id));
      ports += find_nic(*scenario.system, *nic)->model->ports;
    }
    const bool several = ports > static_cast<std::int64_t>(nics.size());
    return fmt::format("{}: {}, reached over {}{}{}", text_of(at.id), store->model->title,
                       join_ids(nics), several ? fmt::format(" ({} ports)", ports) : "",
                       client_in_words(scenario, *store, at.part->number));
  }
  const auto drives = drives_at(*scenario.system, at);
  std::map<std::string, int> count;
  for (const PartId drive : drives) ++count[find_drive(*scenario.system, drive)->model->title];
  std::string products;
  for (const auto& [title, number] : count)
    products += fmt::format("{}{} x {}", products.empty() ? "" : " and ", number, title);
  return fmt::format("{}: {} ({})", text_of(at.id), products,
                     join_ids(texts_of(labels_of(scenario, drives))));
}

std::string data_in_words(const Scenario& scenario) {
  const PartRef& at = scenario.data.at;
  std::string out = place_in_words(scenario, at);
  if (at.is(PartKind::store)) return out;
  if (drives_of(*scenario.system, at).size() > 1) out += ", striped";
  const auto& staging = scenario.data.staging;
  if (staging && staging->mode == StagingMode::read_through) {
    out += fmt::format("; a cache of {}", text_of(staging->from.id));
    if (staging->capacity) out += fmt::format(", of {}", text(*staging->capacity, 3));
    out += fmt::format(" on each node ({})", name_of(staging->eviction.value));
  } else if (staging) {
    out += fmt::format("; copied in from {}", text_of(staging->from.id));
    if (staging->rate) out += fmt::format(" at {}", text(*staging->rate, 3));
    if (staging->mode == StagingMode::first_epoch) out += " during the first epoch";
  }
  return out;
}

/// Of a store beside that of the data that is read by its usual client; else empty.
std::string beside_in_words(const Scenario& scenario, const PartRef& at) {
  const Store* const store = find_store(scenario, at);
  if (!store || at.part == scenario.data.at.part ||
      scenario.client_of(at.part->number) != StoreClient::Word::usual)
    return "";
  return fmt::format("; {}{}", text_of(at.id), client_in_words(scenario, *store, at.part->number));
}

std::string storage_in_words(const Scenario& scenario) {
  std::string out = data_in_words(scenario);
  const auto& staging = scenario.data.staging;
  const auto& checkpoint = scenario.checkpoint;
  if (staging) out += beside_in_words(scenario, staging->from);
  if (checkpoint && !(staging && staging->from.part == checkpoint->at.part))
    out += beside_in_words(scenario, checkpoint->at);
  return out;
}

}  // namespace gpufeed
