// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpufeed::html {

/// A file that a page rests on, as it was read.
struct CopiedFile {
  std::string name;
  std::string text;
};

/// What a page tells beside its contents.
struct PageHead {
  std::string title;
  std::string command;                 ///< that made it, as typed
  std::string version;                 ///< of gpufeed
  std::vector<CopiedFile> files = {};  ///< shown on demand below the contents
  std::string date = {};               ///< of the day when it was made; empty: not told
};

/// A whole page: one file that asks for no other, can be read without scripts and be printed, light
/// or dark as its reader's system is; all that is folded opens on paper. The same input gives the
/// same bytes.
std::string page(const PageHead& head, const std::string& body);

/// Colors that those who see few tell apart (Okabe and Ito, 2008), and what a picture needs of the
/// page's style.
std::string_view style();

}  // namespace gpufeed::html
