// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "reports/writers/layout.h"
#include "ui/cli/output.h"

namespace gpufeed::cli {

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
  add_name(name, Takes::nothing);
}

void Options::value(const std::string& name, const std::string& form,
                    std::optional<std::string>& value, const std::string& help) {
  app_->add_option(name, value);
  lines_.push_back({name + " " + form, help});
  add_name(name, Takes::a_value);
}

void Options::optional_value(const std::string& name, const std::string& form,
                             std::optional<std::string>& value, const std::string& help) {
  app_->add_option_function<std::string>(name, [&](const std::string& text) { value = text; })
      ->expected(0, 1);
  lines_.push_back({fmt::format("{} [{}]", name, form), help});
  add_name(name, Takes::perhaps_a_value);
}

void Options::repeatable(const std::string& name, const std::string& form,
                         std::vector<std::string>& values, const std::string& help) {
  app_->add_option(name, values)->allow_extra_args(false);  // or it would swallow the operands
  lines_.push_back({name + " " + form, help});
  add_name(name, Takes::values);
}

UsageError Options::error(const std::string& message) const {
  return UsageError(fmt::format("gpufeed {}: {}", verb_, message));
}

void Options::add_name(const std::string& name, Takes takes) {
  names_.push_back(name);
  takes_[name] = takes;
}

void Options::refuse_misused(const Arguments& arguments) const {
  std::set<std::string> given;
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::size_t equals = std::min(arguments[i].find('='), arguments[i].size());
    const bool has_value = equals < arguments[i].size();
    const std::string name = arguments[i].substr(0, equals);
    if (name.starts_with("--") && equals + 1 == arguments[i].size())
      throw error(fmt::format("option \"{}\" needs a value after \"=\"", name));
    const auto known = takes_.find(name);
    if (known == takes_.end()) continue;
    const Takes takes = known->second;
    if (takes == Takes::nothing && has_value)
      throw error(fmt::format("option \"{}\" takes no value", name));
    const bool once = takes == Takes::a_value || takes == Takes::perhaps_a_value;
    if (once && !given.insert(name).second)
      throw error(fmt::format("option \"{}\" is given more than once", name));
    if (has_value || takes == Takes::nothing || takes == Takes::perhaps_a_value) continue;
    const bool is_last = i + 1 == arguments.size();
    if (is_last || takes_.contains(arguments[i + 1].substr(0, arguments[i + 1].find('='))))
      throw error(fmt::format("option \"{}\" needs a value", name));
    ++i;
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
  refuse_misused(arguments);
  try {
    app_->parse(Arguments(arguments.rbegin(), arguments.rend()));
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
