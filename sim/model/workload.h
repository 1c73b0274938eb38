// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <utility>
#include <variant>

#include "sim/base/assert.h"
#include "sim/model/kinds/checkpointing.h"
#include "sim/model/kinds/collective.h"
#include "sim/model/kinds/emulated.h"
#include "sim/model/kinds/inference.h"
#include "sim/model/kinds/io.h"
#include "sim/model/kinds/loader.h"
#include "sim/model/kinds/matmul.h"
#include "sim/model/kinds/pipeline.h"
#include "sim/model/kinds/training.h"
#include "sim/model/kinds/transfers.h"

namespace gpufeed {

/// The list of kinds, in the order in which messages name them; a scenario that names none is of
/// the first. Each says its `kName`, its keys, and what `kTakes` of a scenario beside them:
/// sections such as "loader", or single keys such as "loader.cache"; but none of the keys that it
/// `kLeaves`.
using WorkloadKinds = std::variant<kind::Training, kind::Emulated, kind::Loader, kind::Io,
                                   kind::Transfers, kind::Pipeline, kind::Inference,
                                   kind::Collective, kind::Matmul, kind::Checkpointing>;

template <class>
struct KindNames;
template <class... K>
struct KindNames<std::variant<K...>> {
  static constexpr std::array<std::string_view, sizeof...(K)> names{K::kName...};
  template <class T>
  static constexpr std::size_t index_of() {
    constexpr std::array<bool, sizeof...(K)> same{std::same_as<T, K>...};
    std::size_t index = 0;
    while (!same[index]) ++index;
    return index;
  }
};

/// A kind as a value: the position of its type in the list.
enum class WorkloadKind : std::size_t {};
template <>
struct EnumNames<WorkloadKind> : KindNames<WorkloadKinds> {};
template <class T>
inline constexpr WorkloadKind kind_of{KindNames<WorkloadKinds>::index_of<T>()};

/// Fresh keys of a kind.
WorkloadKinds fresh_keys(WorkloadKind kind);

/// The job: its kind, and the keys of that kind alone.
struct Workload {
  WorkloadKinds of_kind;
  Location where;

  // Defined beside the list: two hundred files include a scenario, and each would make them anew.
  Workload();
  Workload(WorkloadKinds own, Location place = {});
  Workload(const Workload&);
  Workload(Workload&&) noexcept;
  Workload& operator=(const Workload&);
  Workload& operator=(Workload&&) noexcept;
  ~Workload();

  WorkloadKind kind() const { return WorkloadKind{of_kind.index()}; }
  /// Whether it is of kind `T`, or of one of those that have the common keys `T`.
  template <class T>
  bool is() const {
    return find<T>() != nullptr;
  }
  /// The keys of the kind `T`, or the keys `T` that several kinds share; null where this workload's
  /// kind has none of them.
  template <class T>
  const T* find() const {
    return find_in<const T>(of_kind);
  }
  template <class T>
  T* find() {
    return find_in<T>(of_kind);
  }
  /// The same, of a workload that has them.
  template <class T>
  const T& get() const {
    return found(find<T>());
  }
  template <class T>
  T& get() {
    return found(find<T>());
  }

  const Ref<Dataset>& dataset() const;
  Ref<Dataset>& dataset();
  const Ref<Model>& model() const;
  Ref<Model>& model();

 private:
  template <class T, class Kinds>
  static T* find_in(Kinds& kinds) {
    return std::visit(
        []<class K>(K& own) -> T* {
          if constexpr (std::derived_from<std::remove_const_t<K>, std::remove_const_t<T>>)
            return &own;
          else
            return nullptr;
        },
        kinds);
  }
  template <class T>
  static T& found(T* keys) {
    GPUFEED_ASSERT(keys, "the workload's kind has these keys");
    return *keys;
  }
};

/// What every kind takes.
inline constexpr std::array<std::string_view, 8> kTakenByAll{
    "schema", "title", "system", "workload", "replace", "own", "run.seed", "run.engine"};

/// Whether the key `section.name` of a scenario has an effect on workloads of kind `K`; of a
/// section without a name, whether any of it has.
template <class K>
constexpr bool takes(std::string_view section, std::string_view name = {}) {
  const auto dotted = [&](std::string_view path) {
    return path.size() == section.size() + 1 + name.size() && path.starts_with(section) &&
           path[section.size()] == '.' && path.ends_with(name);
  };
  const auto is = [&](std::string_view path) {
    if (path == section) return true;
    return name.empty() ? path.starts_with(section) && path[section.size()] == '.' : dotted(path);
  };
  return std::ranges::none_of(K::kLeaves, dotted) &&
         (std::ranges::any_of(K::kTakes, is) || std::ranges::any_of(kTakenByAll, is));
}

inline constexpr Rule<WorkloadKind> kKindRule{.name = "kind", .help = "the job"};

/// Calls `visit(rule, member)` for `kind` and for each key of the workload's kind.
template <class W, class Visit>
requires std::same_as<std::remove_const_t<W>, Workload>
void for_each_member(W& workload, const Visit& visit) {
  const WorkloadKind kind = workload.kind();
  visit(kKindRule, kind);
  std::visit([&](auto& own) { for_each_member(own, visit); }, workload.of_kind);
}

/// Calls `visit(fresh)` with a fresh value of each kind's keys, in order.
template <class Visit>
void for_each_kind(const Visit& visit) {
  [&]<class... K>(const std::variant<K...>*) {
    (visit(K{}), ...);
  }(static_cast<const WorkloadKinds*>(nullptr));
}

}  // namespace gpufeed
