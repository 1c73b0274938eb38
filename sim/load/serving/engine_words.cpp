// SPDX-License-Identifier: Apache-2.0
#include "sim/load/serving/engine_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "sim/model/serving/engine_words.h"

namespace gpufeed {
namespace {

constexpr std::string_view kServing = "serving";
constexpr std::string_view kTier = "tier";

using serving::engine_words;
using serving::EngineWord;
using serving::WordForm;
using enum serving::WordForm;

struct ValueWord {
  std::string_view table, key, word, value;
};
constexpr std::array kValues{ValueWord{kServing, "route", "kv", "prefix"},
                             ValueWord{kTier, "at", "G2", "memory"},
                             ValueWord{kTier, "write", "write_through", "through"},
                             ValueWord{kTier, "write", "write_back", "evicted"}};

/// Calls `take` with each table of the file that has such words.
template <class Take>
void for_tables(toml::table& file, const Take& take) {
  toml::table* const serving = file[kServing].as_table();
  if (!serving) return;
  take(kServing, *serving);
  if (toml::array* const tiers = (*serving)[kTier].as_array())
    for (toml::node& one : *tiers)
      if (toml::table* const tier = one.as_table()) take(kTier, *tier);
}

/// GPUs that share a model, whatever the file calls them.
double ranks_in(const toml::table& file) {
  const auto serving = file[kServing];
  for (const std::string_view word : {"tensor", "tensor_parallel_size", "tp_size"})
    if (const auto count = serving[word].value<double>()) return *count;
  return 1;
}

void put(toml::table& table, const toml::key& key, toml::node& node, WordForm form, double ranks) {
  const auto number = node.value<double>();
  if (form == opposite && node.is_boolean()) {
    node.ref<bool>() = !node.ref<bool>();
  } else if (number && form != same && form != opposite) {
    const double unit = form == gibibytes ? 1073741824.0 : 1e9;
    table.insert(key, text(Bytes{*number * unit * (form == of_each_rank ? ranks : 1)}, 15));
    return;
  }
  node.visit([&](auto& value) { table.insert(key, std::move(value)); });
}

class Taker {
 public:
  Taker(toml::table& file, const Reader& reader, Diagnostics& out)
      : ranks_(ranks_in(file)), reader_(reader), out_(out) {}

  void take(std::string_view name, toml::table& table) {
    std::map<std::string_view, std::string_view> given;  // key, by which name
    for (const EngineWord& word : engine_words())
      if (word.table == name && table.contains(word.key)) given[word.key] = word.key;
    for (const EngineWord& word : engine_words())
      if (word.table == name && table.contains(word.word)) take(word, table, given);
    for (const ValueWord& word : kValues)
      if (word.table == name && table[word.key].value<std::string_view>() == word.word)
        table[word.key].ref<std::string>() = word.value;
  }

 private:
  void take(const EngineWord& word, toml::table& table,
            std::map<std::string_view, std::string_view>& given) {
    const auto found = table.find(word.word);
    const auto [other, is_first] = given.emplace(word.key, word.word);
    if (is_first) {
      const toml::key key(word.key, found->first.source());
      put(table, key, found->second, word.form, ranks_);
    } else {
      Problem both{reader_.at(found->second),
                   fmt::format("{}: {} and {} are two names of {}; leave one out",
                               word.table == kServing ? "serving" : "serving.tier", other->second,
                               word.word, word.key == other->second ? "one key" : word.key)};
      both.code = ProblemCode::conflict;
      out_.add(std::move(both));
    }
    table.erase(word.word);
  }

  double ranks_;
  const Reader& reader_;
  Diagnostics& out_;
};

}  // namespace

void give_way(toml::table& file, const KeyPath& set) {
  if (set.steps.size() != 2 || set.steps.front().key != kServing) return;
  toml::table* const serving = file[kServing].as_table();
  if (!serving) return;
  const std::string& name = set.steps.back().key;
  const auto is_it = [&](const EngineWord& word) {
    return word.table == kServing && (word.word == name || word.key == name);
  };
  const auto words = engine_words();
  const auto meant = std::ranges::find_if(words, is_it);
  if (meant == words.end()) return;
  for (const EngineWord& word : engine_words()) {
    if (word.table != kServing || word.key != meant->key) continue;
    if (word.word != name) serving->erase(word.word);
    if (word.key != name) serving->erase(word.key);
  }
}

void take_engine_words(toml::table& file, const Reader& reader, Diagnostics& out) {
  Taker taker(file, reader, out);
  for_tables(file, [&](std::string_view name, toml::table& table) { taker.take(name, table); });
}

}  // namespace gpufeed
