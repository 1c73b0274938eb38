// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/repairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <sstream>

#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/text/patch.h"
#include "sim/model/scenario.h"
#include "ui/model/build/wish.h"

namespace gpufeed::ui {
namespace {

constexpr std::size_t kMost = 4;  ///< of one problem

std::ptrdiff_t problems_of_machine(const std::vector<Problem>& problems) {
  return std::ranges::count_if(
      problems, [](const Problem& one) { return one.message.starts_with("system"); });
}

/// Problems that building the machine has. Those of its work come to light once it can be built,
/// and do not count.
std::ptrdiff_t problems_of_machine(const std::string& text, const std::string& name,
                                   const Catalog& catalog) {
  try {
    parse_scenario(text, name, catalog);
    return 0;
  } catch (const InputError& error) {
    return problems_of_machine(error.problems());
  }
}

std::string title_of(const std::string& product, const Catalog& catalog) {
  for (const auto& entry : describe_entry(catalog, product))
    if (!entry.title.empty()) return entry.title;
  return product;
}

/// "system.gpu" of "system.gpu: ..."; of a key that is missing, `system: "cpu" is missing`, too.
std::string key_in(const std::string& message) {
  const std::size_t colon = message.find(':');
  if (message.starts_with("system.")) return message.substr(7, colon - 7);
  const std::size_t quote = message.find('"');
  if (!message.starts_with("system: \"")) return "";
  return message.substr(quote + 1, message.find('"', quote + 1) - quote - 1);
}

/// The words of the advice, which stands behind the last semicolon, without their punctuation.
std::vector<std::string> advice_in(const std::string& message) {
  const std::size_t semicolon = message.rfind("; ");
  if (semicolon == std::string::npos) return {};
  std::istringstream rest(message.substr(semicolon + 2));
  std::vector<std::string> words;
  for (std::string word; rest >> word;) {
    std::erase_if(
        word, [](char c) { return std::string_view("\"?,;()").find(c) != std::string_view::npos; });
    words.push_back(word);
  }
  return words;
}

std::optional<std::int64_t> number_in(const std::string& word) {
  std::int64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || stop != end || number < 1) return {};
  return number;
}

/// Tries what one problem's advice names.
class Adviser {
 public:
  Adviser(const Problem& problem, const std::string& text, const Catalog& catalog, const Wish& wish)
      : message_(problem.message),
        text_(text),
        catalog_(catalog),
        wish_(wish),
        key_(key_in(message_)) {}

  std::vector<Repair> candidates() {
    const auto words = advice_in(message_);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& before = i > 0 ? words[i - 1] : "";
      if (key_ == "memory" && i > 0 && (words[i] == "GB" || words[i] == "TB"))
        memory(before + " " + words[i]);
      else if (const auto count = number_in(words[i]);
               count && (before == "take" || before == "or"))
        of_count(*count);
      else if (words[i] == "out")
        of_count(0);
      else if (catalog_.find("chassis", words[i]))
        add("Take the chassis " + title_of(words[i], catalog_),
            [&] { return with_value(text_, "system.chassis", toml_string(words[i])); });
      else
        of_product(words[i]);
    }
    return std::move(found_);
  }

 private:
  void add(const std::string& label, const std::function<std::string()>& make) {
    try {
      found_.push_back({label, make()});
    } catch (const InputError&) {
      return;  // the text is in a form that cannot be patched
    }
  }

  void memory(const std::string& size) {
    add("Take " + size + " of memory",
        [&] { return with_value(text_, "system.memory", toml_string(size)); });
  }

  /// The parts that the message is about, and the number of the product among them.
  std::optional<std::pair<WishedParts, std::size_t>> parts() const {
    const auto of_key = std::ranges::find(wish_.parts, key_, &WishedParts::key);
    if (of_key == wish_.parts.end()) return {};
    const auto named = std::ranges::find_if(of_key->parts, [&](const WishedPart& part) {
      return message_.find(part.product) != std::string::npos;
    });
    const auto at = named == of_key->parts.end() ? 0 : named - of_key->parts.begin();
    return std::pair(*of_key, static_cast<std::size_t>(at));
  }

  void of_count(std::int64_t count) {
    auto own = parts();
    if (!own || own->first.parts.empty()) return;
    auto& [wished, at] = *own;
    const std::string title = title_of(wished.parts[at].product, catalog_);
    if (count == 0)
      wished.parts.erase(wished.parts.begin() + static_cast<std::ptrdiff_t>(at));
    else
      wished.parts[at].count = count;
    add(count == 0 ? "Leave out " + title : fmt::format("Take {} × {}", count, title),
        [&, &chosen = wished] { return with_parts(text_, chosen); });
  }

  void of_product(const std::string& product) {
    auto own = parts();
    if (!own || !catalog_.find(own->first.kind, product)) return;
    auto& [wished, at] = *own;
    if (wished.parts.empty()) wished.parts.push_back({wished.usual, product});
    wished.parts[at].product = product;
    add(fmt::format("Take {} × {}", wished.parts[at].count, title_of(product, catalog_)),
        [&, &chosen = wished] { return with_parts(text_, chosen); });
  }

  const std::string& message_;
  const std::string& text_;
  const Catalog& catalog_;
  const Wish& wish_;
  std::string key_;
  std::vector<Repair> found_;
};

}  // namespace

std::vector<Repair> repairs_for(const std::vector<Problem>& problems, const std::string& text,
                                const std::string& name, const Catalog& catalog) {
  const auto wish = wish_of(text, catalog);
  if (!wish) return {};
  const std::ptrdiff_t before = problems_of_machine(problems);
  std::vector<Repair> repairs;
  for (const Problem& problem : problems) {
    std::size_t of_this = 0;
    for (Repair& one : Adviser(problem, text, catalog, *wish).candidates()) {
      if (of_this == kMost || problems_of_machine(one.text, name, catalog) >= before) continue;
      if (std::ranges::count(repairs, one.text, &Repair::text) > 0) continue;
      repairs.push_back(std::move(one));
      ++of_this;
    }
  }
  return repairs;
}

}  // namespace gpufeed::ui
