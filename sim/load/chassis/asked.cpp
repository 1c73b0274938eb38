// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/asked.h"

#include "sim/base/labels/label_text.h"

#include <charconv>

namespace gpufeed {
namespace {

constexpr std::string_view kSpaces = " \t";
constexpr std::int64_t kMostOfOne = 1024;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

/// What a chassis comes with at one of the keys of parts.
const std::vector<PartRef>& standard(const Chassis& chassis, std::string_view key) {
  if (key == "cpu") return chassis.cpu;
  if (key == "memory") return chassis.memory;
  if (key == "gpu") return chassis.gpu;
  return key == "nics" ? chassis.nics : chassis.drives;
}

}  // namespace

std::optional<Asked> parse_asked(std::string_view text, const Location& where) {
  text = trimmed(text);
  std::int64_t count = 1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc::invalid_argument)
    return text.empty() ? std::nullopt : std::optional<Asked>{{1, std::string(text), where}};
  std::string_view rest = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  const bool counts = rest.size() > 1 && (rest[0] == 'x' || rest[0] == 'X') &&
                      kSpaces.find(rest[1]) != std::string_view::npos;
  if (!counts) return Asked{1, std::string(text), where};  // a size: "2 TB"
  rest = trimmed(rest.substr(1));
  if (error != std::errc() || count < 1 || count > kMostOfOne || rest.empty()) return {};
  return Asked{count, std::string(rest), where};
}

std::vector<Asked> asked_for(const Request& request, std::string_view key) {
  const Reader& reader = request.reader;
  const auto refuse = [&](const Location& where, ProblemCode code, const std::string& expected,
                          const std::string& found) {
    Problem problem{where};
    problem.code = code;
    problem.subject = request.place / key;
    problem.expected = expected;
    problem.found = found;
    request.out.add(std::move(problem));
  };
  std::vector<Asked> found;
  const auto add = [&](std::string_view text, const Location& where) {
    if (trimmed(text) == "none") return;
    if (auto asked = parse_asked(text, where))
      found.push_back(std::move(*asked));
    else
      refuse(where, ProblemCode::out_of_range,
             fmt::format("how many, from 1 to {}, an x and what, such as \"8 x NAME\"", kMostOfOne),
             fmt::format("\"{}\"", text));
  };
  const toml::node* node = request.system.get(key);
  if (!node) {
    for (const auto& part : standard(request.chassis, key)) add(text_of(part.id), part.where);
  } else if (const auto* text = node->as_string()) {
    add(text->get(), reader.at(*node));
  } else if (const auto* list = node->as_array()) {
    for (const auto& item : *list)
      if (const auto* one = item.as_string())
        add(one->get(), reader.at(item));
      else
        refuse(reader.at(item), ProblemCode::wrong_type, "texts such as \"8 x NAME\"", shown(item));
  } else {
    refuse(reader.at(*node), ProblemCode::wrong_type, "text such as \"8 x NAME\", or a list of it",
           shown(*node));
  }
  return found;
}

}  // namespace gpufeed
