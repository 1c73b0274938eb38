// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/greeting.h"

#include <fmt/format.h>

#include "ui/cli/shipped_examples.h"

namespace gpufeed::cli {

std::string greeting() {
  return fmt::format(
      "gpufeed says whether a machine's storage, CPUs and links keep its GPUs busy.\n\n"
      "Three things to try:\n"
      "  gpufeed tour           walks through one answer, in two minutes\n"
      "  gpufeed examples       {} questions, each with its files to copy\n"
      "  gpufeed new mine.toml  writes a scenario of your own to edit\n\n"
      "gpufeed --help lists all verbs; gpufeed doctor says what this machine lacks.\n",
      example_names().size());
}

}  // namespace gpufeed::cli
