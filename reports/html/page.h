// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gpufeed::html {

/// What a page tells beside its contents.
struct PageHead {
  std::string title;
  std::string command;  ///< that made it, as typed
  std::string version;  ///< of gpufeed
};

/// A whole page: one file that asks for no other, can be read without scripts and be printed, light
/// or dark as its reader's system is. The same input gives the same bytes.
std::string page(const PageHead& head, const std::string& body);

/// Colors that those who see few tell apart (Okabe and Ito, 2008), and what a picture needs of the
/// page's style.
std::string_view style();

}  // namespace gpufeed::html
