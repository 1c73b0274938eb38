// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string_view>

#include "calib/probes/child.h"
#include "sim/base/diagnostics.h"
#include "ui/cli/glossary.h"
#include "ui/cli/known_files.h"
#include "ui/cli/output.h"
#include "ui/cli/problem_text.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

struct Verb {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Arguments&);
};

constexpr std::array kVerbs{
    Verb{"simulate", "say how fast scenarios train and what holds them back", simulate_verb},
    Verb{"ui", "open a window: put a machine together and see it work", ui_verb},
    Verb{"check", "say whether scenarios are good, and which keys they may have", check_verb},
    Verb{"new", "write a scenario to start from", new_verb},
    Verb{"catalog", "list and show the products, models and data sets known", catalog_verb},
    Verb{"dataset", "measure a folder of samples into a data set entry", dataset_verb},
    Verb{"import", "read others' files: DLIO (MLPerf Storage) workloads, access logs, config.json",
         import_verb},
    Verb{"discover", "describe this machine, or another's, as a system", discover_verb},
    Verb{"calibrate", "measure this machine, or fit a drive to what fio measured", calibrate_verb},
    Verb{"replay", "run a loader for real here, and hold the prediction against it", replay_verb},
    Verb{"observe", "watch a job that runs here, for simulate --observed", observe_verb},
    Verb{"anchor", "set the one number that a scenario leaves open by one measured run",
         anchor_verb},
    Verb{"compare", "put scenarios side by side: what differs, and what comes of it", compare_verb},
    Verb{"whatif", "try changes of a scenario: what each gives, costs and draws", whatif_verb},
    Verb{"recommend", "find the cheapest machine for a job, or the Pareto front, with proof",
         recommend_verb},
    Verb{"requests", "say what memory, time and GPUs jobs need, learned from a log of earlier ones",
         requests_verb},
    Verb{"sweep", "simulate a scenario for many values of its keys", sweep_verb},
    Verb{"merge", "join the shards of a sweep", merge_verb},
    Verb{"validate", "hold predictions against what was measured", validate_verb}};

std::string help() {
  std::string out =
      "Usage: gpufeed VERB [ARGUMENT]...\n\n"
      "Says whether a machine's storage, CPUs and links keep its GPUs busy on a training job.\n\n";
  for (const auto& verb : kVerbs) out += fmt::format("  {:<11}{}\n", verb.name, verb.summary);
  return out +
         "\n"
         "  --help         print this; gpufeed VERB --help explains a verb\n"
         "  --version      print the version\n"
         "  help glossary  print what the words of an answer mean\n\n"
         "Example:\n"
         "  gpufeed new mine.toml && gpufeed simulate mine.toml\n\n"
         "Exit status: 0 good, 1 the answer is no, 2 the input is wrong, 3 the program is;\n"
         "interrupted: 128 and the number of the signal.\n";
}

int run(const Arguments& arguments) {
  if (arguments.empty()) {
    complain(help());
    return kWrongInput;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help" || name == "--version") {
    const bool words = name != "--version" && arguments.size() > 1 && arguments[1] == "glossary";
    print(words ? glossary() : name == "--version" ? "gpufeed " PROJECT_VERSION "\n" : help());
    return kGood;
  }
  const auto verb = std::ranges::find(kVerbs, name, &Verb::name);
  if (verb != kVerbs.end()) return verb->run({arguments.begin() + 1, arguments.end()});
  Names known{"--help", "--version"};
  for (const auto& one : kVerbs) known.emplace_back(one.name);
  if (!name.starts_with('-')) known.erase(known.begin(), known.begin() + 2);
  throw UsageError(fmt::format("gpufeed: unknown {} \"{}\"; {}",
                               name.starts_with('-') ? "option" : "verb", name,
                               suggestion(name, known)));
}

int guarded_run(const Arguments& arguments) {
  try {
    return run(arguments);
  } catch (const ReaderGone&) {
    return kGood;
  } catch (const Interrupted& interruption) {
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
    complain(fmt::format("internal error: {}\n", error.what()));
    return kOurFault;
  }
}

}  // namespace
}  // namespace gpufeed::cli

int main(int count, char** values) {
  // A reader that goes away early, such as head, ends us by an error code instead.
  signal(SIGPIPE, SIG_IGN);
  return gpufeed::cli::guarded_run({values + std::min(count, 1), values + count});
}
