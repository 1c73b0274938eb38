// SPDX-License-Identifier: Apache-2.0
#include "ui/window/arguments.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "sim/base/diagnostics.h"
#include "sim/base/nearest.h"

namespace gpufeed::ui {
namespace {

const Names kOptions{"--screenshot", "--size",   "--theme", "--scale", "--view",
                     "--catalog",    "--prices", "--set",   "--sweep", "--probes"};
const Names kViews{"overview", "timeline", "data-path", "what-if", "sweep", "find",  "compare",
                   "explain",  "open",     "save",      "report",  "keys",  "build", "settings",
                   "numbers",  "gpu",      "drive",     "cpu",     "nic"};

[[noreturn]] void refuse(const std::string& option, const std::string& why) {
  throw InputError({{{option, 0, 0}, why}});
}

void take_size(const std::string& value, WindowArguments& out) {
  constexpr int kLeast = 320;
  constexpr int kMost = 8192;
  char rest = 0;
  const int found = std::sscanf(value.c_str(), "%dx%d%c", &out.width, &out.height, &rest);
  const auto fits = [](int pixels) { return pixels >= kLeast && pixels <= kMost; };
  if (found != 2 || !fits(out.width) || !fits(out.height))
    refuse("--size " + value, "expected WIDTHxHEIGHT from 320x320 to 8192x8192, such as 1600x1000");
}

void take_scale(const std::string& value, WindowArguments& out) {
  char rest = 0;
  float scale = 0;
  if (std::sscanf(value.c_str(), "%f%c", &scale, &rest) != 1 || !(scale >= 0.5F) || !(scale <= 4))
    refuse("--scale " + value, "expected a number from 0.5 to 4");
  out.scale = scale;
}

void take_word(const std::string& option, const std::string& value, const Names& words) {
  if (!std::ranges::count(words, value)) refuse(option + " " + value, suggestion(value, words));
}

void take(const std::string& name, const std::string& value, WindowArguments& out) {
  if (value.empty()) refuse(name, "needs a value");
  if (name == "--screenshot") out.screenshot = value;
  if (name == "--size") take_size(value, out);
  if (name == "--scale") take_scale(value, out);
  if (name == "--catalog") out.catalogs.push_back(value);
  if (name == "--prices") out.prices = value;
  if (name == "--probes") out.probes = value;
  if (name == "--set") out.sets.push_back(value);
  if (name == "--sweep") {
    constexpr std::size_t kMost = 2;
    if (value.find('=') == std::string::npos)
      refuse(name + " " + value, "expected PATH=VALUES, such as loader.workers_per_gpu=1,2,4");
    if (out.sweeps.size() == kMost) refuse(name, "a chart has at most two axes");
    out.sweeps.push_back(value);
  }
  if (name == "--theme") {
    take_word(name, value, {"dark", "light"});
    out.dark = value == "dark";
  }
  if (name == "--view") {
    take_word(name, value, kViews);
    out.view = value;
  }
}

}  // namespace

WindowArguments parse_arguments(const std::vector<std::string>& arguments) {
  WindowArguments out;
  bool options_end = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& one = arguments[i];
    if (one == "--" && !options_end) {
      options_end = true;
    } else if (!options_end && (one == "--help" || one == "-h")) {
      out.help = true;
    } else if (options_end || !one.starts_with("--")) {
      if (out.scenario) refuse(one, "this is one argument too many");
      out.scenario = one;
    } else {
      const std::size_t equals = std::min(one.find('='), one.size());
      const std::string name = one.substr(0, equals);
      if (!std::ranges::count(kOptions, name))
        refuse(name, "unknown option; " + suggestion(name, kOptions));
      const bool beside = equals == one.size();
      if (beside && i + 1 == arguments.size()) refuse(name, "needs a value");
      take(name, beside ? arguments[++i] : one.substr(equals + 1), out);
    }
  }
  return out;
}

std::string arguments_help() {
  return fmt::format(
      "gpufeed-ui [FILE] [OPTION...]   opens a scenario in a window, or draws one into a picture\n"
      "  --screenshot FILE.png   draw it there instead of opening a window\n"
      "  --size WIDTHxHEIGHT     of the window or picture; default: 1600x1000\n"
      "  --theme dark|light, --scale NUMBER (0.5 to 4)\n"
      "  --view NAME             what to show: {}\n"
      "  --set PATH=VALUE        an edit to begin with; again for another\n"
      "  --sweep PATH=VALUES     begin a sweep; again for a second axis\n"
      "  --catalog DIR           more products; again for another folder\n"
      "  --prices FILE.csv       your own quotes\n",
      fmt::join(kViews, ", "));
}

}  // namespace gpufeed::ui
