// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/pytorch_program.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "calib/probes/child.h"
#include "calib/probes/codecs.h"
#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kNoProgram = 127;
constexpr int kFiles = 8;  ///< of each kind

struct Kind {
  ProbedCodec codec;
  bool as_stored;
  int width;
  int height;
  double detail;
};

/// Of npz, whose bytes are random, those that are handed on as stored.
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {ProbedCodec::jpeg, false, 160, 120, 0.1}, {ProbedCodec::jpeg, false, 320, 240, 0.5},
      {ProbedCodec::jpeg, false, 500, 375, 0.1}, {ProbedCodec::jpeg, false, 500, 375, 0.5},
      {ProbedCodec::jpeg, false, 800, 600, 0.2}, {ProbedCodec::jpeg, false, 1280, 960, 0.4},
      {ProbedCodec::png, false, 160, 120, 0.1},  {ProbedCodec::png, false, 320, 240, 0.5},
      {ProbedCodec::png, false, 500, 375, 0.1},  {ProbedCodec::png, false, 800, 600, 0.2},
      {ProbedCodec::npz, true, 48, 48, 0},       {ProbedCodec::npz, true, 160, 120, 0},
      {ProbedCodec::npz, true, 320, 240, 0},     {ProbedCodec::npz, true, 500, 375, 0},
      {ProbedCodec::npz, true, 1280, 960, 0}};
  return all;
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  if (!(out << text << std::flush))
    throw InputError({Problem{{file.string(), 0, 0},
                              fmt::format("cannot be written: {}", std::strerror(errno))}});
}

/// The files of a kind, and what the probe is to know of it.
Json make_files(const Kind& kind, const fs::path& folder) {
  const std::string codec = kind.as_stored ? "bytes" : name_of_codec(kind.codec);
  Json out{{"codec", codec},
           {"width", kind.width},
           {"height", kind.height},
           {"detail", kind.detail},
           {"files", Json::array()}};
  for (int i = 0; i < kFiles; ++i) {
    const fs::path file = folder / fmt::format("{}-{}-{}-{}", codec, kind.width, kind.detail, i);
    write(file, make_sample(kind.codec, kind.width, kind.height, kind.detail,
                            static_cast<std::uint64_t>(i) + 1));
    out["files"].push_back(file.string());
  }
  return out;
}

/// The last line of what it said, which in Python says what went wrong.
std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Runs a program of Python beside this one.
/// \param before, after  its arguments around the file that it writes
PytorchProbe run_probe(const std::string& python, const std::string& name, const fs::path& scratch,
                       const std::vector<std::string>& before,
                       const std::vector<std::string>& after) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path() / name;
  if (!fs::exists(program, error)) return {"", name + " is not beside this program"};
  const fs::path raw = scratch / (name + ".json");
  const fs::path said = scratch / (name + ".txt");
  std::vector<std::string> command{python, program.string()};
  command.insert(command.end(), before.begin(), before.end());
  command.push_back(raw.string());
  command.insert(command.end(), after.begin(), after.end());
  const int status = run_program(command, said.string());
  if (status == 0) return {content(raw), ""};
  if (status == kNoProgram) return {"", fmt::format("there is no program {}", python)};
  return {"", fmt::format("{}: {}", python, last_line(content(said)))};
}

}  // namespace

std::size_t pytorch_settings() {
  constexpr std::size_t kOfTheLoader = 9;
  constexpr std::size_t kTakings = 5;  // five kinds twice, half a time each
  return kinds().size() + kOfTheLoader + kTakings;
}

PytorchProbe measure_pytorch(const std::string& python, const fs::path& scratch, Seconds each) {
  Json plan{{"each_s", each.value}, {"kinds", Json::array()}};
  for (const Kind& kind : kinds()) plan["kinds"].push_back(make_files(kind, scratch));
  const fs::path asked = scratch / "pytorch-plan.json";
  write(asked, plan.dump());
  return run_probe(python, "gpufeed-pytorch-probe", scratch, {asked.string()}, {});
}

PytorchProbe measure_training(const std::string& python, const fs::path& scratch, Seconds time) {
  return run_probe(python, "gpufeed-training-probe", scratch, {},
                   {"--max-time", fmt::format("{:.0f}", time.value)});
}

PytorchProbe measure_transformer(const std::string& python, const fs::path& scratch, Seconds time) {
  return run_probe(python, "gpufeed-transformer-probe", scratch, {},
                   {"--max-time", fmt::format("{:.0f}", time.value)});
}

}  // namespace gpufeed
