// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reports/writers/layout.h"
#include "sim/base/diagnostics.h"
#include "sim/base/files/read_file.h"
#include "sim/base/printable.h"
#include "ui/cli/output.h"
#include "ui/cli/shipped_examples.h"
#include "ui/cli/verbs.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_at(const fs::path& place, const std::string& why) {
  throw InputError({{{place.string(), 0, 0}, why}});
}

/// The first line of `file` that begins with `mark`, without it; empty where there is none.
std::string line_after(const fs::path& file, const std::string& mark) {
  Diagnostics missing;
  const std::string text = read_text_file(file, kMaxTextSize, missing, ReadAs::own).value_or("");
  const std::size_t at = text.starts_with(mark) ? 0 : text.find("\n" + mark);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + mark.size() + (at == 0 ? 0 : 1);
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// A row for each: its number and the question that it answers.
std::string example_list() {
  std::string out;
  for (const auto& name : example_names())
    out += labeled("  " + name.substr(0, name.find('_')),
                   line_after(examples_folder() / name / "README.md", "# "), 6);
  if (out.empty()) refuse_at(examples_folder(), "there are no examples; install gpufeed again");
  return out + "\nNext: copy one into this folder, such as\n  gpufeed examples 6\n";
}

/// All of it, for its new owner to write.
void copy_example(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(to, error)))
    refuse_at(to, "is there already; nothing is overwritten: name another folder");
  fs::copy(from, to, fs::copy_options::recursive, error);
  if (error) {
    const std::string why = error.message();
    fs::remove_all(to, error);
    refuse_at(to, "cannot be written: " + why);
  }
  const auto writable = [&](const fs::path& path) {
    fs::permissions(path, fs::perms::owner_write, fs::perm_options::add, error);
  };
  writable(to);
  for (const auto& entry : fs::recursive_directory_iterator(to)) writable(entry.path());
}

std::string next_command(const fs::path& folder) {
  const std::string command = line_after(folder / "expected.txt", "$ gpufeed ");
  return fmt::format("Next: read README.md there, then\n  cd {}\n  gpufeed {}\n",
                     shell_word(folder.string()), command.empty() ? "sweep sweep.toml" : command);
}

}  // namespace

int examples_verb(const Arguments& arguments) {
  Options options(
      "examples",
      "Lists the examples that came with gpufeed, each a question with its scenarios; or "
      "copies one, to run and change. Never overwrites a file.",
      "gpufeed examples 6 my-cores");
  std::string which, folder;
  options.optional_operand("N", which, "copy this one: its number, or how its name begins");
  options.optional_operand("FOLDER", folder, "the new folder; default: its name, in this one");
  if (!options.parse(arguments)) return kGood;
  if (which.empty()) {
    print(example_list());
    return kGood;
  }
  const std::string name = choose_example(which, options);
  const fs::path to = folder.empty() ? fs::path(name) : fs::path(folder);
  copy_example(examples_folder() / name, to);
  print(fmt::format("{}: written, a copy of example {}. {}", to.string(), name, next_command(to)));
  return kGood;
}

}  // namespace gpufeed::cli
