// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/load/read/forms.h"
#include "sim/model/scenario.h"
#include "sim/model/taken.h"

/// Every key that a kind of workload takes, with values that make sense there.
namespace gpufeed::keys_to_try {

using Values = std::vector<std::string>;

template <class M>
struct Type {};

/// Values to try at a key, as `--set` has them. The form of a key says which make sense.
template <class Unit>
inline Values values_of(Type<Quantity<Unit>>) {
  using Q = Quantity<Unit>;
  if constexpr (std::same_as<Q, Bandwidth>)
    return {"2 MB/s", "100 MB/s", "1 GB/s", "8 GB/s"};
  else if constexpr (std::same_as<Q, Bytes>)
    return {"4096 B", "1 MB", "50 MB", "4 GB", "60 GB", "200 GB"};
  else if constexpr (std::same_as<Q, Seconds>)
    return {"0 s", "5 us", "2 ms", "200 ms"};
  else if constexpr (std::same_as<Q, Ratio>)
    return {"0 %", "1 %", "30 %", "60 %", "100 %"};
  else if constexpr (std::same_as<Q, Money>)
    return {"0.5 USD", "20 USD"};
  else
    return {"20 /s", "3000 /s"};
}
inline Values values_of(Type<std::int64_t>) {
  return {"1", "2", "3", "4", "5", "8", "16", "64", "1000", "20000", "100000"};
}
inline Values values_of(Type<double>) { return {"1.1", "2"}; }
inline Values values_of(Type<bool>) { return {"true", "false"}; }
inline Values values_of(Type<std::string>) { return {"\"fp16\"", "\"another\""}; }
inline Values values_of(Type<Redundancy>) { return {"\"8+2\"", "\"replica 3\""}; }
inline Values values_of(Type<Label>) { return {"\"another\""}; }
inline Values values_of(Type<FileRef>) {
  return {"\"" GPUFEED_SOURCE_DIR "/tests/golden/cli/access.csv\""};
}
inline Values values_of(Type<PartRef>) {
  return {"\"nas\"",
          "\"slow\"",
          "\"scratch\"",
          "\"ssd0\"",
          "\"ssd1\"",
          "\"cpu0\"",
          "\"cpu1\"",
          "\"gpu1\"",
          "\"gpu2\"",
          "\"gpu3\"",
          "\"ssd*\"",
          "\"gpu*\"",
          "\"samsung-pm983-1.92tb\""};
}
template <NamedEnum E>
inline Values values_of(Type<E>) {
  Values all;
  for (const auto name : EnumNames<E>::names) all.push_back(fmt::format("\"{}\"", name));
  return all;
}
template <class T>
inline Values values_of(Type<Ref<T>>) {
  static const std::map<std::string, Values, std::less<>> named{
      {"system", {"nvidia-dgx1-v100", "nvidia-dgx-a100"}},
      {"gpu", {"nvidia-v100-sxm2-16gb"}},
      {"model", {"alexnet", "vgg-16", "bert-base"}},
      {"dataset", {"imagenet-200kb-10m", "cifar-10"}},
      {"array", {"netapp-aff-a800", "iei-as13000-3-nodes"}},
      {"protocol", {"nfs-tcp", "lustre"}},
      {"job", {"mlperf-resnet50-h100", "mlperf-unet3d-h100"}},
      {"framework", {"pytorch", "mxnet"}},
      {"network-switch", {"mellanox-sn2700-100g", "nvidia-qm9700-ndr-400g"}},
      {"cable", {"copper-100g", "optics-800g"}},
      {"storage-software", {"ceph", "minio"}}};
  Values all;
  for (const auto& name : named.at(std::string(T::kKind)))
    all.push_back(fmt::format("\"{}\"", name));
  return all;
}
template <class M>
inline Values values_of(Type<std::vector<M>>) {
  if constexpr (std::same_as<M, PartRef>)
    return {"[\"ib0\"]"};
  else if constexpr (NamedEnum<M>) {
    Values all;
    for (const auto name : EnumNames<M>::names) all.push_back(fmt::format("[\"{}\"]", name));
    return all;
  } else {
    return {"[\"another\"]"};
  }
}
struct KeyToTry {
  std::string path;
  Values values;
  std::string usual = {};  ///< of a choice, the default, which may well change nothing
};

/// Every key that scenarios of a kind take: of lists of tables the first one's, of stores those of
/// "nas". Catalog entries are taken as a whole.
class Keys {
 public:
  explicit Keys(std::string_view kind) : kind_(kind) {}

  std::vector<KeyToTry> all() {
    add_table(Scenario{}, "");
    return std::move(found_);
  }

 private:
  // A class, not a lambda: it is compiled once for a type of value, not for each owner.
  struct Adder {
    Keys& keys;
    const std::string& prefix;
    bool of_kind;

    template <class M>
    void operator()(const Rule<M>& rule, const M& fresh) const {
      const bool whole = prefix.empty();
      if (whole) keys.section_ = rule.name;
      const bool direct = prefix == keys.section_ + "." || prefix == "store.nas.";
      if (whole ? !keys.taken(rule.name)
                : direct && !of_kind && !keys.taken(keys.section_, rule.name))
        return;
      keys.add(prefix + std::string(rule.name), Type<M>{});
      if constexpr (NamedEnum<M>) keys.found_.back().usual = fmt::format("\"{}\"", name_of(fresh));
    }
  };

  bool taken(std::string_view section, std::string_view name = {}) const {
    return std::ranges::count(kinds_that_take(section, name), kind_) > 0;
  }
  template <class T>
  void add_table(const T& fresh, const std::string& prefix, bool of_kind = false) {
    if constexpr (HasKinds<T>)
      for_each_kind([&](const auto& own) {
        if (own.kName == kind_) add_table(own, prefix, true);
      });
    else
      for_each_member(fresh, Adder{*this, prefix, of_kind});
  }
  template <class M>
  void add(const std::string& path, Type<std::optional<M>>) {
    add(path, Type<M>{});
  }
  template <class M>
  void add(const std::string& path, Type<Defaulted<M>>) {
    add(path, Type<M>{});
  }
  template <class M>
  void add(const std::string& path, Type<Named<M>>) {
    add(path + ".nas", Type<M>{});
  }
  template <class M>
  void add(const std::string& path, Type<std::vector<M>> list) {
    if constexpr (HasFields<M>)
      add_table(M{}, path + "[0].");
    else
      found_.push_back({path, values_of(list)});
  }
  template <class M>
  void add(const std::string& path, Type<M> value) {
    if constexpr (HasFields<M>)
      add_table(M{}, path + ".");
    else
      found_.push_back({path, values_of(value)});
  }

  std::string kind_;
  std::string section_;
  std::vector<KeyToTry> found_;
};

}  // namespace gpufeed::keys_to_try
