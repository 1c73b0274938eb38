// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/shipped_examples.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

bool is_example(const fs::path& path) { return fs::exists(path / "README.md"); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_toml(const fs::path& path) { return path.extension() == ".toml"; }

Names example_names() { return names_in(examples_folder(), is_example); }

std::string choose(const std::string& wanted, const Names& known, const std::string& what,
                   const Options& options) {
  for (const std::string& whole : {wanted, wanted + ".toml"})
    if (std::ranges::count(known, whole)) return whole;
  Names found;
  std::ranges::copy_if(known, std::back_inserter(found), [&](const std::string& name) {
    return !wanted.empty() && name.starts_with(wanted);
  });
  if (found.size() == 1) return found.front();
  if (found.empty())
    throw options.error(
        fmt::format("no {} is called \"{}\"; {}", what, wanted, suggestion(wanted, known)));
  throw options.error(fmt::format("\"{}\" could be {}", wanted, fmt::join(found, " or ")));
}

std::string choose_example(const std::string& wanted, const Options& options) {
  const bool one_digit = wanted.size() == 1 && is_digit(wanted.front());
  return choose(one_digit ? "0" + wanted : wanted, example_names(), "example", options);
}

}  // namespace gpufeed::cli
