// SPDX-License-Identifier: Apache-2.0
// What goes into discover comes out of it: each GPU, card, link, switch, drive and NUMA node of a
// text is in the machine, a question, or left out by name. Counted in the raw text by other means.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "calib/discover/report/report.h"
#include "calib/discover/system_toml.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/unit/calib/discover/raw_parts.h"

using namespace gpufeed;

namespace {

namespace fs = std::filesystem;

struct Sample {
  std::string name;
  std::string text;
};

void add_files(const fs::path& folder, std::vector<Sample>& samples) {
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    const bool machine = entry.path().extension() == ".xml" || name.starts_with("topo");
    if (machine && name.find("graph") == std::string::npos)
      samples.push_back({name, raw::content_of(entry.path())});
  }
}

/// Those of this tree, and files of real machines where they are there.
const std::vector<Sample>& samples() {
  static const std::vector<Sample> kAll = [] {
    std::vector<Sample> all;
    for (const auto& entry : fs::directory_iterator(GPUFEED_SOURCE_DIR "/tests/fuzz/machines"))
      all.push_back({entry.path().filename(), raw::content_of(entry.path())});
    const std::size_t own = all.size();
    if (const char* const named = std::getenv("GPUFEED_MACHINES")) add_files(named, all);
    for (const char* folder : {"/../shared/reference/machines", "/../shared/reference/faults_3"})
      add_files(GPUFEED_SOURCE_DIR + std::string(folder), all);
    if (all.size() == own) MESSAGE("only the samples of this tree: no files of real machines");
    std::ranges::sort(all, {}, &Sample::name);
    return all;
  }();
  return kAll;
}

FoundMachine machine_of(const std::string& text) { return machine_of_report({{"in.txt", text}}); }

bool says(const FoundMachine& machine, const std::string& words) {
  const auto has = [&](const std::string& one) { return one.find(words) != std::string::npos; };
  return std::ranges::any_of(machine.questions, has) || std::ranges::any_of(machine.left_out, has);
}

bool has_part(const FoundMachine& machine, const std::string& key) {
  const auto is_it = [&](const auto& part) { return part.bus == key; };
  return std::ranges::any_of(machine.devices, is_it) ||
         std::ranges::any_of(machine.switches, is_it) ||
         std::ranges::any_of(machine.devices,
                             [&](const FoundDevice& one) { return one.name == key; });
}

/// The functions of a card are its ports: as many as the raw text has behind one slot.
std::size_t ports_at(const FoundMachine& machine, const std::string& slot) {
  std::int64_t ports = 0;
  for (const FoundDevice& device : machine.devices)
    if (device.kind == FoundKind::nic && device.bus.starts_with(slot)) ports += device.ports;
  return static_cast<std::size_t>(ports);
}

void check_accounts(const raw::Parts& parts, const FoundMachine& machine) {
  for (const auto* keys : {&parts.gpus, &parts.switches, &parts.drives, &parts.named_cards})
    for (const std::string& key : *keys) {
      CAPTURE(key);
      CHECK((has_part(machine, key) || says(machine, key)));
    }
  for (const auto& card : parts.card_functions) {
    const auto& slot = card.first;
    const auto& functions = card.second;
    if (slot.empty()) continue;  // of a damaged text
    CAPTURE(slot);
    const std::size_t named = static_cast<std::size_t>(std::ranges::count_if(
        functions, [&](const std::string& one) { return says(machine, one); }));
    CHECK(ports_at(machine, slot) + named == functions.size());
  }
  std::size_t told = 0;  // links to what is not in the text
  for (const auto& [from, to] : parts.links)
    if (says(machine, from) || says(machine, to)) ++told;
  if (machine.nvswitches == 0) CHECK(machine.nvlinks.size() + told >= parts.links.size());
  std::int64_t nodes = 0;
  for (const FoundSocket& socket : machine.sockets)
    nodes += std::max<std::int64_t>(1, socket.numa_nodes);
  const auto left = std::ranges::count_if(machine.left_out, [](const std::string& one) {
    return one.find("NUMA node") != std::string::npos;
  });
  CHECK(nodes + left >= static_cast<std::int64_t>(parts.nodes));
}

/// Each part of a machine is one of the system, in it or asked for.
void check_written(const FoundMachine& machine) {
  static const Recognizer products(own_catalog());
  const SystemText system = system_of(machine, products);
  const auto controllers =
      std::ranges::count(machine.devices, FoundKind::disk_controller, &FoundDevice::kind);
  const std::size_t parts = machine.sockets.size() + machine.switches.size() +
                            machine.devices.size() - static_cast<std::size_t>(controllers);
  CHECK(system.parts.size() >= parts);
  CHECK(system.parts.size() <= parts + std::max<std::size_t>(1, machine.nvlinks.size()));
  for (const PartText& part : system.parts)
    if (part.state == PartState::asked) CHECK(!system.questions.empty());
  for (const std::string& one : machine.left_out)
    CHECK(std::ranges::count(system.left_out, one) > 0);
}

std::string replaced(std::string text, const std::string& old, const std::string& now) {
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + now.size()))
    text.replace(at, old.size(), now);
  return text;
}

std::string each_line(const std::string& text, const std::string& before,
                      const std::string& after = "") {
  std::string out;
  for (const std::string& line : raw::lines_of(text))
    out.append(before).append(line).append(after).append("\n");
  return out;
}

/// As terminals wrap.
std::string wrapped(const std::string& text, std::size_t width) {
  std::string out;
  for (const std::string& line : raw::lines_of(text))
    for (std::size_t at = 0; at == 0 || at < line.size(); at += width)
      out += line.substr(at, width) + "\n";
  return out;
}

std::string numbered(const std::string& text) {
  std::string out;
  int number = 0;
  for (const std::string& line : raw::lines_of(text))
    out += std::to_string(++number) + "\t" + line + "\n";
  return out;
}

std::string as_html(const std::string& text) {
  return replaced(replaced(replaced(replaced(text, "&", "&amp;"), "<", "&lt;"), ">", "&gt;"), "\"",
                  "&quot;");
}

std::string in_words(const FoundMachine& machine) {
  static const Recognizer products(own_catalog());
  std::string out;
  for (const PartText& part : system_of(machine, products).parts)
    out += part.id + " " + part.what + "\n";
  return out;
}

}  // namespace

TEST_CASE("parts of a text are in the machine, a question, or left out by name: both sides count") {
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    const FoundMachine machine = machine_of(sample.text);
    check_accounts(raw::parts_of(sample.text), machine);
    check_written(machine);
  }
}

TEST_CASE("what only frames a text changes no part of its machine") {
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    const std::string& text = sample.text;
    const std::string whole = in_words(machine_of(text));
    CHECK(in_words(machine_of(replaced(text, "\n", "\r\n"))) == whole);
    CHECK(in_words(machine_of("\xEF\xBB\xBF" + text)) == whole);
    CHECK(in_words(machine_of(each_line(text, "\x1b[32m", "\x1b[0m\x1b[K"))) == whole);
    CHECK(in_words(machine_of("root@node1:~# cat it\n" + text + "root@node1:~# \n")) == whole);
    CHECK(in_words(machine_of("<pre><code>" + as_html(text) + "</code></pre>\n")) == whole);
    CHECK(in_words(machine_of(each_line(text, "> "))) == whole);
    CHECK(in_words(machine_of(each_line(text, "0: "))) == whole);
    CHECK(in_words(machine_of(each_line(text, "    "))) == whole);
    CHECK(in_words(machine_of(each_line(text, "2026-01-02T03:04:05.678Z node1 "))) == whole);
    CHECK(in_words(machine_of(numbered(text))) == whole);
    CHECK(in_words(machine_of(replaced(text, "\n", "\n\n"))) == whole);
    if (sample.text.find('\t') == std::string::npos)  // a terminal shows tabs as spaces
      CHECK(in_words(machine_of(wrapped(text, 113))) == whole);
  }
}

TEST_CASE("a damaged text loses nothing without a word") {
  std::size_t refused = 0;
  std::size_t read = 0;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    const std::string& text = sample.text;
    const auto try_it = [&](const std::string& damaged) {
      try {
        const FoundMachine machine = machine_of(damaged);
        check_accounts(raw::parts_of(damaged), machine);
        check_written(machine);
        ++read;
      } catch (const InputError& error) {
        CHECK(!error.problems().empty());
        ++refused;
      }
    };
    for (std::size_t part = 1; part < 8; ++part) try_it(text.substr(0, text.size() * part / 8));
    for (std::size_t part = 1; part < 8; ++part) try_it(text.substr(text.size() * part / 8));
    try_it(replaced(text, "\t", " "));
    try_it(replaced(text, "GPU1", "GPUx"));
    try_it(replaced(text, "\tNV", "\tN/A"));
    try_it(replaced(text, "\tSYS", "\tN/A"));
    try_it(replaced(text, "SYS\tSYS", "SYSSYS"));
    try_it(replaced(text, "\"0x030200\"", "\"\""));
    try_it(replaced(text, "busid", "bus"));
    try_it(replaced(text, "[10de:", "[1002:"));
  }
  CHECK(read > 0);
  CHECK(refused > 0);
}

TEST_CASE("devices of a matrix hang on the sockets that another program told") {
  const std::string matrix =
      "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\n"
      "GPU0\t X \tNV12\tPXB\t0-1\t0\nGPU1\tNV12\t X \tSYS\t2-3\t1\nNIC0\tPXB\tSYS\t X \n";
  const auto package = [](const char* cpus) {
    return "<object type=\"Package\" cpuset=\"" + std::string(cpus) +
           "\"><object type=\"Core\"><object type=\"PU\"/></object><object type=\"Core\"><object "
           "type=\"PU\"/></object></object>";
  };
  const FoundMachine machine =
      machine_of("<topology version=\"2.0\"><object type=\"Machine\" cpuset=\"0xf\">" +
                 package("0x3") + package("0xc") + "</object></topology>\n" + matrix);
  check_accounts(raw::parts_of(matrix), machine);
  REQUIRE(machine.sockets.size() == 2);
  REQUIRE(machine.devices.size() == 3);
  CHECK(machine.devices[1].at.socket == 1);
  CHECK(machine.devices[0].at.on_switch == machine.devices[2].at.on_switch);
  CHECK(machine.nvlinks.size() == 1);
}

TEST_CASE("what is larger than any machine is refused") {
  const auto many = [](const std::string& before, const std::string& one, std::size_t count,
                       const std::string& after) {
    std::string text = before;
    for (std::size_t i = 0; i < count; ++i) text += one;
    return text + after;
  };
  const auto refusal = [](const std::string& text) {
    return refusal_of([&] { machine_of(text); });
  };
  constexpr std::size_t kMany = 200000;
  CHECK(refusal(many("<topology version=\"2.0\"><object type=\"Machine\">",
                     "<object type=\"Package\"/>\n", kMany, "</object></topology>"))
            .find("more than 50000 elements") != std::string::npos);
  CHECK(refusal(many("<system>", "<cpu numaid=\"0\" affinity=\"1\"/>\n", kMany, "</system>"))
            .find("more than 50000 elements") != std::string::npos);
  CHECK(refusal(many("<system>", "<cpu numaid=\"0\" affinity=\"1\"/>\n", 2000, "</system>"))
            .find("more than 1024 processors") != std::string::npos);
  CHECK(refusal(
            many("<system><cpu numaid=\"0\" affinity=\"1\">", "<nic/>\n", 5000, "</cpu></system>"))
            .find("more than 4096 devices") != std::string::npos);
  std::string rows = "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tSYS\t0\n";
  for (std::size_t i = 0; i < 2000; ++i) rows += "NIC" + std::to_string(i) + "\tSYS\tSYS\n";
  CHECK(refusal(rows).find("more than 1024 devices") != std::string::npos);
}
