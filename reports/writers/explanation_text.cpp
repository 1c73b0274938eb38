// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/explanation_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "reports/writers/sighting_text.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

std::string sighting_row(const Sighting& sighting) {
  if (!sighting.seen || !sighting.predicted) return "";
  return fmt::format("  {:<20}{:>14}{:>14} +- {}\n", label_of_sighting(sighting.name),
                     sighting_text(sighting, *sighting.predicted),
                     sighting_text(sighting, *sighting.seen),
                     sighting_text(sighting, sighting.spread));
}

std::string cause_rows(std::size_t number, const Cause& cause) {
  const std::string head =
      fmt::format("{}; {}", cause_text(cause),
                  cause.explains ? "explains all that was seen" : "explains a part of it");
  return labeled(fmt::format("{:>2}  ", number), head, kNumbers) +
         labeled("", "then: " + predictions_text(cause), kNumbers) +
         labeled("", "check: " + cause.check, kNumbers);
}

/// What tells the causes apart, and what each would show of it.
std::string telling_rows(const Explanation& explanation) {
  const std::string words = telling_text(explanation);
  if (words.empty()) return "";
  if (explanation.telling.empty()) return "\n" + labeled("", words, 0);
  std::string out = "\n" + words + "\n";
  for (std::size_t i = 0; i < explanation.causes.size(); ++i)
    for (const Sighting& one : explanation.causes[i].predictions)
      if (one.name == explanation.telling && one.predicted && explanation.causes[i].explains)
        out += fmt::format("{:>2}  {}\n", i + 1, sighting_text(one, *one.predicted));
  return out;
}

}  // namespace

std::string causes_heading(const Explanation& explanation) {
  const char* const best = "What may be why, the best explanation first";
  if (std::ranges::any_of(explanation.causes, &Cause::explains)) return best;
  const std::string look =
      "look whether the scenario is that of the run: model, batch, data set, machine";
  if (explanation.causes.empty())
    return "No single mechanism within plausible bounds explains half of the difference; " + look;
  return fmt::format("{}. None explains all that was seen; {}", best, look);
}

std::string cause_text(const Cause& cause) {
  const std::string parts = cause.parts.empty() ? "" : fmt::format(" ({})", cause.parts);
  return fmt::format("{}{}: {} times what the scenario says", cause.mechanism, parts,
                     text_number(cause.factor, 2));
}

std::string predictions_text(const Cause& cause) {
  std::string out;
  for (const Sighting& one : cause.predictions)
    if (one.seen && one.predicted)
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", label_of_sighting(one.name),
                         sighting_text(one, *one.predicted));
  return out;
}

std::string telling_text(const Explanation& explanation) {
  if (std::ranges::count_if(explanation.causes, &Cause::explains) < 2) return "";
  if (explanation.telling.empty())
    return "Nothing else that may be observed tells these apart, as all of it follows from the "
           "pace; their checks do.";
  return "What tells them apart: " + label_of_sighting(explanation.telling);
}

std::string to_text(const Explanation& explanation) {
  std::string out = labeled("", explanation.title, 0) + "\n" +
                    fmt::format("  {:<20}{:>14}{:>14}\n", "", "predicted", "seen");
  for (const Sighting& sighting : explanation.sightings) out += sighting_row(sighting);
  if (explanation.fits)
    return out + "\nAll that was seen lies within two deviations: there is nothing to explain.\n";
  out += "\n" + labeled("", causes_heading(explanation), 0);
  for (std::size_t i = 0; i < explanation.causes.size(); ++i)
    out += cause_rows(i + 1, explanation.causes[i]);
  out += telling_rows(explanation);
  if (!explanation.ruled_out.empty())
    out += "\n" + labeled("It is not alone",
                          fmt::format("{}", fmt::join(explanation.ruled_out, "; ")), kLabels);
  return out;
}

}  // namespace gpufeed
