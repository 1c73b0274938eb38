// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/problems_json.h"

#include <nlohmann/json.hpp>

#include "sim/base/assert.h"
#include "sim/base/printable.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

/// The one of a code's kinds, up to the `last`, that is called so.
template <class E>
E named(const std::string& name, E last) {
  E one{};
  while (one != last && name_of(one) != name) one = static_cast<E>(static_cast<int>(one) + 1);
  GPUFEED_ASSERT(name_of(one) == name, "a code that our own JSON names is known");
  return one;
}

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
  if (!problem.note.empty()) json["note"] = problem.note;
  // What it is made of, for whoever calls the subject by another name.
  if (problem.message.empty()) json["said_by"] = "code";
  if (problem.of_subject) json["said_by"] = "subject", json["behind_subject"] = problem.message;
  return json;
}

Problem problem_of(const Json& json) {
  Problem problem{
      {json["place"]["file"], json["place"].value("line", 0), json["place"].value("column", 0)}};
  problem.code = named<ProblemCode>(json["code"], ProblemCode::unusable_file);
  if (!json["subject"].is_null()) problem.subject = own_path(json["subject"].get<std::string>());
  problem.found = json.value("found", "");
  problem.expected = json.value("expected", "");
  problem.known = json.value("known", std::vector<std::string>());
  problem.note = json.value("note", "");
  for (const Json& fix : json["fixes"])
    problem.fixes.push_back({named<Fix::Kind>(fix["action"], Fix::Kind::remove),
                             own_path(fix["key"].get<std::string>()), fix.value("value", "")});
  const std::string said_by = json.value("said_by", "");
  problem.of_subject = said_by == "subject";
  if (problem.of_subject)
    problem.message = json["behind_subject"];
  else if (said_by != "code")
    problem.message = json["sentence"];
  return problem;
}

}  // namespace

std::string to_json(const std::vector<Problem>& problems) {
  Json json = Json::array();
  for (const Problem& problem : problems) json.push_back(json_of(problem));
  return escaped_in(Notation::json, json.dump(2, ' ', false, Json::error_handler_t::replace)) +
         "\n";
}

std::vector<Problem> problems_from_json(std::string_view json) {
  std::vector<Problem> problems;
  for (const Json& one : Json::parse(json)) problems.push_back(problem_of(one));
  return problems;
}

}  // namespace gpufeed
