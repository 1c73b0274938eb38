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
  ServersChecker(const std::string& name, ServersOfStore& store, const Location& where,
                 bool has_model, Diagnostics& out)
      : place_(KeyPath("store") / name),
        store_(store),
        where_(where),
        has_model_(has_model),
        out_(out) {}

  /// \return whether it is known what the servers make together
  bool check() {
    const std::size_t before = out_.count();
    if (!store_.servers && !store_.server) return refuse_without_servers();
    if (has_model_)
      refuse(ProblemCode::conflict, "model",
             " is given, and servers, too: leave one of them out (--set {}= does)",
             text(place_ / "model"));
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
    out_.refuse(ProblemCode::missing_key, place_, where_,
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
    idle(store_.min_size, "min_size");
    idle(store_.encrypted, "encrypted");
    idle(store_.compression, "compression");
    idle(store_.failed_servers, "failed_servers");
    idle(store_.rebuilding, "rebuilding");
    return false;
  }

  template <class... Args>
  Problem& refuse(ProblemCode code, std::string_view key, fmt::format_string<Args...> format,
                  Args&&... args) {
    return out_.refuse(code, place_ / key, where_, format, std::forward<Args>(args)...);
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

  const StorageSoftware* software() const {
    return store_.software ? store_.software->entry.get() : nullptr;
  }

  void check_redundancy() {
    const auto kept = redundancy_of(store_);
    if (!kept) return refuse_without_redundancy();
    const std::size_t before = out_.count();
    if (software()) check_known_by(*software(), *kept);
    if (software() && software()->set_drives) {
      check_sets(*software(), *kept);
    } else if (kept->width() > *store_.servers) {
      refuse(ProblemCode::out_of_range, "servers",
             " is {}, and \"{}\" keeps the {} chunks of a stripe on servers of their own; take {} "
             "servers or more, or a narrower redundancy",
             *store_.servers, text(*kept), kept->width(), kept->width());
    }
    check_min_size(*kept);
    if (out_.count() == before) check_failed(law_of(store_));
  }

  void refuse_without_redundancy() {
    if (software() && software()->redundancy) return refuse_without_sets(*software());
    refuse(ProblemCode::missing_key, "redundancy",
           " is missing, and {}; say \"8+2\", \"replica 3\" or \"none\"",
           software() ? fmt::format("{} does not say what is usual", store_.software->name)
                      : "without software nothing is usual");
  }

  std::int64_t drives() const { return std::ssize((*store_.server)->drives); }

  void refuse_without_sets(const StorageSoftware& software) {
    refuse(ProblemCode::out_of_range, "servers",
           " is {}, of {} drives each, and {} spreads its stripes evenly over sets of 2 to {} "
           "drives, which these do not make; take another number of servers or drives{}",
           *store_.servers, drives(), software.name, *software.set_drives,
           store_.redundancy ? "" : ", or say redundancy");
  }

  /// Chunks of a stripe that may share servers lie on the drives of a set.
  void check_sets(const StorageSoftware& software, const Redundancy& kept) {
    if (kept.data == 1) return;  // whole, or copies, which it does not keep
    const auto sizes = set_sizes(*software.set_drives, *store_.servers, drives());
    if (sizes.empty()) return refuse_without_sets(software);
    if (std::ranges::count(sizes, kept.width()) == 0)
      refuse(ProblemCode::conflict, "redundancy",
             " is \"{}\", and {} spreads a stripe over a set of drives, as many as its {} chunks; "
             "{} servers of {} drives make sets of {}: take as many chunks in all",
             text(kept), software.name, kept.width(), *store_.servers, drives(),
             fmt::join(sizes, ", "));
    else if (kept.spare > kept.data)
      refuse(ProblemCode::conflict, "redundancy",
             " is \"{}\", and of the chunks of {} half are spare at most; take \"{}+{}\"",
             text(kept), software.name, kept.width() - kept.width() / 2, kept.width() / 2);
  }

  void check_min_size(const Redundancy& kept) {
    if (!store_.min_size || (*store_.min_size >= kept.data && *store_.min_size <= kept.width()))
      return;
    refuse(ProblemCode::out_of_range, "min_size",
           " is {}, and a stripe of \"{}\" is read with {} of its chunks and has {}; take {}",
           *store_.min_size, text(kept), kept.data, kept.width(),
           kept.data == kept.width() ? fmt::format("{}", kept.data)
                                     : fmt::format("{} to {}", kept.data, kept.width()));
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
    const Redundancy& kept = law.redundancy;
    if (failed >= *store_.servers) {
      refuse(ProblemCode::too_large, "failed_servers", " is {} of {} servers: none is left", failed,
             *store_.servers);
    } else if (const double lost = share_with_fewer(law, kept.data); lost > 0) {
      refuse(ProblemCode::too_large, "failed_servers",
             " is {}, and \"{}\" survives {}: of {:.3g} % of the stripes too many chunks are lost, "
             "and with them data; take more spare chunks or copies",
             failed, text(kept), may_fail(law, kept.data), lost * 100);
    } else if (const double paused = share_with_fewer(law, law.min_size); paused > 0) {
      refuse_paused(law, paused);
    }
    if (law.rebuilding > 0) check_rebuilding(law, failed);
  }

  /// No data are lost, but who reads them waits until a server is back.
  void refuse_paused(const ServerLaw& law, double paused) {
    const Redundancy& kept = law.redundancy;
    const std::string_view what = kept.data == 1 ? "copies" : "chunks";
    Problem& problem = refuse(
        ProblemCode::too_large, "failed_servers",
        " is {}, and {} serves a stripe of \"{}\" while {} of its {} {} are left (min_size): "
        "{:.3g} "
        "% of the stripes pause, and who reads them waits; take more spare {}, or min_size = {} "
        "where it is set so",
        *store_.failed_servers, store_.software ? store_.software->name : "the store", text(kept),
        law.min_size, kept.width(), what, paused * 100, what, kept.data);
    problem.found = std::to_string(*store_.failed_servers);
    problem.expected = fmt::format("{} at most", may_fail(law, law.min_size));
    problem.fixes.push_back({Fix::Kind::set, place_ / "min_size", std::to_string(kept.data)});
  }

  void check_rebuilding(const ServerLaw& law, std::int64_t failed) {
    const Redundancy& kept = law.redundancy;
    if (failed == 0)
      refuse(ProblemCode::idle_key, "rebuilding",
             " is given, and no server failed (failed_servers); leave it out");
    else if (software() && software()->set_drives)
      refuse(ProblemCode::conflict, "rebuilding",
             " is given, but what {} lost with a server it makes up for once that is replaced, and "
             "not on others; leave it out",
             software()->name);
    else if (*store_.servers - failed < kept.width())
      refuse(ProblemCode::conflict, "rebuilding",
             " is given, but of {} servers {} are left, and \"{}\" needs {} for the chunks of a "
             "stripe: nothing can be made up for; leave it out",
             *store_.servers, *store_.servers - failed, text(kept), kept.width());
  }

  const KeyPath place_;
  ServersOfStore& store_;
  const Location& where_;
  const bool has_model_;
  Diagnostics& out_;
};

/// Keys of arrays that have no effect on servers.
void refuse_of_arrays(const std::string& name, const Store& store, Diagnostics& out) {
  const KeyPath place = KeyPath("store") / name;
  if (store.blades)
    out.refuse(ProblemCode::idle_key, place / "blades", store.where,
               " is for arrays; how many servers there are, servers says: leave it out");
  if (store.stripes)
    out.refuse(ProblemCode::idle_key, place / "stripes", store.where,
               " is for arrays; leave it out");
}

}  // namespace

std::optional<Ref<Array>> array_of(const std::string& name, ServersOfStore& store,
                                   const Location& where, bool has_model, Diagnostics& out) {
  if (!ServersChecker(name, store, where, has_model, out).check()) return {};
  return make_array(store, where, name);
}

void make_stores(Scenario& scenario, Diagnostics& out) {
  for (auto& [name, store] : scenario.store) {
    if (store.servers || store.server) refuse_of_arrays(name, store, out);
    if (auto array = array_of(name, store, store.where, !store.model.name.empty(), out))
      store.model = std::move(*array);
  }
}

}  // namespace gpufeed
