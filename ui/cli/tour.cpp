// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "reports/writers/layout.h"
#include "sim/base/diagnostics.h"
#include "sim/base/files/read_file.h"
#include "ui/cli/output.h"
#include "ui/cli/verb_table.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

/// One stop: what to see, and the command that shows it, on the scenario of the tour.
struct Stop {
  const char* before;
  VerbFunction run;  ///< none: shows the scenario itself
  const char* verb;
  Arguments more;
};

const std::vector<Stop>& stops() {
  static const std::vector<Stop> kStops{
      {"A scenario is a short file: a machine, a job, and what is special about them. This one "
       "trains AlexNet, which computes little for each image, on eight GPUs of 2016.",
       nullptr,
       "",
       {}},
      {"How fast is that, and what holds it back? Read the job rate, then the table of stages from "
       "the arrow: the stage it points at is the bottleneck. Here processors cannot decode as "
       "fast as the GPUs compute, so that these wait. P10 to P90 says how sure that is.",
       simulate_verb,
       "simulate",
       {}},
      {"What would help? Every change of a setting and every part of the catalog that fits is "
       "tried; each comes with its gain, its price and the --set that does it.",
       whatif_verb,
       "whatif",
       {"--top", "2"}},
      {"Try one yourself: --set gives any key another value, without touching the file. The same "
       "machine trains ResNet-50, which computes more for each image, and no longer waits for "
       "data: whether storage and cores suffice depends on the job.",
       simulate_verb,
       "simulate",
       {"--set", "workload.model=resnet-50", "--set", "workload.batch_per_gpu=64"}}};
  return kStops;
}

/// \return whether to go on
bool wait_for_enter() {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return true;
  print("\nEnter goes on, q leaves: ");
  std::array<char, 64> typed{};
  const ssize_t got = read(STDIN_FILENO, typed.data(), typed.size());
  if (got <= 0) print("\n");
  return got > 0 && typed.front() != 'q';
}

std::string scenario_text(const fs::path& file) {
  Diagnostics problems;
  const auto text = read_text_file(file, kMaxTextSize, problems);
  problems.throw_if_any();
  return *text;
}

void show(const Stop& stop, const fs::path& scenario) {
  if (!stop.run) {
    print(fmt::format("\n$ cat {}\n{}", scenario.string(), scenario_text(scenario)));
    return;
  }
  Arguments arguments{scenario.string()};
  arguments.insert(arguments.end(), stop.more.begin(), stop.more.end());
  print("\n$ " + command_line(stop.verb, arguments) + "\n");
  stop.run(arguments);
}

constexpr const char* kEnd =
    "\nNow your own:\n"
    "  gpufeed new mine.toml          a scenario to edit, each key with its meaning\n"
    "  gpufeed discover -o here.toml  this machine, as system = \"here.toml\" of a scenario\n"
    "  gpufeed examples               more questions\n"
    "  gpufeed help glossary          what the words on the screen mean\n";

}  // namespace

int tour_verb(const Arguments& arguments) {
  Options options("tour",
                  "Walks through one example in two minutes: a scenario, its answer, what would "
                  "help, another job. Writes no file.",
                  "gpufeed tour");
  if (!options.parse(arguments)) return kGood;
  const fs::path scenario = examples_folder() / "06_how_many_cores" / "scenario.toml";
  std::size_t number = 0;
  for (const Stop& stop : stops()) {
    if (number > 0 && !wait_for_enter()) return kGood;
    ++number;
    print((number > 1 ? "\n" : "") +
          labeled(fmt::format("{} of {}  ", number, stops().size()), stop.before, 8));
    show(stop, scenario);
  }
  print(kEnd);
  return kGood;
}

}  // namespace gpufeed::cli
