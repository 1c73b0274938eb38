// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/page_head.h"

#include "sim/base/files/read_file.h"
#include "sim/base/today.h"
#include "ui/cli/words.h"

namespace gpufeed::cli {

html::PageHead page_head(const std::string& verb, const Arguments& arguments, std::string title,
                         const std::vector<std::string>& files) {
  html::PageHead head{
      std::move(title), command_line(verb, arguments), PROJECT_VERSION, {}, date_text(today())};
  for (const auto& file : files) {
    Diagnostics problems;
    const auto text = read_text_file(file, kMaxTextSize, problems);
    problems.throw_if_any();
    head.files.push_back({file, *text});
  }
  return head;
}

}  // namespace gpufeed::cli
