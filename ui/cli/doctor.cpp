// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "calib/probes/memory_cgroup.h"
#include "reports/writers/layout.h"
#include "sim/base/diagnostics.h"
#include "sim/base/files/own_program.h"
#include "sim/engine/engine.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

/// Something that a part of gpufeed needs.
struct Finding {
  std::string what;
  std::string lacks;  ///< empty where it is there; else why not
  std::string serves;
  std::string remedy;  ///< how to get it
};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

bool in_path(const char* program) {
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((fs::path(folder.empty() ? "." : folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

bool is_there(const fs::path& file) {
  std::error_code unknown;
  return fs::exists(file, unknown);
}

bool beside_program(const char* name) { return is_there(own_program().parent_path() / name); }

std::string unless(bool there, const char* lacks) { return there ? "" : lacks; }

Finding program(const char* name, const char* serves, const char* package) {
  return {name, unless(in_path(name), "not in PATH"), serves,
          fmt::format("apt install {} (Debian's name)", package)};
}

/// Why `attempt` fails; empty where it does not.
template <class Attempt>
std::string failure(const Attempt& attempt) {
  try {
    attempt();
  } catch (const InputError& error) {
    return sentence(error.problems().front());
  }
  return "";
}

std::string without_cgroup() {
  constexpr Bytes kLittle{1 << 20};
  return failure([&] { const MemoryCgroup group(kLittle); });
}

std::string without_torch() {
  if (!in_path("python3")) return "there is no python3 in PATH";
  const int status = std::system(
      "python3 -c 'import importlib.util as u; raise SystemExit(not u.find_spec(\"torch\"))' "
      ">/dev/null 2>&1");
  return unless(status == 0, "python3 has no module torch");
}

std::vector<Finding> look() {
  const bool display = !variable("DISPLAY").empty() || !variable("WAYLAND_DISPLAY").empty();
  return {{"catalog, examples", unless(!names_in(examples_folder(), is_there).empty(), "not found"),
           "every answer", "install gpufeed again"},
          {"SimGrid", failure(require_simgrid), "--engine simgrid, the reference",
           "apt install libsimgrid-dev (Debian's name), and build gpufeed again"},
          {"window", unless(beside_program("gpufeed-ui"), "gpufeed-ui is not beside this program"),
           "gpufeed ui",
           "install the package gpufeed-ui; or libimgui-dev, libglfw3-dev, libopengl-dev and "
           "libegl-dev, and build again"},
          {"display", unless(display, "neither DISPLAY nor WAYLAND_DISPLAY is set"), "gpufeed ui",
           "log in by ssh -X; or gpufeed ui --screenshot picture.png, which needs none"},
          program("fio", "gpufeed calibrate --io, which measures drives", "fio"),
          {"memory cgroup", without_cgroup(), "gpufeed calibrate --page-cache",
           "run it as root, or below systemd-run --user --scope -p Delegate=yes"},
          {"NVIDIA's driver", unless(is_there("/proc/driver/nvidia/version"), "not loaded"),
           "gpufeed observe, which sees how busy GPUs are",
           "install the driver of your GPUs; answers need none"},
          {"probes of GPUs", unless(beside_program("gpufeed-gpu-probe"), "built without CUDA"),
           "gpufeed calibrate --gpu", "install CUDA (nvcc), and build gpufeed again"},
          {"PyTorch", without_torch(), "gpufeed calibrate --pytorch and --training",
           "apt install python3-torch (Debian's name); or --python PROGRAM, one that has it"},
          program("sbatch", "gpufeed sweep --submit slurm", "slurm-client")};
}

std::string finding_text(const Finding& found) {
  constexpr std::size_t kIndent = 28;
  const bool has = found.lacks.empty();
  std::string out =
      labeled(fmt::format("  {:<7}{}", has ? "has" : "lacks", found.what), found.serves, kIndent);
  if (!has) out += labeled("", found.lacks + "; to get it: " + found.remedy, kIndent);
  return out;
}

}  // namespace

int doctor_verb(const Arguments& arguments) {
  Options options(
      "doctor",
      "Says which optional parts of gpufeed work on this machine, what the others lack, "
      "and how to get it. Simulating needs none of them.",
      "gpufeed doctor");
  if (!options.parse(arguments)) return kGood;
  std::string out;
  const std::vector<Finding> all = look();
  for (const Finding& found : all) out += finding_text(found);
  const auto there = std::ranges::count_if(all, [](const auto& one) { return one.lacks.empty(); });
  print(out + fmt::format("\n{} of {} are there. Simulating needs the first alone.\n", there,
                          all.size()));
  return kGood;
}

}  // namespace gpufeed::cli
