// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "ui/cli/output.h"

namespace gpufeed::cli {

Options::Options(std::string verb, std::string summary, std::string example)
    : text_{std::move(verb), std::move(summary), std::move(example), {}, {}},
      app_(std::make_unique<CLI::App>()) {
  app_->set_help_flag();
  app_->allow_extras();
}

Options::~Options() = default;

Options& Options::add_operand(const std::string& name, const std::string& usage,
                              const std::string& help, Takes takes) {
  text_.usage += " " + usage;
  text_.options.push_back({name, {}, help, true, takes});
  return *this;
}

Options& Options::add_option(const std::string& name, const std::string& form,
                             const std::string& help, Takes takes) {
  text_.options.push_back({name, form, help, false, takes});
  names_.push_back(name);
  takes_[name] = takes;
  return *this;
}

Options& Options::operand(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value);
  return add_operand(name, name, help, Takes::a_value);
}

Options& Options::optional_operand(const std::string& name, std::string& value,
                                   const std::string& help) {
  app_->add_option(name, value);
  return add_operand(name, "[" + name + "]", help, Takes::perhaps_a_value);
}

Options& Options::operands(const std::string& name, std::vector<std::string>& values,
                           const std::string& help) {
  app_->add_option(name, values);
  return add_operand(name + "...", name + "...", help, Takes::values);
}

Options& Options::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value)->disable_flag_override();
  return add_option(name, "", help, Takes::nothing);
}

Options& Options::value(const std::string& name, const std::string& form,
                        std::optional<std::string>& value, const std::string& help) {
  app_->add_option(name, value);
  return add_option(name, form, help, Takes::a_value);
}

Options& Options::optional_value(const std::string& name, const std::string& form,
                                 std::optional<std::string>& value, const std::string& help) {
  app_->add_option_function<std::string>(name, [&](const std::string& text) { value = text; })
      ->expected(0, 1);
  return add_option(name, form, help, Takes::perhaps_a_value);
}

Options& Options::repeatable(const std::string& name, const std::string& form,
                             std::vector<std::string>& values, const std::string& help) {
  app_->add_option(name, values)->allow_extra_args(false);  // or it would swallow the operands
  return add_option(name, form, help, Takes::values);
}

UsageError Options::error(const std::string& message) const {
  return UsageError(fmt::format("gpufeed {}: {}", text_.verb, message));
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
  value("--limit-time", "TIME", limits_.time,
        "end with status 2 when this time has passed, such as 10min")
      .seldom();
  value("--limit-memory", "SIZE", limits_.memory,
        "end with status 2 when a process of it needs more memory, such as 2GiB")
      .seldom();
  flag("--help", help_wanted_, "print this (--help-all: every option, in full)");
  flag("--help-all", whole_help_wanted_, "print every option, in full").seldom();
  if (arguments == Arguments{kDescribe}) throw VerbText(text_);
  std::ranges::sort(names_);
  if (std::ranges::count(arguments, "-h") > 0 && !std::ranges::count(arguments, "--"))
    help_wanted_ = true;
  refuse_misused(arguments);
  try {
    app_->parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& other) {
    throw error(other.what());
  }
  if (help_wanted_ || whole_help_wanted_) {
    print(whole_help_wanted_ ? whole_help(text_) : short_help(text_));
    return false;
  }
  refuse_leftovers();
  set_limits(limits_, *this);
  return true;
}

}  // namespace gpufeed::cli
