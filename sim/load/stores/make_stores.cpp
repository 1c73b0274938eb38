// SPDX-License-Identifier: Apache-2.0
#include "sim/load/stores/make_stores.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/labels/label_text.h"
#include "sim/load/check/checks.h"
#include "sim/load/check/join_parts.h"
#include "sim/model/storage/array_of_servers.h"

namespace gpufeed {
namespace {

/// Whether the catalog has all of its parts; what it lacks is reported.
bool has_all_parts(const System& server) {
  const auto all = [](const auto& parts) {
    return std::ranges::all_of(parts, [](const auto& part) { return bool(part.model); });
  };
  return all(server.sockets) && all(server.switches) && all(server.nics) && all(server.drives);
}

class ServersChecker {
 public:
  ServersChecker(const std::string& name, Store& store, Diagnostics& out)
      : place_(KeyPath("store") / name), store_(store), out_(out) {}

  /// \return whether it is known what the servers make together
  bool check() {
    const std::size_t before = out_.count();
    if (!store_.servers && !store_.server) return refuse_without_servers();
    refuse_idle();
    if (!store_.servers) missing("servers");
    if (!store_.server) missing("server");
    if (store_.server && *store_.server) {
      if (!has_all_parts(**store_.server)) return false;
      check_server();
    }
    if (out_.count() > before || !store_.server || !*store_.server) return false;
    if (store_.software && !*store_.software) return false;
    check_redundancy();
    return out_.count() == before;
  }

 private:
  /// A key that is misspelt, or whose machine cannot be built, has been reported as such.
  void missing(std::string_view key) {
    const bool told = std::ranges::any_of(out_.problems(), [&](const Problem& problem) {
      return problem.subject.is_within(place_) && problem.code != ProblemCode::missing_key;
    });
    if (told) return;
    out_.refuse(ProblemCode::missing_key, place_, store_.where,
                ": \"{}\" is missing; a store of servers needs servers and server", key);
  }

  /// What is said of servers has no effect on an array.
  bool refuse_without_servers() {
    const auto idle = [&](const auto& value, std::string_view key) {
      if (value)
        refuse(ProblemCode::idle_key, key,
               " is for stores of servers, and this one has none; give servers and server in the "
               "place of model, or leave it out");
    };
    idle(store_.software, "software");
    idle(store_.redundancy, "redundancy");
    idle(store_.encrypted, "encrypted");
    idle(store_.compression, "compression");
    idle(store_.failed_servers, "failed_servers");
    idle(store_.rebuilding, "rebuilding");
    return false;
  }

  template <class... Args>
  void refuse(ProblemCode code, std::string_view key, fmt::format_string<Args...> format,
              Args&&... args) {
    out_.refuse(code, place_ / key, store_.where, format, std::forward<Args>(args)...);
  }

  void refuse_idle() {
    if (!store_.model.name.empty())
      refuse(ProblemCode::conflict, "model",
             " is given, and servers, too: leave one of them out (--set {}= does)",
             text(place_ / "model"));
    if (store_.blades)
      refuse(ProblemCode::idle_key, "blades",
             " is for arrays; how many servers there are, servers "
             "says: leave it out");
    if (store_.stripes) refuse(ProblemCode::idle_key, "stripes", " is for arrays; leave it out");
  }

  void check_server() {
    const std::string of = text(place_ / "server");
    auto machine = std::make_shared<System>(**store_.server);
    check_system(*machine, out_);
    join_system(*machine);
    System plain = *machine;
    plain.volumes.clear();  // no scenario reads them
    check_buildable(store_.server->name, plain, out_);
    if (machine->drives.empty())
      refuse(ProblemCode::missing_key, "server", " has no drive; say drives = \"24 x NAME\"");
    if (machine->nics.empty())
      refuse(ProblemCode::missing_key, "server", " has no network card; say nics = \"2 x NAME\"");
    if (machine->sockets.empty())
      refuse(ProblemCode::missing_key, "server", " has no CPU; say cpu = \"2 x NAME\"");
    store_.server->entry = std::move(machine);
  }

  void check_redundancy() {
    const StorageSoftware* const software =
        store_.software ? store_.software->entry.get() : nullptr;
    if (!store_.redundancy && !(software && software->redundancy)) {
      refuse(ProblemCode::missing_key, "redundancy",
             " is missing, and {}; say \"8+2\", \"replica 3\" or \"none\"",
             software ? fmt::format("{} does not say what is usual", store_.software->name)
                      : "without software nothing is usual");
      return;
    }
    const ServerLaw law = law_of(store_);
    const Redundancy kept = law.redundancy;
    if (software) check_known_by(*software, kept);
    if (kept.width() > *store_.servers) {
      refuse(ProblemCode::out_of_range, "servers",
             " is {}, and \"{}\" keeps the {} chunks of a stripe on servers of their own; take {} "
             "servers or more, or a narrower redundancy",
             *store_.servers, text(kept), kept.width(), kept.width());
      return;
    }
    check_failed(law);
  }

  void check_known_by(const StorageSoftware& software, const Redundancy& kept) {
    const auto known = [&](std::string_view what, const std::string& instead) {
      refuse(ProblemCode::conflict, store_.redundancy ? "redundancy" : "software",
             " is \"{}\", and {}, as the catalog knows it, {}; say {}", text(kept), software.name,
             what, instead);
    };
    const std::int64_t most = software.most_copies;
    const std::string copies = most > 1 ? fmt::format("\"replica {}\" or ", most) : "";
    if (kept.data > 1 && !software.erasure_code) known("has no erasure code", copies + "\"none\"");
    if (kept.data > 1 || kept.width() <= most || kept.spare == 0) return;
    known(most > 1 ? fmt::format("keeps {} copies at most", most) : "keeps no copies",
          software.erasure_code ? "an erasure code such as \"8+2\", or \"none\""
                                : copies + "\"none\"");
  }

  void check_failed(const ServerLaw& law) {
    const std::int64_t failed = store_.failed_servers.value_or(0);
    if (failed >= *store_.servers) {
      refuse(ProblemCode::too_large, "failed_servers", " is {} of {} servers: none is left", failed,
             *store_.servers);
    } else if (failed > law.redundancy.spare) {
      refuse(ProblemCode::too_large, "failed_servers",
             " is {}, and \"{}\" survives {}: of {:.3g} % of the stripes too many chunks are lost, "
             "and with them data; take more spare chunks or copies",
             failed, text(law.redundancy), law.redundancy.spare, share_lost(law) * 100);
    }
    if (law.rebuilding == 0) return;
    if (failed == 0)
      refuse(ProblemCode::idle_key, "rebuilding",
             " is given, and no server failed (failed_servers); leave it out");
    else if (*store_.servers - failed < law.redundancy.width())
      refuse(ProblemCode::conflict, "rebuilding",
             " is given, but of {} servers {} are left, and \"{}\" needs {} for the chunks of a "
             "stripe: nothing can be made up for; leave it out",
             *store_.servers, *store_.servers - failed, text(law.redundancy),
             law.redundancy.width());
  }

  const KeyPath place_;
  Store& store_;
  Diagnostics& out_;
};

}  // namespace

void make_stores(Scenario& scenario, Diagnostics& out) {
  for (auto& [name, store] : scenario.store)
    if (ServersChecker(name, store, out).check()) make_array(store, name);
}

}  // namespace gpufeed
