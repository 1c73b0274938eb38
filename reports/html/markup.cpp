// SPDX-License-Identifier: Apache-2.0
#include "reports/html/markup.h"

#include <fmt/format.h>

#include "sim/base/printable.h"

namespace gpufeed::html {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable_lines(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

std::string element(std::string_view tag, std::string_view text, std::string_view attributes) {
  return fmt::format("<{}{}{}>{}</{}>", tag, attributes.empty() ? "" : " ", attributes,
                     escaped(text), tag);
}

std::string Table::markup() const {
  const auto align = [&](std::size_t column) {
    return column < text_columns ? "" : "class='number'";
  };
  std::string out = "<table>" + element("caption", caption) + "<thead><tr>";
  for (std::size_t c = 0; c < columns.size(); ++c)
    out += element("th", columns[c], fmt::format("scope='col' {}", align(c)));
  out += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) out += element("td", row[c], align(c));
    out += "</tr>\n";
  }
  return scrolling(caption, out + "</tbody></table>");
}

std::string card(std::string_view name, std::string_view value, std::string_view note) {
  return "<div class='card'>" + element("div", name, "class='name'") +
         element("div", value, "class='value'") + element("div", note, "class='note'") + "</div>\n";
}

std::string folded(std::string_view summary, const std::string& markup) {
  return "<details>" + element("summary", summary) + markup + "</details>\n";
}

std::string scrolling(std::string_view name, const std::string& markup) {
  return fmt::format("<div class='scroll' tabindex='0' role='region' aria-label='{}'>{}</div>\n",
                     escaped(name), markup);
}

std::string section(std::string_view id, std::string_view heading, const std::string& markup) {
  return fmt::format(
      "<section id='{0}' aria-labelledby='{0}-h'>\n<h2 id='{0}-h'>{1}</h2>\n{2}"
      "</section>\n",
      id, escaped(heading), markup);
}

std::string legend_entry(std::string_view name, std::string_view words) {
  return fmt::format("<span class='entry'><span class='swatch {}'></span>{}</span> ", name,
                     escaped(words));
}

}  // namespace gpufeed::html
