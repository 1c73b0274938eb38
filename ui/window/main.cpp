// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

#include "sim/base/files/run_files.h"
#include "sim/load/load.h"
#include "ui/places/places.h"
#include "ui/window/app.h"
#include "ui/window/arguments.h"
#include "ui/window/glfw_window.h"
#include "ui/window/offscreen.h"

namespace gpufeed::ui {
namespace {

constexpr int kWrongInput = 2;
constexpr int kOurFault = 3;

/// As if they had been typed in, after the answer to the scenario as it is.
void make_edits(App& app, const std::vector<std::string>& sets) {
  for (const auto& set : sets) {
    const Override edit = parse_override(set);
    app.finish();
    app.session().edit_words(edit.path, edit.value);
    if (!app.session().refusal().empty())
      throw InputError({{{edit.option, 0, 0}, app.session().refusal()}});
  }
}

void run(const std::vector<std::string>& words) {
  const WindowArguments arguments = parse_arguments(words);
  if (arguments.help) {
    fmt::print("{}", arguments_help());
    return;
  }
  if (arguments.screenshot)
    note_output("--screenshot " + *arguments.screenshot, *arguments.screenshot);
  App app(catalog_with(arguments.catalogs, arguments.prices), examples_folder(), wake_window);
  app.view().sources = {arguments.catalogs, arguments.prices};
  if (!arguments.screenshot) app.keep_in(state_folder());
  if (arguments.dark) app.view().dark = *arguments.dark;
  if (arguments.scale) app.view().scale = *arguments.scale;
  if (arguments.scenario) app.session().open(*arguments.scenario);
  if (arguments.view == "compare") {  // what the edits are compared with
    app.finish();
    app.carry_out(Command::pin);
  }
  make_edits(app, arguments.sets);
  if (!arguments.sweeps.empty()) {
    app.finish();
    app.sweep(arguments.sweeps);
  }
  if (!arguments.screenshot) {
    app.show(arguments.view);
    if (arguments.probes) app.write_probes(*arguments.probes);
    return run_window(app, arguments.width, arguments.height);
  }
  app.view().show_times = false;
  app.finish();
  refuse_read("--screenshot " + *arguments.screenshot, *arguments.screenshot);
  app.poll();  // begins advice
  app.adviser().finish();
  app.show(arguments.view);
  write_picture(app, arguments.width, arguments.height, *arguments.screenshot);
}

int guarded_run(const std::vector<std::string>& words) {
  try {
    run(words);
    return 0;
  } catch (const InputError& error) {
    fmt::print(stderr, "{}", error.what());
    return kWrongInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "internal error: {}\n", error.what());
    return kOurFault;
  }
}

}  // namespace
}  // namespace gpufeed::ui

int main(int count, char** values) {
  std::set_new_handler([] {
    constexpr std::string_view kSaid = "gpufeed-ui: error: no memory is left\n";
    const auto written = write(STDERR_FILENO, kSaid.data(), kSaid.size());
    _exit(written < 0 ? gpufeed::ui::kOurFault : gpufeed::ui::kWrongInput);
  });
  return gpufeed::ui::guarded_run({values + std::min(count, 1), values + count});
}
