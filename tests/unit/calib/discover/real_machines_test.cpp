// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "calib/discover/discover.h"
#include "calib/discover/live.h"
#include "calib/discover/system_toml.h"
#include "sim/base/labels/label_text.h"
#include "sim/load/load.h"
#include "sim/model/catalog/system.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

namespace fs = std::filesystem;

/// Files of real machines that are not part of this tree: hwloc's and NCCL plugins' test data.
std::vector<fs::path> machine_files() {
  const char* const named = std::getenv("GPUFEED_MACHINES");
  const fs::path folder = named ? named : GPUFEED_SOURCE_DIR "/../shared/reference/machines";
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::shared_ptr<const System> system_from(const FoundMachine& machine) {
  static const Recognizer recognizer(own_catalog());
  const TemporaryFolder folder;
  folder.write("machine.toml", system_of(machine, recognizer).toml);
  return parse_system("system = \"machine.toml\"\n", (folder / "test.toml").string(),
                      own_catalog());
}

const fs::path* named(const std::vector<fs::path>& files, const std::string& name) {
  const auto file =
      std::ranges::find(files, name, [](const fs::path& one) { return one.filename().string(); });
  return file == files.end() ? nullptr : &*file;
}

}  // namespace

TEST_CASE("every file of a real machine is a valid system, and graphs are refused by name") {
  const auto files = machine_files();
  if (files.empty()) MESSAGE("skipped: no machine files; GPUFEED_MACHINES=DIR names a folder");
  for (const fs::path& file : files) {
    CAPTURE(file.string());
    if (file.string().find("graph") != std::string::npos) {
      const std::string refusal = refusal_of([&] { machine_in(content(file), file.string()); });
      CHECK(refusal.find("this is an NCCL graph") != std::string::npos);
    } else {
      CHECK(!system_from(machine_in(content(file), file.string()))->sockets.empty());
    }
  }
}

TEST_CASE("a DGX-2 has sixteen GPUs, two behind each leaf switch, on six NVSwitch links") {
  const auto files = machine_files();
  const fs::path* const file = named(files, "nvidiaDGX2.xml");
  if (!file) {
    MESSAGE("skipped: nvidiaDGX2.xml is not there");
    return;
  }
  const auto system = system_from(machine_in(content(*file), file->string()));
  CHECK(system->gpus.size() == 16);
  CHECK(system->switches.size() == 12);  // of each socket: two roots of two leaves
  for (const auto& chip : system->switches) {
    const auto here =
        std::ranges::count_if(system->gpus, [&](const auto& gpu) { return gpu.at.id == chip.id; });
    CHECK((here == 0 || here == 2));
  }
  REQUIRE(system->nvswitches.size() == 1);
  CHECK(system->nvswitches[0].count == 6);
}

TEST_CASE("this machine, whatever it is, gives a valid system with its memory") {
  const FoundMachine machine = this_machine();
  const auto system = system_from(machine);
  REQUIRE(!system->sockets.empty());
  CHECK(machine.reserved_memory.value > 0);
  const FoundSocket& socket = machine.sockets.front();
  CHECK(socket.cores * threads_of_core() == socket.threads);
}
