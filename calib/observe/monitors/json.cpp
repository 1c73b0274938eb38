// SPDX-License-Identifier: Apache-2.0
#include "calib/observe/monitors/json.h"

#include <algorithm>

namespace gpufeed {

Json json_of(const MonitorReader& in) {
  try {
    return Json::parse(in.text());
  } catch (const Json::parse_error& error) {
    const std::string_view before =
        std::string_view(in.text()).substr(0, std::min(error.byte, in.text().size()));
    const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n'));
    in.fail(line, "this is no whole JSON: it is cut or damaged here");
  }
}

std::string word_in(const Json& object, const char* key) {
  const auto it = object.is_object() ? object.find(key) : object.end();
  if (it == object.end()) return "";
  if (it->is_string()) return it->get<std::string>();
  return it->is_number() ? it->dump() : "";
}

bool has_number(const Json& object, const char* key) {
  return number_at(word_in(object, key)).has_value();
}

double number_in(const Json& object, const char* key) {
  return number_at(word_in(object, key)).value_or(0);
}

const Json& list_in(const Json& object, const char* key) {
  static const Json kNone = Json::array();
  const auto it = object.is_object() ? object.find(key) : object.end();
  return it != object.end() && it->is_array() ? *it : kNone;
}

}  // namespace gpufeed
