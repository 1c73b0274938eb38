// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/csv.h"

#include "reports/study/sweep_csv.h"

namespace gpufeed::cli {

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
