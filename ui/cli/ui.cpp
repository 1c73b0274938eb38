// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <string.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "calib/probes/child.h"
#include "sim/base/diagnostics.h"
#include "sim/base/files/own_program.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

/// The window's program, which lies beside this one; empty where it was not built.
fs::path window_program() {
  std::error_code unknown;
  const fs::path program = own_program().parent_path() / "gpufeed-ui";
  return fs::is_regular_file(program, unknown) ? program : fs::path();
}

void add_value(Arguments& arguments, const char* name, const std::optional<std::string>& value) {
  if (value) arguments.push_back(fmt::format("{}={}", name, *value));
}

/// Becomes the window's program. \return the error's number
int become(const fs::path& program, const Arguments& arguments) {
  std::vector<char*> values;
  for (const auto& argument : arguments) values.push_back(const_cast<char*>(argument.c_str()));
  values.push_back(nullptr);
  execv(program.c_str(), values.data());
  return errno;
}

[[noreturn]] void refuse_to_start(const fs::path& program, int error) {
  throw InputError(
      {{{program.string(), 0, 0}, fmt::format("cannot be started: {}", strerror(error))}});
}

int in_a_child(const fs::path& program, const Arguments& arguments) {
  constexpr int kNotStarted = 127;
  Child window([&] {
    become(program, arguments);
    return kNotStarted;
  });
  const int status = window.wait();
  if (status == kNotStarted) refuse_to_start(program, ENOEXEC);
  return status;
}

}  // namespace

int ui_verb(const Arguments& arguments) {
  Options options("ui",
                  "Opens a window in which a machine is put together and its answer seen at once; "
                  "or draws it into a picture, which needs no display.",
                  "gpufeed examples 1 mine && gpufeed ui mine/scenario.toml");
  std::string scenario;
  std::optional<std::string> screenshot, size, theme, scale, view, prices;
  std::vector<std::string> catalogs, sets, sweeps;
  options.optional_operand("SCENARIO", scenario, "the scenario to open");
  options.value("--screenshot", "FILE", screenshot, "write a picture (PNG) and open no window");
  options.value("--size", "WxH", size, "in pixels; default: 1600x1000").seldom();
  options.value("--theme", "NAME", theme, "dark, the default, or light").seldom();
  options.value("--scale", "N", scale, "of text and all else, 0.5 to 4; default: 1").seldom();
  options
      .value(
          "--view", "NAME", view,
          "of the picture: overview, timeline, what-if, sweep, find, compare (what --set changes "
          "with what was), explain, build, open, save, report, settings, numbers, keys, or the "
          "choice of "
          "another gpu, "
          "drive, cpu or nic")
      .seldom();
  options.repeatable("--set", "PATH=VALUE", sets,
                     "another value for one key, as an edit that can be undone");
  options
      .repeatable("--sweep", "PATH=VALUES", sweeps,
                  "begin with a sweep, such as loader.workers_per_gpu=1,2,4; a second one adds "
                  "lines to the chart")
      .seldom();
  options.repeatable("--catalog", "DIR", catalogs, kCatalogHelp).seldom();
  options.value("--prices", "FILE", prices, kPricesHelp).seldom();
  if (!options.parse(arguments)) return kGood;

  const fs::path program = window_program();
  if (program.empty())
    throw options.error(
        "this gpufeed was built without the window: gpufeed-ui is not beside it; install "
        "libimgui-dev, libglfw3-dev, libopengl-dev and libegl-dev, and build again");
  Arguments passed{program.string()};
  add_value(passed, "--screenshot", screenshot);
  add_value(passed, "--size", size);
  add_value(passed, "--theme", theme);
  add_value(passed, "--scale", scale);
  add_value(passed, "--view", view);
  for (const auto& folder : catalogs) add_value(passed, "--catalog", folder);
  for (const auto& set : sets) add_value(passed, "--set", set);
  for (const auto& sweep : sweeps) add_value(passed, "--sweep", sweep);
  add_value(passed, "--prices", prices);
  if (!scenario.empty()) {
    passed.emplace_back("--");
    passed.push_back(scenario);
  }
  if (options.limits().time) return in_a_child(program, passed);  // which this one then ends
  refuse_to_start(program, become(program, passed));
}

}  // namespace gpufeed::cli
