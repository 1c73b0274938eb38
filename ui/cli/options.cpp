// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "reports/writers/layout.h"
#include "ui/cli/output.h"

namespace gpufeed::cli {

namespace {

/// CLI11 says "--json: 1 required TEXT missing", "--json: At Most 1 required but received 2" or
/// "defaults was given a disallowed flag override".
std::string in_our_words(const std::string& message) {
  const std::string name = message.substr(0, message.find_first_of(": "));
  if (message.find("flag override") != std::string::npos)
    return fmt::format("option \"--{}\" takes no value", name);
  return fmt::format(
      "option \"{}\" {}", name,
      message.find("received") != std::string::npos ? "is given more than once" : "needs a value");
}

}  // namespace

Options::Options(std::string verb, std::string summary, std::string example)
    : verb_(std::move(verb)),
      summary_(std::move(summary)),
      example_(std::move(example)),
      app_(std::make_unique<CLI::App>()) {
  app_->set_help_flag();
  app_->allow_extras();
}

Options::~Options() = default;

void Options::operand(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value);
  usage_ += " " + name;
  lines_.push_back({name, help});
}

void Options::optional_operand(const std::string& name, std::string& value,
                               const std::string& help) {
  app_->add_option(name, value);
  usage_ += " [" + name + "]";
  lines_.push_back({name, help});
}

void Options::operands(const std::string& name, std::vector<std::string>& values,
                       const std::string& help) {
  app_->add_option(name, values);
  usage_ += " " + name + "...";
  lines_.push_back({name + "...", help});
}

void Options::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value)->disable_flag_override();
  lines_.push_back({name, help});
  names_.push_back(name);
}

void Options::value(const std::string& name, const std::string& form,
                    std::optional<std::string>& value, const std::string& help) {
  app_->add_option(name, value);
  lines_.push_back({name + " " + form, help});
  names_.push_back(name);
}

void Options::optional_value(const std::string& name, const std::string& form,
                             std::optional<std::string>& value, const std::string& help) {
  app_->add_option_function<std::string>(name, [&](const std::string& text) { value = text; })
      ->expected(0, 1);
  lines_.push_back({fmt::format("{} [{}]", name, form), help});
  names_.push_back(name);
}

void Options::repeatable(const std::string& name, const std::string& form,
                         std::vector<std::string>& values, const std::string& help) {
  app_->add_option(name, values)->allow_extra_args(false);  // or it would swallow the operands
  lines_.push_back({name + " " + form, help});
  names_.push_back(name);
}

UsageError Options::error(const std::string& message) const {
  return UsageError(fmt::format("gpufeed {}: {}", verb_, message));
}

void Options::refuse_empty_values(const Arguments& arguments) const {
  for (const auto& argument : arguments) {
    if (argument == "--") return;
    // CLI11 would take the next argument for the value.
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1)
      throw error(fmt::format("option \"{}\" needs a value after \"=\"",
                              argument.substr(0, argument.size() - 1)));
  }
}

void Options::refuse_leftovers() const {
  for (const auto& extra : app_->remaining()) {
    if (extra == "--") continue;
    const std::string name = extra.substr(0, extra.find('='));
    if (name.size() > 1 && name.front() == '-')
      throw error(fmt::format("unknown option \"{}\"; {}", name, suggestion(name, names_)));
    throw error(fmt::format("\"{}\" is one argument too many", extra));
  }
}

bool Options::parse(const Arguments& arguments) {
  flag("--help", help_wanted_, "print this");
  std::ranges::sort(names_);
  if (std::ranges::count(arguments, "-h") > 0 && !std::ranges::count(arguments, "--"))
    help_wanted_ = true;
  refuse_empty_values(arguments);
  try {
    app_->parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ArgumentMismatch& mismatch) {
    throw error(in_our_words(mismatch.what()));
  } catch (const CLI::ParseError& other) {
    throw error(other.what());
  }
  if (help_wanted_) {
    print(help());
    return false;
  }
  refuse_leftovers();
  return true;
}

std::string Options::help() const {
  std::size_t width = 0;
  for (const auto& line : lines_) width = std::max(width, line.left.size() + 4);
  std::string out = fmt::format("Usage: gpufeed {}{} [OPTION]...\n\n", verb_, usage_);
  out += labeled("", summary_, 0) + "\n";
  for (const auto& line : lines_) out += labeled("  " + line.left, line.help, width);
  return out + fmt::format("\nExample:\n  {}\n", example_);
}

}  // namespace gpufeed::cli
