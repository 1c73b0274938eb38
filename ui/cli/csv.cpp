// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/csv.h"

#include "reports/study/sweep_csv.h"

namespace gpufeed::cli {

std::optional<OutputFile> csv_output(const std::optional<std::string>& csv) {
  if (!csv || *csv == "-") return {};
  const std::string option = "--csv " + *csv;
  for (const char* ending : {".toml", ".sqlite"})
    if (csv->ends_with(ending))
      throw InputError({{{option, 0, 0}, "this is no name of a CSV file"}});
  return OutputFile(option, *csv);
}

void write_csv(const std::optional<std::string>& csv, const std::optional<OutputFile>& output,
               SweepStore& store) {
  if (!csv) return;
  const std::string text = to_csv(store);
  if (output)
    output->write(text);
  else
    print(text);
}

}  // namespace gpufeed::cli
