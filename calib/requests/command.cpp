// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "calib/requests/job_log.h"

namespace gpufeed {
namespace {

// What runs a program that is named behind it.
constexpr std::array<std::string_view, 9> kRunners{
    "python", "python3", "bash", "sh", "srun", "torchrun", "env", "mpirun", "Rscript"};

std::string_view last_part(std::string_view text, char apart) {
  const auto at = text.rfind(apart);
  return at == std::string_view::npos || at + 1 == text.size() ? text : text.substr(at + 1);
}

std::optional<double> number_of(std::string_view word) {
  double value = 0;
  const auto [rest, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (fault != std::errc{} || rest != word.data() + word.size()) return {};
  return value;
}

std::vector<std::string_view> words_of_command(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t=", at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

}  // namespace

ParsedCommand parse_command(std::string_view text) {
  ParsedCommand out;
  const auto words = words_of_command(text);
  if (words.size() < 2) {  // a name, not what one types
    out.command = text;
    out.program = last_part(last_part(text, '/'), ':');
    return out;
  }
  std::size_t unnamed = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out.command += i == 0 ? "" : " ";
    if (const auto number = number_of(words[i]); number && i > 0) {
      out.command += '#';
      const std::string name = words[i - 1].starts_with('-')
                                   ? std::string(words[i - 1])
                                   : "argument " + std::to_string(++unnamed);
      out.numbers.emplace_back(name, *number);
      continue;
    }
    out.command += words[i];
    const auto base = last_part(words[i], '/');
    if (out.program.empty() && !base.starts_with('-') && !std::ranges::count(kRunners, base))
      out.program = base;
  }
  if (out.program.empty()) out.program = last_part(words.front(), '/');
  return out;
}

std::string csv_of_job(std::string_view job) {
  std::string names, values;
  for (std::size_t at = 0; at <= job.size();) {
    const std::size_t end = std::min(job.find(',', at), job.size());
    const std::string_view one = job.substr(at, end - at);
    const std::size_t equals = std::min(one.find('='), one.size());
    names += (at == 0 ? "" : ",") + std::string(one.substr(0, equals));
    values += (at == 0 ? "" : ",") + std::string(one.substr(std::min(equals + 1, one.size())));
    at = end + 1;
  }
  return names + "\n" + values + "\n";
}

}  // namespace gpufeed
