// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "ui/cli/verb_text.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {

using VerbFunction = int (*)(const Arguments&);

struct Verb {
  std::string_view name;
  std::string_view summary;  ///< one line
  VerbFunction run;
  std::vector<std::string> parts = {};  ///< words one of which must follow: list, show
};

/// All verbs, as help lists them.
const std::vector<Verb>& verbs();

/// What `verb` takes: one entry, or one for each of its parts.
std::vector<VerbText> texts_of(const Verb& verb);

}  // namespace gpufeed::cli
