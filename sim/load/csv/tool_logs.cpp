// SPDX-License-Identifier: Apache-2.0
#include "sim/load/csv/tool_logs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/load/csv/dftracer_log.h"
#include "sim/load/csv/log_writer.h"

namespace gpufeed {
namespace {

using Texts = std::vector<std::string_view>;

Texts texts_of(std::string_view line) {
  Texts out;
  for (std::size_t at = line.find_first_not_of(" \t\r"); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    out.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t\r", end);
  }
  return out;
}

template <class T>
std::optional<T> number_of(std::string_view text) {
  T value{};
  const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || rest != text.data() + text.size()) return {};
  return value;
}

template <class Take>
void for_each_line(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// "12:34:56.789012", or seconds since 1970 with a point.
std::optional<double> clock_in(std::string_view text) {
  if (text.size() > 8 && text[2] == ':' && text[5] == ':') {
    const auto hours = number_of<int>(text.substr(0, 2));
    const auto minutes = number_of<int>(text.substr(3, 2));
    const auto seconds = number_of<double>(text.substr(6));
    if (hours && minutes && seconds) return *hours * 3600.0 + *minutes * 60.0 + *seconds;
    return {};
  }
  return text.find('.') == std::string_view::npos ? std::nullopt : number_of<double>(text);
}

class StraceReader {
 public:
  std::optional<std::string> read(std::string_view text) {
    for_each_line(text, [&](std::string_view line) { take(line); });
    return calls_ > 0 ? out_.csv() : std::nullopt;
  }

 private:
  struct OpenFile {
    std::string name;
    std::int64_t offset = 0;
  };

  void take(std::string_view line) {
    std::string_view rest = line;
    std::int64_t process = 0;
    Texts words = texts_of(line.substr(0, 80));
    if (!words.empty() && words[0] == "[pid" && words.size() > 1) {
      process = number_of<std::int64_t>(words[1].substr(0, words[1].find(']'))).value_or(0);
      words.erase(words.begin(), words.begin() + 2);
    } else if (words.size() > 1 && number_of<std::int64_t>(words[0])) {
      process = *number_of<std::int64_t>(words[0]);
      words.erase(words.begin());
    }
    if (words.size() < 2) return;
    const auto clock = clock_in(words[0]);
    if (!clock) return;
    rest = line.substr(static_cast<std::size_t>(words[1].data() - line.data()));
    const double time = on_day(*clock);
    constexpr std::string_view kUnfinished = " <unfinished ...>";
    if (const auto cut = rest.rfind(kUnfinished); cut != std::string_view::npos) {
      begun_[process] = rest.substr(0, cut);
      return;
    }
    if (rest.starts_with("<... ")) {
      const std::size_t end = rest.find("resumed>");
      const auto begun = begun_.find(process);
      if (end == std::string_view::npos || begun == begun_.end()) return;
      const std::string whole = begun->second + std::string(rest.substr(end + 8));
      begun_.erase(begun);
      return call(process, time, whole);
    }
    call(process, time, rest);
  }

  /// Clocks without a date start anew at midnight.
  double on_day(double clock) {
    constexpr double kDay = 86400;
    if (clock + days_ * kDay < last_ - kDay / 2) days_ += 1;
    last_ = clock + days_ * kDay;
    return last_;
  }

  void call(std::int64_t process, double time, std::string_view text) {
    const std::size_t open = text.find('(');
    const std::size_t equals = text.rfind(" = ");
    if (open == std::string_view::npos || equals == std::string_view::npos || equals < open) return;
    const std::string_view name = text.substr(0, open);
    const std::string_view arguments = text.substr(open + 1, equals - open - 1);
    const std::string_view result = text.substr(equals + 3);
    const auto returned = number_of<std::int64_t>(result.substr(0, result.find_first_of(" <")));
    if (!returned || *returned < 0) return;
    if (name == "open" || name == "openat" || name == "creat")
      return opened(process, arguments, *returned);
    const std::int64_t file = file_in(process, arguments);
    if (file < 0) return;
    if (name == "close") {
      files_.erase({process, file});
      return;
    }
    ++calls_;
    OpenFile* const one = find(process, file);
    if (!one) return;
    if (name == "lseek" || name == "_llseek") one->offset = *returned;
    const bool reads = name == "read" || name == "readv";
    const bool writes = name == "write" || name == "writev";
    const bool at = name.starts_with("pread") || name.starts_with("pwrite");
    if (reads || writes) {
      out_.add(time, one->name, one->offset, *returned, writes);
      one->offset += *returned;
    } else if (at) {
      const bool vector2 = name.ends_with("v2");  // flags stand last
      out_.add(time, one->name, number_at_end(arguments, vector2 ? 1 : 0), *returned,
               name.starts_with("pwrite"));
    }
  }

  /// The last number of the arguments, or the one before it.
  static std::int64_t number_at_end(std::string_view arguments, int skipped) {
    if (arguments.ends_with(')')) arguments.remove_suffix(1);
    for (; skipped > 0; --skipped) arguments = arguments.substr(0, arguments.rfind(','));
    const std::size_t comma = arguments.rfind(", ");
    if (comma == std::string_view::npos) return -1;
    return number_of<std::int64_t>(arguments.substr(comma + 2)).value_or(-1);
  }

  void opened(std::int64_t process, std::string_view arguments, std::int64_t file) {
    const std::size_t first = arguments.find('"');
    const std::size_t last = arguments.find('"', first == std::string_view::npos ? 0 : first + 1);
    if (first == std::string_view::npos || last == std::string_view::npos) return;
    files_[{process, file}] = {std::string(arguments.substr(first + 1, last - first - 1)), 0};
    ++calls_;
  }

  /// "3</data/a>, ..." of -y also names the file.
  std::int64_t file_in(std::int64_t process, std::string_view arguments) {
    const std::size_t end = arguments.find_first_of(",<)");
    const auto file = number_of<std::int64_t>(arguments.substr(0, end));
    if (!file) return -1;
    if (end < arguments.size() && arguments[end] == '<') {
      const std::size_t close = arguments.find('>', end);
      if (close != std::string_view::npos && arguments[end + 1] == '/')
        files_.try_emplace({process, *file},
                           OpenFile{std::string(arguments.substr(end + 1, close - end - 1)), 0});
    }
    return *file;
  }

  /// Threads share files: one that another of them opened counts too.
  OpenFile* find(std::int64_t process, std::int64_t file) {
    auto found = files_.find({process, file});
    if (found == files_.end())
      found =
          std::ranges::find_if(files_, [&](const auto& one) { return one.first.second == file; });
    if (found == files_.end()) return nullptr;
    for (const char* const of : {"/dev/", "/proc/", "/sys/"})
      if (found->second.name.starts_with(of)) return nullptr;
    return &found->second;
  }

  LogWriter out_;
  std::map<std::pair<std::int64_t, std::int64_t>, OpenFile> files_;
  std::map<std::int64_t, std::string> begun_;
  std::int64_t calls_ = 0;
  double days_ = 0;
  double last_ = 0;
};

constexpr std::int64_t kSector = 512;

/// "  8,0    3        1     0.000000000   697  D   W 223490 + 8 [kjournald]".
std::optional<std::string> blkparse_csv(std::string_view text) {
  LogWriter issued;
  LogWriter queued;
  for_each_line(text, [&](std::string_view line) {
    const Texts words = texts_of(line);
    if (words.size() < 10 || words[8] != "+" || words[0].find(',') == std::string_view::npos)
      return;
    const auto time = number_of<double>(words[3]);
    const auto sector = number_of<std::int64_t>(words[7]);
    const auto count = number_of<std::int64_t>(words[9]);
    if (!time || !sector || !count || *sector > (std::int64_t{1} << 50) || *count > (1 << 24))
      return;
    const bool writes = words[6].find('W') != std::string_view::npos;
    if (!writes && words[6].find('R') == std::string_view::npos) return;  // discards, barriers
    if (words[5] == "D") issued.add(*time, words[0], *sector * kSector, *count * kSector, writes);
    if (words[5] == "Q") queued.add(*time, words[0], *sector * kSector, *count * kSector, writes);
  });
  return issued.csv() ? issued.csv() : queued.csv();
}

/// "TIME(s)  COMM  PID  DISK  T SECTOR  BYTES  LAT(ms)"; the command may hold spaces.
std::optional<std::string> biosnoop_csv(std::string_view text) {
  LogWriter out;
  std::map<std::string_view, std::size_t> from_end;
  for_each_line(text, [&](std::string_view line) {
    const Texts words = texts_of(line);
    if (!words.empty() && words[0].starts_with("TIME")) {
      for (std::size_t i = 0; i < words.size(); ++i) from_end[words[i]] = words.size() - i;
      return;
    }
    const auto word = [&](std::string_view name) -> std::string_view {
      const auto found = from_end.find(name);
      return found == from_end.end() || found->second > words.size()
                 ? std::string_view()
                 : words[words.size() - found->second];
    };
    if (!from_end.contains("DISK") || words.empty()) return;
    const auto time = number_of<double>(words[0]);
    const auto sector = number_of<std::int64_t>(word("SECTOR"));
    const auto bytes = number_of<std::int64_t>(word("BYTES"));
    if (!time || !sector || !bytes || *sector > (std::int64_t{1} << 50)) return;
    out.add(*time, word("DISK"), *sector * kSector, *bytes, word("T").starts_with('W'));
  });
  return out.csv();
}

/// "# DXT, file_id: 1, file_name: /data/a" and " X_POSIX 0 read 0 0 1048576 0.0123 0.0130".
std::optional<std::string> dxt_csv(std::string_view text) {
  std::array<LogWriter, 2> out;
  std::string file;
  for_each_line(text, [&](std::string_view line) {
    constexpr std::string_view kName = "file_name: ";
    if (const auto at = line.find(kName); line.starts_with("# DXT") && at != std::string_view::npos)
      file = line.substr(at + kName.size());
    const Texts words = texts_of(line);
    if (words.size() < 8 || (words[0] != "X_POSIX" && words[0] != "X_MPIIO")) return;
    const auto offset = number_of<std::int64_t>(words[4]);
    const auto length = number_of<std::int64_t>(words[5]);
    const auto start = number_of<double>(words[6]);
    if (offset && length && start)
      out.at(words[0] == "X_POSIX" ? 0 : 1)
          .add(*start, file, *offset, *length, words[2] == "write");
  });
  return out[0].csv() ? out[0].csv() : out[1].csv();
}

}  // namespace

std::optional<std::string> csv_of_tool_log(std::string_view text) {
  const std::string_view begin = text.substr(0, 65536);
  const auto has = [&](std::string_view part) {
    return begin.find(part) != std::string_view::npos;
  };
  if (has("\"ph\"") && has("\"cat\"")) return dftracer_csv(text);
  if (has("X_POSIX") || has("# DXT")) return dxt_csv(text);
  if (has("TIME") && has("SECTOR")) return biosnoop_csv(text);
  if (has(" + ") && has(","))
    if (auto csv = blkparse_csv(text)) return csv;
  if (has("(") && has(") = ")) return StraceReader().read(text);
  return {};
}

}  // namespace gpufeed
