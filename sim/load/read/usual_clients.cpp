// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/usual_clients.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "sim/load/read/reader.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

class Chooser {
 public:
  Chooser(Scenario& scenario, const System& system) : scenario_(scenario), system_(system) {}

  void choose() {
    for (auto& [number, client] : scenario_.clients) {
      if (client.others.empty()) continue;
      const PartId part{PartKind::store, number};
      const std::string& name = scenario_.store.name(number);
      Store& store = scenario_.store[name];
      std::erase_if(client.others, [&](const auto& one) { return !runs(*one, part, store); });
      const bool opened_as_said = opening_is_given(part);
      if (opened_as_said) client.others.clear();
      if (client.others.empty()) {
        client.word = opened_as_said ? StoreClient::Word::replaced : StoreClient::Word::not_here;
        continue;
      }
      store.protocol = client.others.front();
      client.word = StoreClient::Word::usual;
      client.others.erase(client.others.begin());
      scenario_.defaults.push_back(
          {KeyPath("store") / name / "protocol", toml_string(store.protocol->name)});
    }
  }

 private:
  bool runs(const Protocol& client, PartId part, const Store& store) const {
    const auto& families = store.model->protocols;
    if (!families.empty() && !client.family.empty() &&
        std::ranges::count(families, client.family) == 0)
      return false;
    if (is_read_past_memory(part)) return client.rdma;
    return !client.needs_rdma || has_card_for_rdma(store);
  }

  bool is_read_past_memory(PartId part) const {
    return scenario_.data.path == ReadPath::gpudirect &&
           (scenario_.data.at.part == part || scenario_.workload.is<kind::Transfers>());
  }

  bool has_card_for_rdma(const Store& store) const {
    const Fabric fabric = scenario_.fabric.value_or(Fabric{});
    return std::ranges::any_of(store.via, [&](const PartRef& card) {
      if (!card.part || !system_.nics[card.part->number].model) return false;
      const Transport way = fabric.transport_of(*system_.nics[card.part->number].model);
      return way == Transport::infiniband || way == Transport::roce;
    });
  }

  /// Which a client would say.
  bool opening_is_given(PartId part) const {
    const Data& data = scenario_.data;
    const bool calibrated =
        std::ranges::count(scenario_.calibrated, "data.open_time", &CalibratedValue::key) > 0;
    return data.at.part == part &&
           (data.open_requests.given || (data.open_time.value > 0 && !calibrated));
  }

  Scenario& scenario_;
  const System& system_;
};

}  // namespace

std::vector<std::string> usual_clients(const Array& array, const Catalog& catalog) {
  Diagnostics told_where_it_is_named;
  Reader reader(catalog, "", told_where_it_is_named);
  std::vector<std::string> clients;
  const auto add = [&](const std::string& name) {
    if (std::ranges::count(clients, name) == 0) clients.push_back(name);
  };
  if (!array.client.empty()) add(array.client);
  for (const std::string& name : array.protocols) {
    if (const auto family = reader.entry_named<ProtocolFamily>(name))
      std::ranges::for_each(family->clients, add);
    if (clients.empty()) return {};
  }
  return clients;
}

std::string usual_client(const Array& array, const Catalog& catalog) {
  const auto clients = usual_clients(array, catalog);
  return clients.empty() ? "" : clients.front();
}

void read_clients(Scenario& scenario, const Catalog& catalog, Diagnostics& out) {
  using enum StoreClient::Word;
  Diagnostics told_where_it_is_named;
  Reader reader(catalog, "", told_where_it_is_named);
  for (std::size_t i = 0; i < scenario.store.size(); ++i) {
    const std::string& name = scenario.store.name(i);
    Store& store = scenario.store[name];
    StoreClient& client = scenario.clients[i];
    if (store.protocol) {
      client.word = !*store.protocol && store.protocol->name == kNoClient ? none : given;
      if (client.word == none) store.protocol.reset();
      if (client.word == none && store.model)
        client.of_product = usual_client(*store.model, catalog);
    } else if (store.model) {
      const std::string& own = store.model->client;
      if (!own.empty() && !catalog.find(Protocol::kKind, own))
        out.refuse(KeyPath("store") / name, store.where,
                   ": {} names the client \"{}\", which is no protocol of the catalog; known: {}",
                   store.model.name, own,
                   fmt::format("{}", fmt::join(catalog.names(Protocol::kKind), ", ")));
      const auto usual = usual_clients(*store.model, catalog);
      if (!usual.empty()) client.of_product = usual.front();
      for (const std::string& one : usual)
        if (auto entry = reader.entry_named<Protocol>(one))
          client.others.push_back({one, store.where, std::move(entry)});
    }
  }
}

void choose_clients(Scenario& scenario, const System& system) {
  Chooser(scenario, system).choose();
}

}  // namespace gpufeed
