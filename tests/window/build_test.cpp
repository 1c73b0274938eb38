// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "reports/writers/json.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/clicks.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

const std::string kExamples = GPUFEED_SOURCE_DIR "/examples";
const std::string kSearch = "search: words of the name, such as micron 7.68";
const std::string kKeySearch = "search: words of the key, such as prefetch";

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::ptrdiff_t copies_in(const std::filesystem::path& folder) {
  return std::ranges::count_if(std::filesystem::directory_iterator(folder), [](const auto& entry) {
    return entry.path().extension() == ".toml";
  });
}

/// As `gpufeed simulate --json` answers it, but for the program's version.
std::string answer_of(const std::filesystem::path& file) {
  Scenario scenario = load_scenario(file, own_catalog());
  scenario.run.timeline = true;
  Result result = simulate(scenario);
  result.scenario = to_toml(scenario);
  return to_json(result);
}

std::string shown_answer(const Session& session) {
  REQUIRE(session.standing() == Standing::current);
  Result result = *session.result();
  result.version.clear();
  return to_json(result);
}

void choose(Clicks& hands, const std::string& button, const std::string& search,
            const std::string& product) {
  hands.click(button);
  hands.type(kSearch, search);
  hands.app().finish_effects();  // what does not fit goes to the end of the list once it is known
  hands.frames(2);
  hands.click(product);
}

/// Types a value into the dialog of all settings.
void set(Clicks& hands, const std::string& path, const std::string& value) {
  hands.type(kKeySearch, path);
  hands.type(path, value);
}

/// The rows of a list from the top, those of products that are not in sight included.
std::vector<std::string> rows_of(const Clicks& hands) {
  std::vector<std::pair<float, std::string>> rows;
  for (const auto& name : own_catalog().names("drive"))
    if (hands.shows(name)) rows.emplace_back(hands.probes().at(name).middle().y, name);
  std::ranges::sort(rows);
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(row.second);
  return names;
}

}  // namespace

TEST_CASE("no row of a list moves away under the pointer") {
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/03_data_density/scenario_video_nvme.toml");
  hands.settle();
  hands.click("Change ssd0");
  const auto first = rows_of(hands);
  REQUIRE(first.size() > 20);
  ImGuiIO& io = ImGui::GetIO();
  const ImVec2 row = hands.at(first[2]).middle();
  for (const float step : {0.0F, 1.0F, 2.0F}) {  // that it moves is seen by the second frame
    io.MousePos = {row.x + step, row.y};
    hands.frames();
  }
  const auto pointed = rows_of(hands);
  hands.app().finish_effects();
  hands.frames(2);
  CHECK(rows_of(hands) == pointed);
  // Once it has left them, what does not fit is last: four of 1 TB cannot hold 5.9 TB of video.
  io.MousePos = {-FLT_MAX, -FLT_MAX};
  hands.frames(2);
  CHECK(rows_of(hands).back() == "wd-black-sn850x-1tb");
}

TEST_CASE("example 01 is built from nothing by clicks, and answered as the command line does") {
  Clicks hands(own_catalog(), kExamples);
  hands.settle();
  hands.click("New…");
  hands.click("Machines sold whole…");
  hands.type(kSearch, "dgx-1 p100");
  hands.click("nvidia-dgx1-p100");
  hands.settle();
  choose(hands, "Change workload.dataset", "imagenet 200kb", "imagenet-200kb-10m");
  hands.click("All settings…");
  set(hands, "title", "ResNet-50, local SSDs");
  set(hands, "workload.framework", "");
  set(hands, "workload.batch_per_gpu", "");
  set(hands, "workload.samples", "10000000");
  set(hands, "workload.compute",
      "[{ gpu = \"nvidia-p100-sxm2-16gb\", batch = 64, rate = \"192.75 samples/s\", "
      "includes = [\"exchange\", \"barrier\"], source = \"Pure Storage, Keep Those GPUs Busy "
      "(2017): DGX-1 with eight P100, ResNet-50, 1542 images/s\", basis = \"measured\" }]");
  set(hands, "store", "{ flashblade = { model = \"pure-flashblade-15-blade\", via = [\"ib*\"] } }");
  set(hands, "data.staging", "{ from = \"flashblade\", mode = \"before\", rate = \"617.3 MB/s\" }");
  hands.click("Close");
  hands.settle();
  for (const auto& problem : hands.session().problems()) MESSAGE(shown_line(problem));
  CHECK(shown_answer(hands.session()) ==
        answer_of(kExamples + "/01_local_or_shared/scenario.toml"));
}

TEST_CASE("a server of eight H200, eight drives and two 400G cards takes less than 25 actions") {
  const TemporaryFolder folder;
  Clicks hands(own_catalog(), kExamples);
  hands.settle();
  hands.click("New…");
  hands.type(kSearch, "supermicro 8125gs tnhr");
  hands.click("supermicro-as-8125gs-tnhr");
  hands.settle();
  choose(hands, "Change gpu 0", "h200 sxm", "nvidia-h200-sxm5-141gb");
  hands.type("count gpu 0", "8");
  choose(hands, "Change drives 0", "kioxia cm7 7.68", "kioxia-cm7-r-7.68tb");
  hands.type("count drives 0", "8");
  choose(hands, "Add cards…", "connectx-7 400g", "nvidia-connectx-7-ndr-400g");
  hands.click("more nics 0");
  hands.settle();
  CHECK(hands.actions() < 25);
  for (const auto& problem : hands.session().problems()) MESSAGE(shown_line(problem));
  REQUIRE(hands.session().standing() == Standing::current);
  const System& system = *hands.session().answered()->system;
  CHECK(system.gpus.size() == 8);
  CHECK(system.gpus.front().model.name == "nvidia-h200-sxm5-141gb");
  CHECK(system.drives.size() == 8);
  CHECK(system.nics.size() == 2);

  const std::string built = hands.session().text();
  CHECK(std::count(built.begin(), built.end(), '\n') < 22);  // the few lines that say it
  while (hands.session().can_undo()) hands.command(Command::undo);
  CHECK(hands.session().text() != built);
  while (hands.session().can_redo()) hands.command(Command::redo);
  CHECK(hands.session().text() == built);
  hands.settle();
  const std::string answer = shown_answer(hands.session());

  const std::string file = (folder / "server.toml").string();
  hands.click("Save…");
  hands.type("path of the file to write", file);
  hands.click("Save");
  hands.settle();
  CHECK(content(file) == built);
  hands.session().open(file);
  hands.settle();
  CHECK(shown_answer(hands.session()) == answer);
}

TEST_CASE("what does not fit is said with its reason, and one click mends it") {
  Clicks hands(own_catalog(), kExamples);
  hands.session().start(
      "schema = 1\n[system]\nchassis = \"supermicro-as-8125gs-tnhr\"\ncpu = \"2 x "
      "amd-epyc-9454\"\nmemory = \"768 GB\"\ngpu = \"10 x nvidia-h200-sxm5-141gb\"\ndrives = \"4 x "
      "kioxia-cm7-r-7.68tb\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
      "\"imagenet-1k\"\nbatch_per_gpu = 64\n[data]\nat = \"scratch\"\n",
      "new.toml");
  hands.settle();
  REQUIRE(hands.session().standing() == Standing::wrong);
  REQUIRE(!hands.session().repairs().empty());
  const std::string label = hands.session().repairs().front().label;
  CHECK(label.starts_with("Take 8 × "));
  hands.click(label);
  hands.settle();
  CHECK(hands.session().standing() == Standing::current);
  CHECK(hands.session().answered()->system->gpus.size() == 8);
}

TEST_CASE("the effect of a choice is known before it is made, and is what it turns out to be") {
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/01_local_or_shared/scenario.toml");
  hands.settle();
  hands.click("Change gpu0");
  hands.type(kSearch, "tesla v100 sxm2 16");
  hands.app().finish_effects();
  const auto effect = hands.app().effect_of("nvidia-v100-sxm2-16gb");
  REQUIRE(effect);
  REQUIRE(effect->answered);
  hands.click("nvidia-v100-sxm2-16gb");
  hands.settle();
  CHECK(hands.session().result()->job_samples_per_s == effect->samples_per_s);
  CHECK(hands.session().result()->price_USD == effect->price_USD);
}

TEST_CASE("a broken file gives the message of gpufeed check") {
  const TemporaryFolder folder;
  const auto file = folder.write("broken.toml",
                                 "system = \"nvidia-dgx1-p10\"\n[workload]\nmodel = \"resnet-50\"\n"
                                 "dataset = \"imagenet-1k\"\nbatch_per_gpu = 0\n");
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(file);
  hands.settle();
  std::string said;
  for (const auto& problem : hands.session().problems()) said += shown_line(problem) + "\n";
  try {
    load_scenario(file, own_catalog());
    FAIL("it is broken");
  } catch (const InputError& error) {
    CHECK(said == error.what());
  }
}

TEST_CASE("a setting that is out of range says so beside it, and is reset") {
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/01_local_or_shared/scenario.toml");
  hands.settle();
  const std::string before = hands.session().text();
  hands.click("All settings…");
  set(hands, "loader.prefetch_batches", "0");
  hands.settle();
  CHECK(problem_of("loader.prefetch_batches", hands.session().problems()).find("found 0") !=
        std::string::npos);
  hands.click("Reset loader.prefetch_batches");
  hands.settle();
  CHECK(hands.session().standing() == Standing::current);
  CHECK(hands.session().text().find("prefetch") == std::string::npos);
}

TEST_CASE("the command line that answers the scenario goes to the clipboard") {
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/01_local_or_shared/scenario.toml");
  hands.settle();
  hands.click("Copy command");
  CHECK(ImGui::GetClipboardText() ==
        "gpufeed simulate '" + kExamples + "/01_local_or_shared/scenario.toml'");
}

TEST_CASE(
    "the command line that is copied answers as the window does: with its catalogs and prices") {
  const TemporaryFolder folder;
  Clicks hands(own_catalog(), kExamples);
  hands.app().view().sources = {{"own parts", "/srv/more"}, "today's.csv"};
  hands.session().open(
      folder.write("mine.toml", content(kExamples + "/01_local_or_shared/scenario.toml")));
  hands.settle();
  hands.click("Copy command");
  const std::string here = std::filesystem::current_path().string();
  CHECK(ImGui::GetClipboardText() ==
        "gpufeed simulate '" + (folder / "mine.toml").string() + "' --catalog '" + here +
            "/own parts' --catalog '/srv/more' --prices '" + here + "/today'\\''s.csv'");
  hands.click("Report…");
  hands.type("path of the file to write", (folder / "page.html").string());
  hands.click("Save the report");
  CHECK(content(folder / "page.html").find("/srv/more") != std::string::npos);
}

TEST_CASE("edits survive a window that ends without being closed, and files are remembered") {
  const TemporaryFolder folder;
  const std::string file = kExamples + "/01_local_or_shared/scenario.toml";
  {
    Clicks hands(own_catalog(), kExamples);
    hands.app().keep_in(folder / "state");
    hands.session().open(file);
    hands.settle();
  }
  Keeping(folder / "state").note("/somewhere/mine.toml", "system = 1\n");  // and it crashed
  Clicks hands(own_catalog(), kExamples);
  hands.app().keep_in(folder / "state");
  hands.frames(4);
  CHECK(hands.shows(file));
  hands.click("Recover them");
  CHECK(hands.session().text() == "system = 1\n");
  CHECK(hands.session().file() == "/somewhere/mine.toml");
  CHECK(Keeping(folder / "state").left_behind().empty());
  hands.frames(4);
  CHECK(copies_in(folder / "state") == 1);
}

TEST_CASE("changes outlive another scenario that is opened, and a window that is closed") {
  const TemporaryFolder folder;
  const std::string file = kExamples + "/01_local_or_shared/scenario.toml";
  {
    Clicks hands(own_catalog(), kExamples);
    hands.app().keep_in(folder / "state");
    hands.session().open(file);
    hands.settle();
    hands.session().edit("nodes", "2");
    hands.settle();
    hands.session().open(kExamples + "/02_one_root_or_two/scenario.toml");
    hands.settle();
    const auto left = Keeping(folder / "state").left_behind();
    REQUIRE(left.size() == 1);
    CHECK(left.front().text.find("nodes = 2") != std::string::npos);
    CHECK(hands.app().view().message ==
          "Changes of scenario.toml were not saved; the next start offers them.");
    hands.session().edit("nodes", "3");
    hands.settle();
    CHECK(Keeping(folder / "state").left_behind().size() == 1);
  }
  const auto left = Keeping(folder / "state").left_behind();
  REQUIRE(left.size() == 2);
  CHECK((left[0].text + left[1].text).find("nodes = 3") != std::string::npos);
}

TEST_CASE("a count that is none is told, and changes nothing") {
  Clicks hands(own_catalog(), kExamples);
  hands.settle();
  hands.click("New…");
  hands.click("dell-r760xa");
  hands.settle();
  for (const char* wrong : {"several", "0", "5000", "2.5"}) {
    const std::string before = hands.session().text();
    hands.type("count gpu 0", wrong);
    CHECK(hands.session().text() == before);
    CHECK(hands.app().view().message ==
          "A count must be a whole number from 1 to 1024; found \"" + std::string(wrong) + "\"");
  }
}

TEST_CASE("a file with other contents is written over only when asked to once more") {
  const TemporaryFolder folder;
  folder.write("mine.toml", "# precious\n");
  folder.write("mine.html", "precious");
  Clicks hands(own_catalog(), kExamples);
  hands.session().open(kExamples + "/01_local_or_shared/scenario.toml");
  hands.settle();
  hands.click("Report…");
  hands.type("path of the file to write", (folder / "mine.html").string());
  hands.click("Save the report");
  CHECK(content(folder / "mine.html") == "precious");
  hands.click("Write over it");
  CHECK(content(folder / "mine.html").find("<html") != std::string::npos);
  hands.click("Save…");
  hands.type("path of the file to write", (folder / "mine.toml").string());
  hands.click("Save");
  CHECK(content(folder / "mine.toml") == "# precious\n");
  hands.click("Write over it");
  CHECK(content(folder / "mine.toml") == hands.session().text());
  hands.session().edit("nodes", "2");
  hands.settle();
  hands.click("Save…");
  hands.click("Save");  // its own file
  CHECK(content(folder / "mine.toml").find("nodes = 2") != std::string::npos);
}

TEST_CASE("the machine that the window runs on is described by one click") {
  Clicks hands(own_catalog(), GPUFEED_SOURCE_DIR "/examples");
  hands.frames();
  hands.click("Describe this machine");
  hands.settle();
  REQUIRE(hands.session().scenario());
  CHECK(hands.session().standing() == Standing::current);
  CHECK(!hands.session().scenario()->system->sockets.empty());
  CHECK(hands.session().text().find("[[system.socket]]") != std::string::npos);
  CHECK(hands.session().file() == "this_machine.toml");
}

}  // namespace gpufeed::ui
