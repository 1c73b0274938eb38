// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/serving.h"

#include "reports/writers/engine_json.h"
#include "reports/writers/engine_text.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/serving/document.h"
#include "sim/serving/answer.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {

bool is_serving(const std::string& file) { return kind_of_file(file) == FileKind::serving; }

int simulate_serving(const ScenarioArguments& arguments, bool why, OutputOption& json,
                     OutputOption& csv, bool screen_taken) {
  const serving::Document document =
      load_serving(arguments.files.front(), catalog_of(arguments), overrides_of(arguments));
  json.open();
  csv.open();
  const serving::Answer answer =
      serving::answer_of(document, why ? serving::Repeats::all : serving::Repeats::where_short);
  if (json.asked_for()) json.write(to_json(answer));
  if (csv.asked_for()) csv.write(to_csv(answer));
  if (!screen_taken) print_screen(to_text(answer));
  return kGood;
}

}  // namespace gpufeed::cli
