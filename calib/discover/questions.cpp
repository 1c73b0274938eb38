// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/questions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gpufeed {

void Questions::ask(const std::string& question, const std::string& id) {
  const auto same = std::ranges::find(asked_, question, &Asked::question);
  if (same != asked_.end())
    same->ids.push_back(id);
  else
    asked_.push_back({question, {id}});
}

std::vector<std::string> Questions::all() const {
  std::vector<std::string> out;
  for (const Asked& one : asked_) {
    std::string text = one.question;
    // not by fmt: names of products may hold braces
    if (const auto at = text.find("{}"); at != std::string::npos)
      text.replace(at, 2, fmt::format("{}", fmt::join(one.ids, ", ")));
    out.push_back(std::move(text));
  }
  return out;
}

}  // namespace gpufeed
