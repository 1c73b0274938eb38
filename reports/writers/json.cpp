// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/json.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "reports/writers/cluster_json.h"
#include "reports/writers/engine_json.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/pooled_json.h"
#include "reports/writers/rows_json.h"
#include "sim/base/diagnostics.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/model/fields/told.h"
#include "sim/model/workload.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

Json to_value(const std::string& value) { return value; }
Json to_value(std::int64_t value) { return value; }
Json to_value(bool value) { return value; }
template <NamedEnum E>
Json to_value(E value) {
  return std::string(name_of(value));
}
Json to_value(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
template <HasFields T>
Json to_value(const T& value);
template <FactCode Code>
Json to_value(const Fact<Code>& fact);
Json to_value(const Evidence& evidence);
Json to_value(const KeyPath& key) { return text(key); }
template <class T>
Json to_value(const std::vector<T>& list) {
  Json array = Json::array();
  for (const T& item : list) array.push_back(to_value(item));
  return array;
}
template <class T>
Json to_value(const std::optional<T>& value) {
  return value ? to_value(*value) : Json(nullptr);
}
template <HasFields T>
Json to_value(const T& value) {
  Json object = Json::object();
  for_each_field<T>([&]<class F>(const F& field) {
    Json& slot = object[std::string(field.name)];
    if constexpr (kIsTold<F>)
      slot = to_value(in_words(value.*field.member));
    else
      slot = to_value(value.*field.member);
  });
  return object;
}

// Keys of a fact.
constexpr const char* kCode = "code";
constexpr const char* kArguments = "arguments";
constexpr const char* kOf = "of";
constexpr const char* kText = "text";

Json to_value(const FactQuantity& quantity) { return to_value(quantity.value); }

template <FactCode Code>
Json codes_of(const Fact<Code>& fact) {
  const auto& form = form_of(fact.code);
  Json arguments = Json::object();
  for (std::size_t i = 0; i < count_of(form.arguments); ++i)
    arguments[std::string(form.arguments[i].name)] =
        std::visit([](const auto& value) { return to_value(value); }, fact.arguments.at(i));
  return {{kCode, form.name}, {kArguments, std::move(arguments)}};
}
template <FactCode Code>
Json to_value(const Fact<Code>& fact) {
  Json value = codes_of(fact);
  value[kText] = sentence(fact);
  return value;
}
Json to_value(const Evidence& evidence) {
  Json value = codes_of(evidence.shows);
  value[kOf] = to_value(evidence.of);
  value[kText] = sentence(evidence);
  return value;
}

std::string text_of(const Json& json) {
  // A file's name may hold bytes that are no UTF-8, and a result must still be written. The library
  // escapes the control characters that JSON forbids; others stand in strings only.
  return escaped_in(Notation::json, json.dump(2, ' ', false, Json::error_handler_t::replace)) +
         "\n";
}

class JsonReader {
 public:
  explicit JsonReader(Diagnostics& out) : out_(out) {}

  template <HasFields T>
  void read(const Json& json, const std::string& place, T& value) {
    if (!json.is_object()) return mismatch(json, place, "an object");
    Names known;
    for_each_field<T>([&]<class F>(const F& field) {
      known.emplace_back(field.name);
      const std::string inner = (place.empty() ? "" : place + ".") + known.back();
      const auto it = json.find(known.back());
      if (it == json.end()) return error("{} is missing", inner);
      if constexpr (!kIsTold<F>) read(*it, inner, value.*field.member);
    });
    for (const auto& [key, ignored] : json.items())
      if (!std::ranges::count(known, key))
        error("{}unknown key \"{}\"; {}", place.empty() ? "" : place + ": ", key,
              suggestion(key, known));
  }

 private:
  template <class T>
  void read(const Json& json, const std::string& place, std::vector<T>& list) {
    if (!json.is_array()) return mismatch(json, place, "an array");
    for (std::size_t i = 0; i < json.size(); ++i)
      read(json[i], fmt::format("{}[{}]", place, i), list.emplace_back());
  }
  template <class T>
  void read(const Json& json, const std::string& place, std::optional<T>& value) {
    if (!json.is_null()) read(json, place, value.emplace());
  }
  void read(const Json& json, const std::string& place, bool& value) {
    if (!json.is_boolean()) return mismatch(json, place, "true or false");
    value = json.get<bool>();
  }
  void read(const Json& json, const std::string& place, std::string& value) {
    if (!json.is_string()) return mismatch(json, place, "a string");
    value = json.get<std::string>();
  }
  template <NamedEnum E>
  void read(const Json& json, const std::string& place, E& value) {
    const auto& words = EnumNames<E>::names;
    const auto* const word =
        json.is_string() ? std::ranges::find(words, json.get<std::string>()) : words.end();
    if (word == words.end())
      return mismatch(json, place, fmt::format("one of {}", fmt::join(words, ", ")));
    value = static_cast<E>(word - words.begin());
  }
  void read(const Json& json, const std::string& place, std::int64_t& value) {
    const bool too_large =
        json.is_number_unsigned() &&
        json.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    if (!json.is_number_integer() || too_large) return mismatch(json, place, "a whole number");
    value = json.get<std::int64_t>();
  }
  void read(const Json& json, const std::string& place, double& value) {
    if (!json.is_number() && !json.is_null()) return mismatch(json, place, "a number or null");
    value = json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
  }

  template <FactCode Code>
  void read(const Json& json, const std::string& place, Fact<Code>& fact) {
    if (!json.is_object() || !json.contains(kCode) || !json.contains(kArguments))
      return mismatch(json, place, "an object with code and arguments");
    const auto& forms = FactForms<Code>::all;
    const auto* const form = json[kCode].is_string()
                                 ? std::ranges::find(forms, json[kCode].template get<std::string>(),
                                                     &FactForm<Code>::name)
                                 : forms.end();
    if (form == forms.end()) return error("{}.{} is none that is known", place, kCode);
    fact.code = static_cast<Code>(form - forms.begin());
    for (std::size_t i = 0; i < count_of(form->arguments); ++i) {
      const Argument& argument = form->arguments[i];
      const std::string inner = fmt::format("{}.{}.{}", place, kArguments, argument.name);
      const Json& arguments = json[kArguments];
      const auto it = arguments.find(std::string(argument.name));
      if (it == arguments.end()) return error("{} is missing", inner);
      FactValue& value = fact.arguments.emplace_back();
      if (argument.unit == FactUnit::none)
        read(*it, inner, value);
      else
        read(*it, inner, value.emplace<FactQuantity>(FactQuantity{0, argument.unit}).value);
    }
  }
  void read(const Json& json, const std::string& place, Evidence& evidence) {
    read(json, place, evidence.shows);
    if (json.is_object() && json.contains(kOf)) read(json[kOf], place + ".of", evidence.of);
  }
  void read(const Json& json, const std::string& place, KeyPath& key) {
    std::string path;
    read(json, place, path);
    if (auto read = parse_key_path(path, {"result", 0, 0}, out_)) key = *std::move(read);
  }
  void read(const Json& json, const std::string& place, FactValue& value) {
    if (json.is_string()) return read(json, place, value.emplace<std::string>());
    if (json.is_array()) return read(json, place, value.emplace<std::vector<std::string>>());
    if (json.is_number_integer()) return read(json, place, value.emplace<std::int64_t>());
    read(json, place, value.emplace<double>());
  }

  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    out_.error({"result", 0, 0}, format, std::forward<Args>(args)...);
  }
  void mismatch(const Json& json, const std::string& place, std::string_view must_be) {
    error("{} must be {}; found {}", place.empty() ? "it" : place, must_be, json.type_name());
  }

  Diagnostics& out_;
};

}  // namespace

std::string to_json(const Result& result) { return text_of(to_value(result)); }
std::string to_json(const Result& result, const Elasticity& elasticity) {
  Json whole = to_value(result);
  whole["elasticity"] = to_value(elasticity);
  return text_of(whole);
}
std::string to_json(const Elasticity& elasticity) { return text_of(to_value(elasticity)); }
std::string to_json(const WhatIf& report) { return text_of(to_value(report)); }
std::string to_json(const Explanation& explanation) { return text_of(to_value(explanation)); }
std::string to_json(const Anchor& anchor) { return text_of(to_value(anchor)); }
std::string to_json(const SideBySide& comparison) { return text_of(to_value(comparison)); }
std::string to_json(const ValidationReport& report) { return text_of(to_value(report)); }
std::string to_json(const Recommendation& recommendation) {
  return text_of(to_value(recommendation));
}
std::string to_json(const cluster::Answer& answer) { return text_of(to_value(answer)); }
std::string to_json(const serving::Answer& answer) { return text_of(to_value(answer)); }
std::string to_json(const PooledCase& one) { return text_of(to_value(one)); }
std::string to_json(const PooledChange& change) { return text_of(to_value(change)); }
std::string to_json(const PooledChance& chance) { return text_of(to_value(chance)); }
std::string to_json(const PooledChoices& choices) { return text_of(to_value(choices)); }
std::string to_json(const std::vector<Result>& results) { return text_of(to_value(results)); }

std::string to_json(const std::vector<JsonRow>& rows) {
  constexpr double kExact = 9007199254740992;  // 2^53: whole numbers up to it are exact
  Json array = Json::array();
  for (const auto& row : rows) {
    Json object = Json::object();
    for (const auto& [name, value] : row) {
      Json& slot = object[name];
      if (const auto* number = std::get_if<double>(&value))
        slot = *number == std::trunc(*number) && std::abs(*number) <= kExact
                   ? Json(static_cast<std::int64_t>(*number))
                   : to_value(*number);
      else if (const auto* text = std::get_if<std::string>(&value))
        slot = *text;
      else if (const auto* truth = std::get_if<bool>(&value))
        slot = *truth;
    }
    array.push_back(std::move(object));
  }
  return text_of(array);
}

namespace {

template <class T>
T read_json(std::string_view json, Diagnostics& out) {
  T value;
  const Json parsed = Json::parse(json, nullptr, false);
  if (parsed.is_discarded())
    out.error({"result", 0, 0}, "it is no JSON");
  else
    JsonReader(out).read(parsed, "", value);
  return value;
}

template <class T>
T whole_from_json(std::string_view json) {
  Diagnostics out;
  T value = read_json<T>(json, out);
  out.throw_if_any();
  return value;
}

}  // namespace

Elasticity elasticity_from_json(std::string_view json) { return whole_from_json<Elasticity>(json); }
WhatIf what_if_from_json(std::string_view json) { return whole_from_json<WhatIf>(json); }
Explanation explanation_from_json(std::string_view json) {
  return whole_from_json<Explanation>(json);
}
Recommendation recommendation_from_json(std::string_view json) {
  return whole_from_json<Recommendation>(json);
}
PooledCase pooled_case_from_json(std::string_view json) {
  return whole_from_json<PooledCase>(json);
}
PooledChange pooled_change_from_json(std::string_view json) {
  return whole_from_json<PooledChange>(json);
}
PooledChance pooled_chance_from_json(std::string_view json) {
  return whole_from_json<PooledChance>(json);
}
PooledChoices pooled_choices_from_json(std::string_view json) {
  return whole_from_json<PooledChoices>(json);
}

Result result_from_json(std::string_view json) {
  Diagnostics out;
  Result result = read_json<Result>(json, out);
  if (out.empty() && result.schema_version != Result{}.schema_version)
    out.error({"result", 0, 0}, "schema_version is {}; this gpufeed reads {}",
              result.schema_version, Result{}.schema_version);
  out.throw_if_any();
  return result;
}

}  // namespace gpufeed
