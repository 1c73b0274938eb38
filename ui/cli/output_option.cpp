// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/output_option.h"

#include <fmt/format.h>

namespace gpufeed::cli {

Options& OutputOption::add_to(Options& options, const std::string& help) {
  return options.value(name_, "FILE", given_,
                       help + "; - writes to standard output, and nothing else");
}

void OutputOption::open() {
  if (const std::string name = file(); !name.empty()) file_.emplace(name_ + " " + name, name);
}

void OutputOption::write(std::string_view text) const {
  if (file_)
    file_->write(text);
  else if (given_)
    print(text);
}

bool take_standard_output(const Options& options,
                          std::initializer_list<const OutputOption*> outputs) {
  const OutputOption* first = nullptr;
  for (const OutputOption* output : outputs) {
    if (!output->takes_standard_output()) continue;
    if (first)
      throw options.error(fmt::format("only one can be written to standard output: {} or {}",
                                      first->name(), output->name()));
    first = output;
  }
  return first != nullptr;
}

}  // namespace gpufeed::cli
