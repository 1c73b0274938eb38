// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#include "calib/probes/child.h"
#include "sim/base/diagnostics.h"
#include "ui/cli/completion.h"
#include "ui/cli/glossary.h"
#include "ui/cli/greeting.h"
#include "ui/cli/known_files.h"
#include "ui/cli/manual.h"
#include "ui/cli/output.h"
#include "ui/cli/problem_text.h"
#include "ui/cli/verb_table.h"

namespace gpufeed::cli {
namespace {

std::string help() {
  std::string out =
      "Usage: gpufeed VERB [ARGUMENT]...\n\n"
      "Says whether a machine's storage, CPUs and links keep its GPUs busy on a training job.\n\n";
  for (const auto& verb : verbs()) out += fmt::format("  {:<11}{}\n", verb.name, verb.summary);
  return out +
         "\n"
         "  --help         print this; gpufeed VERB --help explains a verb\n"
         "  --version      print the version\n"
         "  help glossary  print what the words of an answer mean\n"
         "  help VERB      print all that --help of a verb leaves out\n\n"
         "Example:\n"
         "  gpufeed new mine.toml && gpufeed simulate mine.toml\n\n"
         "Exit status: 0 good, 1 the answer is no, 2 the input is wrong, 3 the program is;\n"
         "interrupted: 128 and the number of the signal.\n";
}

bool on_a_terminal() { return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0; }

std::string verb_list() {
  std::string out;
  for (const Verb& verb : verbs()) out += fmt::format("{}\n", verb.name);
  return out;
}

const Verb& verb_called(const std::string& name) {
  const auto verb = std::ranges::find(verbs(), name, &Verb::name);
  if (verb != verbs().end()) return *verb;
  Names known;
  for (const auto& one : verbs()) known.emplace_back(one.name);
  throw UsageError(fmt::format("gpufeed: unknown verb \"{}\"; {}", name, suggestion(name, known)));
}

/// `gpufeed help WHAT [WHICH]`: words for people; what packages are made of; the help of a verb.
std::string help_about(const Arguments& topic) {
  const std::string which = topic.size() > 1 ? topic[1] : "";
  if (topic.empty()) return help();
  if (topic.front() == "glossary") return glossary();
  if (topic.front() == "verbs") return verb_list();
  if (topic.front() == "man")
    return which.empty() ? manual_of_program(PROJECT_VERSION)
                         : manual_of(verb_called(which), PROJECT_VERSION);
  if (topic.front() == "completion") {
    if (!std::ranges::count(completed_shells(), which))
      throw UsageError("gpufeed help completion: name a shell: bash, zsh or fish");
    return completion_for(which);
  }
  std::string out;
  for (const VerbText& text : texts_of(verb_called(topic.front())))
    out += (out.empty() ? "" : "\n") + whole_help(text);
  return out;
}

int run(const Arguments& arguments) {
  if (arguments.empty() && on_a_terminal()) {
    print(greeting());
    return kGood;
  }
  if (arguments.empty()) {
    complain(help());
    return kWrongInput;
  }
  const std::string& name = arguments.front();
  if (name == "--version") {
    print("gpufeed " PROJECT_VERSION "\n");
    return kGood;
  }
  if (name == "--help" || name == "-h" || name == "--help-all" || name == "help") {
    print(help_about({arguments.begin() + 1, arguments.end()}));
    return kGood;
  }
  if (!name.starts_with('-'))
    return verb_called(name).run({arguments.begin() + 1, arguments.end()});
  throw UsageError(fmt::format("gpufeed: unknown option \"{}\"; {}", name,
                               suggestion(name, {"--help", "--version"})));
}

constexpr const char* kNoMemory = "gpufeed: error: no memory is left\n";

/// \return the exit status
int told(const std::exception& error) {
  const auto* const failed = dynamic_cast<const std::system_error*>(&error);
  const bool no_thread =
      failed != nullptr && failed->code() == std::errc::resource_unavailable_try_again;
  const bool no_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;  // SQLite's
  if (no_thread || no_memory) end_where_memory_is_limited();
  if (no_memory) complain(kNoMemory);
  if (no_thread)
    complain("gpufeed: error: this machine gives no thread: " + failed->code().message() + "\n");
  if (no_thread || no_memory) return kWrongInput;
  complain(fmt::format("internal error: {}\n", error.what()));
  return kOurFault;
}

int guarded_run(const Arguments& arguments) {
  try {
    return run(arguments);
  } catch (const ReaderGone&) {
    return kGood;
  } catch (const Interrupted& interruption) {
    if (interruption.signal() == SIGALRM) end_where_time_is_up();
    complain(fmt::format("interrupted; {}\n", interruption.what()));
    return kSignaled + interruption.signal();
  } catch (const UsageError& error) {
    complain(std::string(error.what()) + "\n");
    return kWrongInput;
  } catch (const InputError& error) {
    complain(problem_text(error.problems()));
    if (arguments.front() != "check") complain(right_verbs(error.problems(), arguments));
    return kWrongInput;
  } catch (const std::exception& error) {
    return told(error);
  }
}

/// Before anything is made: whatever finds no memory, in any thread, says so and ends. What is
/// written takes its place when it is whole, so that nothing is left half done.
[[gnu::constructor(101)]] void end_where_memory_ends() {
  std::set_new_handler([] {
    remove_part_files();
    write_all(STDERR_FILENO, kNoMemory);
    _exit(kWrongInput);
  });
}

}  // namespace
}  // namespace gpufeed::cli

int main(int count, char** values) {
  // A reader that goes away early, such as head, ends us by an error code instead.
  signal(SIGPIPE, SIG_IGN);
  return gpufeed::cli::guarded_run({values + std::min(count, 1), values + count});
}
