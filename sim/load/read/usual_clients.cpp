// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/usual_clients.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/load/read/reader.h"

namespace gpufeed {
namespace {

/// Of a family, what its hosts run unless somebody chose another: one mount over TCP, the kernel
/// client of a parallel file system, a download over HTTP.
struct UsualOfFamily {
  std::string_view family, protocol;
};
constexpr std::array<UsualOfFamily, 9> kUsual{{{"nfs", "nfs-tcp"},
                                               {"smb", "smb-3"},
                                               {"lustre", "lustre"},
                                               {"weka", "weka"},
                                               {"nvme", "nvme-tcp"},
                                               {"hdfs", "hdfs"},
                                               {"s3", "s3"},
                                               {"gcs", "gcs-grpc"},
                                               {"azure-blob", "azure-blob"}}};

}  // namespace

std::string usual_client(const Array& array) {
  if (!array.client.empty() || array.protocols.empty()) return array.client;
  const auto* const usual =
      std::ranges::find(kUsual, array.protocols.front(), &UsualOfFamily::family);
  return usual == kUsual.end() ? "" : std::string(usual->protocol);
}

std::map<std::size_t, Ref<Protocol>> usual_clients(const Scenario& scenario, const Catalog& catalog,
                                                   Diagnostics& out) {
  std::map<std::size_t, Ref<Protocol>> clients;
  for (std::size_t i = 0; i < scenario.store.size(); ++i) {
    const Store& store = scenario.store.at(i);
    if (store.protocol || !store.model) continue;
    const std::string client = usual_client(*store.model);
    const auto file = client.empty() ? std::nullopt : catalog.find(Protocol::kKind, client);
    if (!file && !store.model->client.empty())
      out.refuse(KeyPath("store") / scenario.store.name(i), store.where,
                 ": {} names the client \"{}\", which is no protocol of the catalog; known: {}",
                 store.model.name, client,
                 fmt::format("{}", fmt::join(catalog.names(Protocol::kKind), ", ")));
    if (!file) continue;
    Diagnostics told_where_it_is_named;
    if (auto entry = Reader(catalog, "", told_where_it_is_named).entry_of<Protocol>(*file))
      clients[i] = {client, store.where, std::move(entry)};
  }
  return clients;
}

}  // namespace gpufeed
