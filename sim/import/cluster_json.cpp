// SPDX-License-Identifier: Apache-2.0
#include "sim/import/cluster_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/files/read_file.h"
#include "sim/load/cluster/in_range.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = 1u << 30;

bool take(const Json& json, double& value) {
  if (!json.is_number() && !json.is_boolean()) return false;
  value = json.is_boolean() ? (json.get<bool>() ? 1.0 : 0.0) : json.get<double>();
  return std::isfinite(value);
}
bool take(const Json& json, std::int64_t& value) {
  if (!json.is_number()) return false;
  const double number = json.get<double>();
  if (number != std::floor(number) || std::abs(number) > 9e18) return false;
  value = json.is_number_integer() ? json.get<std::int64_t>() : static_cast<std::int64_t>(number);
  return true;
}
bool take(const Json& json, bool& value) {
  if (!json.is_boolean() && json != 0 && json != 1) return false;
  value = json.is_boolean() ? json.get<bool>() : json == 1;
  return true;
}
bool take(const Json& json, std::string& value) {
  if (!json.is_string() && !json.is_number()) return false;
  value = json.is_string() ? json.get<std::string>() : json.dump();
  return true;
}
bool take(const Json& json, std::vector<std::string>& value) {
  if (json.is_string()) return take(json, value.emplace_back());
  return json.is_array() && std::ranges::all_of(json, [&](const Json& one) {
           return take(one, value.emplace_back());
         });
}
template <class Unit>
bool take(const Json& json, Quantity<Unit>& value) {
  return take(json, value.value);
}
template <class T>
bool take(const Json& json, Ref<T>& value) {
  return take(json, value.name);
}
bool take(const Json& json, Redundancy& value) {
  const auto kept = json.is_string() ? parse_redundancy(json.get<std::string>()) : std::nullopt;
  value = kept.value_or(value);
  return kept.has_value();
}
template <NamedEnum E>
bool take(const Json& json, E& value) {
  const auto& names = EnumNames<E>::names;
  const auto found =
      json.is_string() ? std::ranges::find(names, json.get<std::string>()) : names.end();
  if (found == names.end()) return false;
  value = static_cast<E>(found - names.begin());
  return true;
}
template <class T>
bool take(const Json& json, std::optional<T>& value) {
  return take(json, value.emplace());
}

class Importer {
 public:
  Importer(std::string name, Diagnostics& out) : name_(std::move(name)), out_(out) {}

  ImportedCluster import(const Json& json) {
    auto& own = made_.document.cluster;
    if (!json.is_object()) {
      out_.error(ProblemCode::unusable_file, {name_, 0, 0},
                 "expected an object with nodes, jobs and policy");
      return {};
    }
    for (const auto& [key, value] : json.items()) {
      if (value.is_null()) continue;
      if (key == "nodes")
        list(value, key, own.nodes);
      else if (key == "jobs")
        list(value, key, own.jobs);
      else if (key == "failures")
        list(value, key, own.failures);
      else if (key == "stores")
        named_list(value, key, made_.document.stores);
      else if (key == "users")
        named_list(value, key, own.users);
      else if (key == "policy")
        own.scheduler = policy(value, key);
      else if (key == "policies" && value.is_object())
        for (const auto& [title, one] : value.items())
          own.policies[title] = policy(one, fmt::format("{}.{}", key, title));
      else if (key == "title")
        take(value, made_.document.title);
      else if (key == "window")
        take(value, made_.document.workload.window);
      else
        not_modeled(key);
    }
    return std::move(made_);
  }

 private:
  void not_modeled(const std::string& key) {
    if (std::ranges::count(made_.not_modeled, key) == 0) made_.not_modeled.push_back(key);
  }

  void wrong(const std::string& place, const std::string& expected, const Json& found) {
    std::string shown = found.dump(-1, ' ', true);
    if (shown.size() > 40) shown = shown.substr(0, 37) + "...";
    out_.error(ProblemCode::wrong_type, {name_, 0, 0}, "{} must be {}; found {}", place, expected,
               shown);
  }

  /// \param id  where the table keeps its name elsewhere: takes it
  template <class T>
  T table(const Json& json, const std::string& place, T value = {}, std::string* id = nullptr) {
    if (!json.is_object()) {
      wrong(place, "an object", json);
      return value;
    }
    for (const auto& [key, item] : json.items()) {
      bool known = item.is_null() || (id && key == "id" && take(item, *id));
      for_each_member(value, [&, &key = key, &item = item](const auto& rule, auto& member) {
        if (known || rule.name != key) return;
        known = true;
        // no period is none
        if (rule.name == "checkpoint_every" && item == 0) return;
        if (!take(item, member) || !in_range(rule, member))
          wrong(fmt::format("{}.{}", place, key), expected(rule), item);
      });
      if (!known) not_modeled(key);
    }
    for_each_member(value, [&](const auto& rule, const auto&) {
      if (rule.required && (!json.contains(rule.name) || json[std::string(rule.name)].is_null()))
        out_.error(ProblemCode::missing_key, {name_, 0, 0}, "{}.{} is missing; it must be {}",
                   place, rule.name, expected(rule));
    });
    return value;
  }

  template <class Add>
  void each(const Json& json, const std::string& key, const Add& add) {
    if (!json.is_array()) return wrong(key, "an array of objects", json);
    for (std::size_t i = 0; i < json.size(); ++i) add(json[i], fmt::format("{}[{}]", key, i));
  }
  template <class T>
  void list(const Json& json, const std::string& key, std::vector<T>& items) {
    each(json, key,
         [&](const Json& one, const std::string& place) { items.push_back(table<T>(one, place)); });
  }
  template <class T>
  void named_list(const Json& json, const std::string& key, Named<T>& items) {
    each(json, key, [&](const Json& one, const std::string& place) {
      std::string id;
      T item = table<T>(one, place, {}, &id);
      if (id.empty())
        out_.error(ProblemCode::missing_key, {name_, 0, 0}, "{}.id is missing", place);
      items[id] = std::move(item);
    });
  }
  cluster::Policy policy(const Json& json, const std::string& place) {
    cluster::Policy plain;
    plain.backfill = cluster::Backfill::none;
    plain.placement = cluster::Placed::first;
    return table<cluster::Policy>(json, place, plain);
  }

  std::string name_;
  Diagnostics& out_;
  ImportedCluster made_;
};

}  // namespace

ImportedCluster parse_cluster_json(std::string_view text, const std::string& name) {
  Diagnostics out;
  ImportedCluster made;
  try {
    made = Importer(name, out).import(Json::parse(text));
  } catch (const Json::exception& error) {
    out.error(ProblemCode::syntax, {name, 0, 0}, "JSON syntax: {}", error.what());
  }
  out.throw_if_any();
  return made;
}

ImportedCluster load_cluster_json(const std::filesystem::path& file) {
  Diagnostics out;
  const auto text = read_text_file(file, kMostBytes, out);
  out.throw_if_any();
  return parse_cluster_json(*text, file.lexically_normal().string());
}

}  // namespace gpufeed
