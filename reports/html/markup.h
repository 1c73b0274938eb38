// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpufeed::html {

/// `text` of others as it may stand in a page, between tags and in quotation marks of either kind.
std::string escaped(std::string_view text);

/// `<tag>text</tag>`, the text escaped. \param attributes  written as they are: "class='x'"
std::string element(std::string_view tag, std::string_view text, std::string_view attributes = "");

/// A table of text in a box that scrolls by itself where the screen is too narrow.
struct Table {
  std::string caption;  ///< for those who do not see it, too
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::size_t text_columns = 1;  ///< from the left; the others hold numbers, and align right

  std::string markup() const;
};

/// A figure in large letters, with its name above and a note below.
std::string card(std::string_view name, std::string_view value, std::string_view note);

/// What is shown on demand below a picture.
std::string folded(std::string_view summary, const std::string& markup);

/// A box that scrolls to the side by itself where the screen is too narrow.
std::string scrolling(std::string_view name, const std::string& markup);

/// A part of a page. \param id  its name within the page, once
std::string section(std::string_view id, std::string_view heading, const std::string& markup);

/// A square of the color that `name`, a class, has, and what it stands for.
std::string legend_entry(std::string_view name, std::string_view words);

}  // namespace gpufeed::html
