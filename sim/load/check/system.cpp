// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "sim/base/labels/label_text.h"
#include "sim/base/nearest.h"
#include "sim/load/check/checks.h"
#include "sim/model/catalog/system.h"

namespace gpufeed {
namespace {

struct Known {
  std::string_view kind;
  Location where;
};

class SystemChecker {
 public:
  SystemChecker(const System& system, Diagnostics& out) : system_(system), out_(out) {}

  void check() {
    collect_ids();
    require_some();
    check_attachments();
    check_switch_cycles();
    check_connections(system_.socket_links, "socket_link", "socket");
    check_connections(system_.nvlinks, "nvlink", "gpu");
    check_sockets_joined();
  }

 private:
  template <class Visit>
  void for_each_part(Visit visit) const {
    for (const auto& part : system_.sockets) visit("socket", part);
    for (const auto& part : system_.switches) visit("switch", part);
    for (const auto& part : system_.gpus) visit("gpu", part);
    for (const auto& part : system_.nics) visit("nic", part);
    for (const auto& part : system_.drives) visit("drive", part);
    for (const auto& part : system_.nvswitches) visit("nvswitch", part);
    for (const auto& part : system_.volumes) visit("volume", part);
  }

  void collect_ids() {
    for_each_part([&](std::string_view kind, const Part& part) {
      if (part.id == Label()) return;  // reported as missing
      const bool plain = std::ranges::all_of(text_of(part.id), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '-';
      });
      if (!plain)
        out_.error(ProblemCode::wrong_type, part.where,
                   "{} \"{}\": an id may hold letters, digits, - and _ only", kind,
                   text_of(part.id));
      const auto [it, fresh] = ids_.try_emplace(text_of(part.id), Known{kind, part.where});
      if (!fresh)
        out_.error(ProblemCode::conflict, part.where,
                   "{} \"{}\": the id is already that of the {} at {}", kind, text_of(part.id),
                   it->second.kind, text(it->second.where));
    });
  }

  void require_some() {
    if (system_.sockets.empty())
      out_.error(ProblemCode::missing_key, system_.where,
                 "{} has no [[socket]]; it needs one at least", system_.name);
  }

  Names ids_of(std::initializer_list<std::string_view> kinds) const {
    Names names;
    for (const auto& [id, known] : ids_)
      if (std::ranges::count(kinds, known.kind)) names.push_back(id);
    return names;
  }

  /// Reports an id that is not one of the wanted kinds.
  bool refer(const PartRef& ref, const std::string& who,
             std::initializer_list<std::string_view> kinds) {
    if (!ref.given()) return false;  // reported as missing
    const auto it = ids_.find(text_of(ref.id));
    if (it != ids_.end() && std::ranges::count(kinds, it->second.kind)) return true;
    if (it == ids_.end())
      out_.error(ProblemCode::unknown_part, ref.where, "{}: there is no part \"{}\"; {}", who,
                 text_of(ref.id), suggestion(text_of(ref.id), ids_of(kinds)));
    else
      out_.error(ProblemCode::unknown_part, ref.where, "{}: \"{}\" is a {}; expected a {}", who,
                 text_of(ref.id), it->second.kind, fmt::join(kinds, " or a "));
    return false;
  }

  void check_attachments() {
    for_each_part([&](std::string_view kind, const auto& part) {
      if constexpr (requires { part.at; })
        refer(part.at, fmt::format("{} \"{}\".at", kind, text_of(part.id)), {"socket", "switch"});
    });
  }

  void check_switch_cycles() {
    std::map<std::string, std::string> above;
    for (const auto& part : system_.switches) above[text_of(part.id)] = text_of(part.at.id);
    for (const auto& part : system_.switches) {
      std::string way = text_of(part.id);
      std::string up = text_of(part.at.id);
      for (std::size_t hops = 0; hops <= above.size() && above.contains(up); ++hops) {
        way += " -> " + up;
        if (up == text_of(part.id)) {
          out_.error(ProblemCode::conflict, part.at.where,
                     "switch \"{}\" hangs on itself: {}; one of them must hang on a socket",
                     text_of(part.id), way);
          break;
        }
        up = above[up];
      }
    }
  }

  void check_connections(const std::vector<Connection>& connections, std::string_view what,
                         std::string_view kind) {
    for (const auto& connection : connections) {
      if (connection.between.size() != 2) {
        if (!connection.between.empty())
          out_.error(ProblemCode::wrong_type, connection.where,
                     "{}.between must name two {}s; found {}", what, kind,
                     connection.between.size());
        continue;
      }
      bool good = true;
      for (const auto& end : connection.between)
        good = refer(end, fmt::format("{}.between", what), {kind}) && good;
      if (good && connection.between[0].id == connection.between[1].id)
        out_.error(ProblemCode::conflict, connection.where,
                   "{}.between names \"{}\" twice; a link joins two parts", what,
                   text_of(connection.between[0].id));
    }
  }

  void check_sockets_joined() {
    if (system_.sockets.size() < 2) return;
    std::set<std::string> reached{text_of(system_.sockets.front().id)};
    for (std::size_t round = 0; round < system_.sockets.size(); ++round)
      for (const auto& link : system_.socket_links) {
        if (link.between.size() != 2) continue;
        if (reached.contains(text_of(link.between[0].id)))
          reached.insert(text_of(link.between[1].id));
        if (reached.contains(text_of(link.between[1].id)))
          reached.insert(text_of(link.between[0].id));
      }
    for (const auto& socket : system_.sockets)
      if (socket.id != Label() && !reached.contains(text_of(socket.id)))
        out_.error(ProblemCode::missing_key, socket.where,
                   "socket \"{}\" is not joined to \"{}\": a [[socket_link]] is missing",
                   text_of(socket.id), text_of(system_.sockets.front().id));
  }

  const System& system_;
  Diagnostics& out_;
  std::map<std::string, Known, std::less<>> ids_;
};

}  // namespace

void check_system(const System& system, Diagnostics& out) { SystemChecker(system, out).check(); }

}  // namespace gpufeed
