// SPDX-License-Identifier: Apache-2.0
#include "tests/support/markup_check.h"

#include <fmt/format.h>

#include <set>
#include <vector>

namespace gpufeed {
namespace {

class Checker {
 public:
  explicit Checker(const std::string& page) : page_(page) {}

  std::string faults() {
    while (next_tag()) continue;
    for (const auto& name : open_) fault("<" + name + "> is not closed");
    return faults_;
  }

 private:
  void fault(const std::string& what) { faults_ += what + "\n"; }

  bool next_tag() {
    const std::size_t begin = page_.find('<', at_);
    if (begin == std::string::npos) return false;
    at_ = page_.find('>', begin);
    if (at_ == std::string::npos) {
      fault("< without >");
      return false;
    }
    tag(page_.substr(begin + 1, at_ - begin - 1));
    return true;
  }

  void tag(std::string text) {
    if (text.starts_with('!')) return;
    if (text.starts_with('/')) return close(text.substr(1));
    const bool empty = text.ends_with('/');
    if (empty) text.pop_back();
    const std::string name = text.substr(0, text.find_first_of(" \n"));
    for (const char* running :
         {"script", "link", "img", "iframe", "object", "embed", "image", "use"})
      if (name == running) fault("<" + name + "> may fetch or run something");
    attributes(name, text.substr(name.size()));
    if (!empty) open_.push_back(name);
    if (name == "style") at_ = page_.find("</style>", at_) - 1;
  }

  void close(const std::string& name) {
    if (open_.empty() || open_.back() != name)
      return fault("</" + name + "> closes <" + (open_.empty() ? "" : open_.back()) + ">");
    open_.pop_back();
  }

  void attributes(const std::string& tag, const std::string& text) {
    for (std::size_t at = text.find_first_not_of(" \n"); at != std::string::npos;
         at = text.find_first_not_of(" \n", at)) {
      const std::size_t equals = text.find('=', at);
      const char quote = equals + 1 < text.size() ? text[equals + 1] : ' ';
      const std::size_t end = quote == '\'' ? text.find(quote, equals + 2) : std::string::npos;
      if (equals == std::string::npos || end == std::string::npos)
        return fault(fmt::format("<{}{}>: an attribute without quotation marks", tag, text));
      attribute(text.substr(at, equals - at), text.substr(equals + 2, end - equals - 2));
      at = end + 1;
    }
  }

  void attribute(const std::string& name, const std::string& value) {
    if (name == "id" && !ids_.insert(value).second) fault("id " + value + " is given twice");
    if (name == "src" || name.starts_with("on")) fault(name + "='" + value + "'");
    if (name == "href" && !value.starts_with('#')) fault(name + "='" + value + "'");
    if (name == "style" && value.find("url(") != std::string::npos)
      fault(name + "='" + value + "'");
  }

  const std::string& page_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  std::set<std::string> ids_;
  std::string faults_;
};

}  // namespace

std::string faults_of_page(const std::string& page) { return Checker(page).faults(); }

}  // namespace gpufeed
