// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/serving.h"

#include "reports/html/engine_page.h"
#include "reports/study/served_whatif.h"
#include "reports/writers/engine_json.h"
#include "reports/writers/engine_text.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/serving/document.h"
#include "sim/serving/answer.h"
#include "ui/cli/output.h"
#include "ui/cli/page_head.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {

namespace {

std::string title_of(const serving::Answer& answer) {
  return answer.title.empty() ? "Serving " + answer.model : answer.title;
}

}  // namespace

bool is_serving(const std::string& file) { return kind_of_file(file) == FileKind::serving; }

int simulate_serving(const ScenarioArguments& arguments, bool why, ServingOutputs outputs,
                     const Arguments& typed, bool screen_taken) {
  const serving::Document document =
      load_serving(arguments.files.front(), catalog_of(arguments), overrides_of(arguments));
  for (OutputOption* const output : {&outputs.json, &outputs.csv, &outputs.html}) output->open();
  const serving::Answer answer =
      serving::answer_of(document, why ? serving::Repeats::all : serving::Repeats::where_short);
  if (outputs.json.asked_for()) outputs.json.write(to_json(answer));
  if (outputs.csv.asked_for()) outputs.csv.write(to_csv(answer));
  if (outputs.html.asked_for())
    outputs.html.write(
        html::to_html(answer, page_head("simulate", typed, title_of(answer), arguments.files)));
  if (!screen_taken) print_screen(to_text(answer));
  return kGood;
}

int what_if_serving(const ScenarioArguments& arguments, const WhatIfRun& run, OutputOption& json,
                    OutputOption& page, const Arguments& typed, bool screen_taken) {
  const serving::Document document =
      load_serving(arguments.files.front(), catalog_of(arguments), overrides_of(arguments));
  for (OutputOption* const output : {&json, &page}) output->open();
  const serving::Answer answer = what_if(document, run);
  if (json.asked_for()) json.write(to_json(answer));
  if (page.asked_for())
    page.write(html::advice_html(
        answer, page_head("whatif", typed, "What if: " + title_of(answer), arguments.files)));
  if (!screen_taken) print_screen(advice_text(answer));
  return kGood;
}

}  // namespace gpufeed::cli
