// SPDX-License-Identifier: Apache-2.0
#include "reports/html/page.h"

#include <fmt/format.h>

#include "reports/html/markup.h"

namespace gpufeed::html {

namespace {

std::string copies(const std::vector<CopiedFile>& files) {
  std::string out;
  for (const CopiedFile& file : files) out += folded(file.name, element("pre", file.text));
  return out.empty() ? out : section("files", "What was asked", out);
}

}  // namespace

std::string page(const PageHead& head, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'/>\n"
      "<meta name='viewport' content='width=device-width, initial-scale=1'/>\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n"
      "{5}</header>\n<main>\n{2}</main>\n<footer>\n<p>What the words mean: <code>gpufeed help "
      "glossary</code></p>\n<p>Made by gpufeed {3}:</p>\n<pre>{4}</pre>\n"
      "</footer>\n</body>\n</html>\n",
      escaped(head.title), style(), body + copies(head.files), escaped(head.version),
      escaped(head.command), head.date.empty() ? "" : element("p", head.date, "class='dim'"));
}

}  // namespace gpufeed::html
