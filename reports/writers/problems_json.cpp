// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/problems_json.h"

#include <nlohmann/json.hpp>

#include "sim/base/printable.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Location& where) {
  Json json{{"file", where.file}};
  if (where.line == 0) return json;
  json["line"] = where.line;
  json["column"] = where.column;
  return json;
}

Json json_of(const Fix& fix) {
  Json json{{"action", name_of(fix.kind)}, {"key", text(fix.key)}};
  if (fix.kind != Fix::Kind::remove) json["value"] = fix.value;
  return json;
}

Json json_of(const Problem& problem) {
  Json json{{"code", name_of(problem.code)}, {"place", json_of(problem.where)}};
  json["subject"] = problem.subject.empty() ? Json() : Json(text(problem.subject));
  if (!problem.found.empty()) json["found"] = problem.found;
  if (!problem.expected.empty()) json["expected"] = problem.expected;
  if (!problem.known.empty()) json["known"] = problem.known;
  json["fixes"] = Json::array();
  for (const Fix& fix : problem.fixes) json["fixes"].push_back(json_of(fix));
  json["sentence"] = sentence(problem);
  return json;
}

}  // namespace

std::string to_json(const std::vector<Problem>& problems) {
  Json json = Json::array();
  for (const Problem& problem : problems) json.push_back(json_of(problem));
  return escaped_in(Notation::json, json.dump(2, ' ', false, Json::error_handler_t::replace)) +
         "\n";
}

}  // namespace gpufeed
