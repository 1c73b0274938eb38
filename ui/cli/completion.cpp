// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/cli/verb_table.h"

namespace gpufeed::cli {
namespace {

/// "-o,--output" as the two names it is.
Names names_of(const OptionText& option) {
  const std::size_t comma = option.name.find(',');
  if (comma == std::string::npos) return {option.name};
  return {option.name.substr(0, comma), option.name.substr(comma + 1)};
}

Names option_names(const VerbText& verb) {
  Names out;
  for (const auto& one : verb.options)
    if (!one.is_operand)
      for (const auto& name : names_of(one)) out.push_back(name);
  return out;
}

Names verb_names() {
  Names out{"help", "--help", "--version"};
  for (const Verb& verb : verbs()) out.emplace_back(verb.name);
  return out;
}

/// `text` between single quotes of a POSIX shell, or of fish, with `\` before each of `special`.
std::string quoted(std::string_view text, std::string_view special, const char* quote) {
  std::string out = "'";
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    if (c == '\'')
      out += quote;
    else
      out += c;
  }
  return out + "'";
}

std::string in_zsh(std::string_view text) { return quoted(text, "", "'\\''"); }
std::string in_fish(std::string_view text) { return quoted(text, "\\", "\\'"); }

/// As a description of _arguments, which gives some characters a meaning.
std::string zsh_words(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string bash_of(const Verb& verb) {
  const auto texts = texts_of(verb);
  if (verb.parts.empty())
    return fmt::format("    {}) words='{}' ;;\n", verb.name,
                       fmt::join(option_names(texts.front()), " "));
  std::string out = fmt::format(
      "    {})\n      ((COMP_CWORD == 2)) && parts='{}'\n      case ${{COMP_WORDS[2]}} in\n",
      verb.name, fmt::join(verb.parts, " "));
  for (std::size_t i = 0; i < texts.size(); ++i)
    out += fmt::format("        {}) words='{}' ;;\n", verb.parts[i],
                       fmt::join(option_names(texts[i]), " "));
  return out + "      esac ;;\n";
}

std::string bash() {
  std::string out =
      "# bash completion of gpufeed: complete -p gpufeed shows that it is there\n"
      "_gpufeed() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} words='' parts=''\n"
      "  if ((COMP_CWORD == 1)); then\n";
  out += fmt::format("    parts='{}'\n", fmt::join(verb_names(), " "));
  out += "  fi\n  case ${COMP_WORDS[1]} in\n";
  for (const Verb& verb : verbs()) out += bash_of(verb);
  return out +
         "  esac\n"
         "  if [[ -n $parts ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$parts\" -- \"$cur\")\n"
         "  elif [[ $cur == -* ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
         "  else\n"
         "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _gpufeed gpufeed\n";
}

std::string zsh_arguments(const VerbText& verb) {
  std::string out = "_arguments";
  for (const auto& one : verb.options) {
    if (one.is_operand) continue;
    const std::string help = fmt::format("[{}]", zsh_words(first_clause(one.help)));
    const std::string value = one.takes == Takes::nothing ? ""
                              : one.takes == Takes::perhaps_a_value
                                  ? fmt::format("::{}:_files", zsh_words(one.form))
                                  : fmt::format(":{}:_files", zsh_words(one.form));
    for (const auto& name : names_of(one))
      out += fmt::format(" \\\n      {}",
                         in_zsh(fmt::format("{}{}{}{}", one.takes == Takes::values ? "*" : "", name,
                                            help, value)));
  }
  return out + " \\\n      '*:file:_files'";
}

std::string zsh() {
  std::string out =
      "#compdef gpufeed\n_gpufeed() {\n  local -a known\n  if ((CURRENT == 2)); then\n"
      "    known=(\n";
  for (const Verb& verb : verbs())
    out +=
        fmt::format("      {}\n", in_zsh(fmt::format("{}:{}", verb.name, zsh_words(verb.summary))));
  out +=
      "    )\n    _describe verb known\n    return\n  fi\n"
      "  local verb=$words[2]\n  shift words\n  ((CURRENT--))\n  case $verb in\n";
  for (const Verb& verb : verbs()) {
    const auto texts = texts_of(verb);
    if (verb.parts.empty()) {
      out += fmt::format("  {})\n    {} ;;\n", verb.name, zsh_arguments(texts.front()));
      continue;
    }
    out += fmt::format(
        "  {})\n    if ((CURRENT == 2)); then compadd {}; return; fi\n"
        "    local part=$words[2]\n    shift words\n    ((CURRENT--))\n"
        "    case $part in\n",
        verb.name, fmt::join(verb.parts, " "));
    for (std::size_t i = 0; i < texts.size(); ++i)
      out += fmt::format("    {})\n    {} ;;\n", verb.parts[i], zsh_arguments(texts[i]));
    out += "    esac ;;\n";
  }
  return out + "  esac\n}\n_gpufeed \"$@\"\n";
}

std::string fish_option(const std::string& condition, const OptionText& one) {
  std::string out = fmt::format("complete -c gpufeed -n {}", in_fish(condition));
  for (const auto& name : names_of(one))
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  const bool value = one.takes == Takes::a_value || one.takes == Takes::values;
  return out + (value ? " -r" : "") + " -d " + in_fish(first_clause(one.help)) + "\n";
}

std::string fish() {
  std::string out = "# fish completion of gpufeed\n";
  for (const Verb& verb : verbs()) {
    const std::string seen = fmt::format("__fish_seen_subcommand_from {}", verb.name);
    out += fmt::format("complete -c gpufeed -f -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                       in_fish(verb.summary));
    const auto texts = texts_of(verb);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::string condition = seen;
      if (!verb.parts.empty()) {
        out += fmt::format("complete -c gpufeed -f -n {} -a {}\n",
                           in_fish(fmt::format("{}; and not __fish_seen_subcommand_from {}", seen,
                                               fmt::join(verb.parts, " "))),
                           verb.parts[i]);
        condition += "; and __fish_seen_subcommand_from " + verb.parts[i];
      }
      for (const auto& one : texts[i].options)
        if (!one.is_operand) out += fish_option(condition, one);
    }
  }
  return out;
}

}  // namespace

const Names& completed_shells() {
  static const Names kShells{"bash", "zsh", "fish"};
  return kShells;
}

std::string completion_for(const std::string& shell) {
  return shell == "bash" ? bash() : shell == "zsh" ? zsh() : fish();
}

}  // namespace gpufeed::cli
