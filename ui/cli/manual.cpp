// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/manual.h"

#include <fmt/format.h>

namespace gpufeed::cli {
namespace {

/// `text` as it is, whatever roff takes its characters for.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool line_begins = out.empty() || out.back() == '\n';
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else
      out += c;
  }
  return out;
}

std::string manual_head(const std::string& name, std::string_view summary,
                        const std::string& version) {
  std::string title = name;
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format(".TH {} 1 \"\" \"gpufeed {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                     roff(title), version, roff(name), roff(summary));
}

/// Quotes inside an argument of a macro.
std::string in_quotes(std::string text) {
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 5)
    text.replace(at, 1, "\\(dq");
  return text;
}

std::string options_of(const VerbText& verb) {
  std::string out;
  for (const auto& one : verb.options)
    out += one.form.empty()
               ? fmt::format(".TP\n.B {}\n{}\n", roff(one.name), roff(one.help))
               : fmt::format(".TP\n.BI \"{} \" \"{}\"\n{}\n", roff(one.name),
                             in_quotes(roff(left_side(one).substr(one.name.size() + 1))),
                             roff(one.help));
  return out;
}

std::string example_of(const VerbText& verb) {
  return fmt::format(".nf\n{}\n.fi\n", roff(verb.example));
}

constexpr const char* kExit =
    ".SH EXIT STATUS\n.TP\n0\ngood\n.TP\n1\nthe answer is no\n.TP\n2\nthe input is wrong\n.TP\n3\n"
    "the program is wrong\n.PP\nInterrupted: 128 and the number of the signal.\n";

}  // namespace

std::string manual_of_program(const std::string& version) {
  std::string out =
      manual_head("gpufeed", "say whether a machine keeps its GPUs busy", version) +
      ".SH SYNOPSIS\n.B gpufeed\n.I VERB\n.RI [ ARGUMENT ]...\n.SH DESCRIPTION\n"
      "Simulates how training data travel from drives or a shared store over network, "
      "PCIe, CPU sockets and host memory to the GPUs, and says how fast a job trains, "
      "how long GPUs stand still and what holds them back.\n.SH VERBS\n";
  for (const Verb& verb : verbs())
    out += fmt::format(".TP\n.BR gpufeed\\-{} (1)\n{}\n", verb.name, roff(verb.summary));
  return out + kExit +
         ".SH EXAMPLE\n.nf\ngpufeed new mine.toml && gpufeed simulate mine.toml\n.fi\n"
         ".SH FILES\n.TP\n.I ~/.config/gpufeed/catalog\nyour own entries, as KIND/NAME.toml\n";
}

std::string manual_of(const Verb& verb, const std::string& version) {
  const std::vector<VerbText> texts = texts_of(verb);
  std::string synopsis, body, examples;
  for (const VerbText& text : texts) {
    synopsis += fmt::format("{}.B gpufeed {}\n{} [OPTION]...\n", synopsis.empty() ? "" : ".br\n",
                            text.verb, roff(text.usage.empty() ? "" : text.usage.substr(1)));
    body += texts.size() == 1
                ? fmt::format(".SH DESCRIPTION\n{}\n.SH OPTIONS\n", roff(text.summary))
                : fmt::format(".SH gpufeed {}\n{}\n", text.verb, roff(text.summary));
    body += options_of(text);
    examples += (examples.empty() ? "" : ".PP\n") + example_of(text);
  }
  return manual_head(fmt::format("gpufeed-{}", verb.name), verb.summary, version) +
         ".SH SYNOPSIS\n" + synopsis + body + ".SH EXAMPLE\n" + examples +
         ".SH SEE ALSO\n.BR gpufeed (1)\n";
}

}  // namespace gpufeed::cli
