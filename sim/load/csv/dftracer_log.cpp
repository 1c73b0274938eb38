// SPDX-License-Identifier: Apache-2.0
#include "sim/load/csv/dftracer_log.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "sim/load/csv/log_writer.h"

namespace gpufeed {
namespace {

/// What stands behind "key": in a line of JSON, without quotation marks; empty where it is not.
std::string value_of_key(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(fmt::format("\"{}\":", key));
  if (at == std::string_view::npos) return "";
  std::string_view rest = line.substr(at + key.size() + 3);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  if (!rest.starts_with('"')) return std::string(rest.substr(0, rest.find_first_of(",}] ")));
  rest.remove_prefix(1);
  const std::size_t end = rest.find('"');
  return end == std::string_view::npos ? "" : std::string(rest.substr(0, end));
}

template <class T>
std::optional<T> number_of_key(std::string_view line, std::string_view key) {
  const std::string text = value_of_key(line, key);
  T value{};
  const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || rest != text.data() + text.size()) return {};
  return value;
}

class DftracerReader {
 public:
  std::optional<std::string> read(std::string_view text) {
    name_files(text);
    for_each_line(text, [&](std::string_view line) { take(line); });
    return out_.csv();
  }

 private:
  template <class Take>
  static void for_each_line(std::string_view text, const Take& take) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      // a line without its end is cut: a number in it may be half a number
      if (text.substr(0, end).find('}') != std::string_view::npos) take(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  /// "name":"FH" ... "args":{"name":"/data/a","value":"f00"}, perhaps behind their first use.
  void name_files(std::string_view text) {
    for_each_line(text, [&](std::string_view line) {
      if (value_of_key(line, "name") != "FH") return;
      const std::size_t at = line.find("\"args\"");
      if (at == std::string_view::npos) return;
      files_[value_of_key(line.substr(at), "value")] = value_of_key(line.substr(at), "name");
    });
  }

  std::string file_of(std::string_view line) const {
    if (std::string name = value_of_key(line, "fname"); !name.empty()) return name;
    const auto named = files_.find(value_of_key(line, "fhash"));
    return named == files_.end() ? "" : named->second;
  }

  void take(std::string_view line) {
    if (value_of_key(line, "cat") != "POSIX") return;
    const std::string name = value_of_key(line, "name");
    const std::string file = file_of(line);
    const auto start = number_of_key<double>(line, "ts");
    if (file.empty() || !start) return;
    std::int64_t& next = next_[{value_of_key(line, "pid"), file}];
    static const std::set<std::string> kReads{"read",  "pread",  "pread64",
                                              "readv", "preadv", "fread"};
    static const std::set<std::string> kWrites{"write",  "pwrite",  "pwrite64",
                                               "writev", "pwritev", "fwrite"};
    if (name.starts_with("open") || name.starts_with("fopen")) next = 0;
    if (name.starts_with("lseek") || name.starts_with("fseek"))
      next = number_of_key<std::int64_t>(line, "ret").value_or(next);
    const bool writes = kWrites.contains(name);
    if (!writes && !kReads.contains(name)) return;
    auto bytes = number_of_key<std::int64_t>(line, "ret");
    for (const char* key : {"size", "size_sum", "count"})
      if (!bytes) bytes = number_of_key<std::int64_t>(line, key);
    if (!bytes || *bytes <= 0 || *bytes > (std::int64_t{1} << 50)) return;
    const auto told = number_of_key<std::int64_t>(line, "offset");
    const std::int64_t offset = told.value_or(next);
    constexpr double kMicro = 1e-6;
    out_.add(*start * kMicro, file, offset, *bytes, writes);
    if (!told && offset < (std::int64_t{1} << 60)) next = offset + *bytes;
  }

  LogWriter out_;
  std::map<std::string, std::string> files_;  ///< by hash
  std::map<std::pair<std::string, std::string>, std::int64_t> next_;
};

}  // namespace

std::optional<std::string> dftracer_csv(std::string_view text) {
  return DftracerReader().read(text);
}

}  // namespace gpufeed
