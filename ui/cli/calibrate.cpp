// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "calib/fit/drive_entry.h"
#include "reports/writers/layout.h"
#include "sim/base/numbers/statistics.h"
#include "ui/cli/calibrate_here.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLabels = 21;  ///< column at which the values begin

constexpr const char* kExample =
    "for bs in 4k 16k 64k 256k 1M; do for depth in 1 2 4 8 16 32 64; do\n"
    "    fio --name=$bs-$depth --filename=/data/scratch --size=16g --rw=randread --bs=$bs \\\n"
    "        --iodepth=$depth --ioengine=libaio --direct=1 --norandommap --randrepeat=0 \\\n"
    "        --time_based --runtime=5 --output-format=json --output=fio-$bs-$depth.json\n"
    "  done; done\n"
    "  gpufeed calibrate fio-*.json --like samsung-pm9a3-3.84tb --output my-drive.toml";

/// 4096: "4 KiB"; 3000: "3 kB".
std::string block_text(double bytes) {
  constexpr double kKi = 1024;
  if (std::fmod(bytes, kKi * kKi) == 0) return fmt::format("{} MiB", bytes / (kKi * kKi));
  if (std::fmod(bytes, kKi) == 0) return fmt::format("{} KiB", bytes / kKi);
  return text(Bytes{bytes});
}

std::string departure_text(double departure) {
  return fmt::format("{:+.0f} %", std::round(departure * 100) + 0.0);
}

/// Two lines a block size, a column for each number of requests under way: the measured bandwidth
/// (the median where there are several) and by how much the law departs from it.
std::string grid(const DriveSide& side, const std::vector<double>& depths) {
  std::map<double, std::map<double, std::vector<double>>> measured;
  for (const FioPoint& p : side.points)
    measured[p.block_size.value][p.outstanding()].push_back(p.bandwidth.value);
  std::string out = fmt::format("  {:<10}", "block");
  for (const double depth : depths) out += fmt::format("{:>9}", depth);
  out += '\n';
  for (const auto& [block, row] : measured) {
    std::string bandwidths = fmt::format("  {:<10}", block_text(block));
    std::string departures = fmt::format("  {:<10}", "");
    for (const double depth : depths) {
      const auto cell = row.find(depth);
      if (cell == row.end()) {
        bandwidths += fmt::format("{:>9}", "");
        departures += fmt::format("{:>9}", "");
        continue;
      }
      const double middle = median(cell->second);
      const Bandwidth law = attained_bandwidth(side.fit.law, Bytes{block}, depth);
      bandwidths += fmt::format("{:>9}", text_number(middle / 1e6, middle < 1e8 ? 3 : 4));
      departures += fmt::format("{:>9}", departure_text(law.value / middle - 1));
    }
    out += fmt::format("{}\n{}\n", bandwidths, departures);
  }
  return out;
}

std::string grids(const DriveSide& side) {
  std::set<double> depths;
  for (const FioPoint& p : side.points) depths.insert(p.outstanding());
  const std::vector<double> all(depths.begin(), depths.end());
  constexpr std::size_t kColumns = 9;
  std::string out;
  for (std::size_t i = 0; i < all.size(); i += kColumns)
    out +=
        grid(side, {all.begin() + static_cast<std::ptrdiff_t>(i),
                    all.begin() + static_cast<std::ptrdiff_t>(std::min(i + kColumns, all.size()))});
  return out;
}

std::string points_table(const DriveSide& side) {
  std::string out = fmt::format("  {:<24}{:>9}{:>8}{:>6}{:>11}{:>11}{:>9}\n", "job", "block",
                                "depth", "jobs", "MB/s", "law", "departs");
  for (std::size_t i = 0; i < side.points.size(); ++i) {
    const FioPoint& p = side.points[i];
    const double law = p.bandwidth.value * (1 + side.fit.departures[i]);
    out += fmt::format("  {:<24}{:>9}{:>8}{:>6}{:>11}{:>11}{:>9}\n", clipped(p.job, 23),
                       block_text(p.block_size.value), p.iodepth, p.numjobs,
                       text_number(p.bandwidth.value / 1e6), text_number(law / 1e6),
                       departure_text(side.fit.departures[i]));
  }
  return out;
}

std::string item(std::string_view label, const std::string& value) {
  return labeled(fmt::format("  {}", label), value, kLabels);
}

template <class Q>
std::string roof(const DriveFit& fit, std::string_view label, std::string_view name, Q value) {
  const Known* const known = fit.what_is_known_of(name);
  if (!known) return "";
  if (!known->told())
    return item(label, fmt::format("{}; how well that is known, these measurements do not tell",
                                   text(value, 3)));
  if (known->open())
    return item(
        label, fmt::format("at {} {}: not the limit in these measurements; taken: {}",
                           known->low == 0 ? "most" : "least",
                           text(Q{known->low == 0 ? known->high : known->low}, 3), text(value, 3)));
  return item(label, fmt::format("{} ({} to {})", text(value, 3), text(Q{known->low}, 3),
                                 text(Q{known->high}, 3)));
}

std::string sharpness_text(const DriveFit& fit) {
  const Known* const known = fit.what_is_known_of("sharpness");
  if (known && known->told())
    return fmt::format(
        "{:.2g} ({:.2g} to {:.2g}): the limits add up more than those of flash do; with {:g}, as "
        "for flash, the median would be {}",
        fit.law.sharpness, std::max(1.0, known->low), known->high, kManyAtOnce,
        percent(fit.flash_median));
  return fmt::format("{:g}, taken as given; {:.2g} would fit best", fit.law.sharpness,
                     fit.free_sharpness);
}

/// Where the bytes lay in memory: large requests depend on it.
std::string memory_text(const DriveSide& side) {
  std::set<FioMemory> used;
  for (const FioPoint& point : side.points) used.insert(point.memory);
  std::string out;
  for (const FioMemory memory : used)
    out += fmt::format("{}{}", out.empty() ? "" : " and ",
                       memory == FioMemory::pages        ? "scattered pages of 4 KiB"
                       : memory == FioMemory::huge_pages ? "huge pages"
                                                         : "memory of a GPU");
  return out;
}

std::string side_text(const char* title, const DriveSide& side, bool all_points) {
  const DriveFit& fit = side.fit;
  std::string out = fmt::format(
      "{}: MB/s by block size and requests under way, and how far the law departs\n", title);
  out += all_points ? points_table(side) : grids(side);
  out += "\n" + item("law departs",
                     fmt::format("by {} in the median of {} measurements; 95 % of "
                                 "them by less than {}",
                                 percent(fit.median), side.points.size(), percent(fit.p95)));
  if (const double noise = scatter(side.points); noise > 0)
    out += item("repeats depart",
                fmt::format("by {} in the median from that of their setting", percent(noise)));
  out += item("memory", memory_text(side) +
                            " (fio's iomem, iomem_align); a virtual disk may move large requests "
                            "at another rate where they lie otherwise");
  return out + roof(fit, "bandwidth", "bandwidth", fit.law.bandwidth) +
         roof(fit, "request rate", "request_rate", fit.law.request_rate) +
         roof(fit, "latency", "latency", fit.law.latency) +
         roof(fit, "request bandwidth", "request_bandwidth", fit.law.request_bandwidth) +
         roof(fit, "largest request", "largest_request", fit.law.largest_request) +
         item("smoothing exponent", sharpness_text(fit)) + "\n";
}

std::vector<FioPoint> load_all(const std::vector<std::string>& files) {
  Diagnostics problems;
  std::vector<FioPoint> all;
  for (const auto& file : files) try {
      std::ranges::move(load_fio(file), std::back_inserter(all));
    } catch (const InputError& error) {
      add(problems, error);
    }
  problems.throw_if_any();
  return all;
}

/// The fits of reads and writes; nothing where there are no such points.
struct Sides {
  std::optional<DriveSide> reads;
  std::optional<DriveSide> writes;
};

Sides fit_sides(const std::vector<FioPoint>& points, const std::string& name,
                std::optional<double> sharpness) {
  Diagnostics problems;
  Sides sides;
  for (const bool writes : {false, true}) {
    auto some = points_of(points, writes);
    if (some.empty()) continue;
    try {
      (writes ? sides.writes : sides.reads) =
          fit_side(std::move(some), name + (writes ? " (writes)" : " (reads)"), sharpness);
    } catch (const InputError& error) {
      add(problems, error);
    }
  }
  if (!sides.reads && !sides.writes && problems.empty())
    problems.error({name, 0, 0}, "every job reads and writes at once; measure one at a time");
  problems.throw_if_any();
  return sides;
}

std::string names_of(const std::vector<std::string>& files) {
  constexpr std::size_t kShown = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, files.size()); ++i)
    out += (i == 0 ? "" : ", ") + fs::path(files[i]).filename().string();
  if (files.size() > kShown) out += fmt::format(" and {} more", files.size() - kShown);
  return out;
}

std::string source_text(const Sides& sides, const std::string& files) {
  std::string out = fmt::format("gpufeed calibrate of fio's {}", files);
  for (const auto* side : {&sides.reads, &sides.writes})
    if (*side)
      out += fmt::format("; {} {} with O_DIRECT {} {}, median departure {}", (*side)->points.size(),
                         side == &sides.reads ? "reads" : "writes",
                         side == &sides.reads ? "into" : "from", memory_text(**side),
                         percent((*side)->fit.median));
  return out;
}

EntryText drive_like(const std::string& name, const std::vector<std::string>& folders,
                     const Options& options) {
  const Catalog catalog = catalog_with(folders);
  if (catalog.find("drive", name))
    for (auto& entry : describe_entry(catalog, name))
      if (entry.kind == "drive") return entry;
  throw options.error(fmt::format("no drive of the catalog is called \"{}\"; {}", name,
                                  suggestion(name, catalog.names("drive"))));
}

std::optional<double> sharpness_of(const std::optional<std::string>& text, const Options& options) {
  if (!text) return {};
  double value = 0;
  const char* end = text->data() + text->size();
  const auto [rest, fault] = std::from_chars(text->data(), end, value);
  constexpr double kMost = 100;
  if (fault == std::errc{} && rest == end && value >= 1 && value <= kMost) return value;
  throw options.error(
      fmt::format("--sharpness must be a number from 1 to {:g}; found \"{}\"", kMost, *text));
}

}  // namespace

int calibrate_verb(const Arguments& arguments) {
  Options options(
      "calibrate",
      "Fits the model of a drive to what fio measured of it: bandwidth, request rate, "
      "latency, and how far they explain each measurement. Reads and writes are fitted "
      "apart. With --io, --decode, --memory or --page-cache it measures this machine, and "
      "--output is a file for --params. Never overwrites a file.",
      kExample);
  std::vector<std::string> files;
  std::vector<std::string> folders;
  std::optional<std::string> output;
  std::optional<std::string> like;
  std::optional<std::string> title;
  std::optional<std::string> sharpness;
  bool all_points = false;
  options.operands("FILE", files,
                   "raw measurements: what fio --output-format=json printed of jobs with direct=1, "
                   "each with the drive to itself (stonewall); several block sizes and depths");
  options.value(
      "-o,--output", "FILE", output,
      "write the drive as a catalog entry, or what was measured here as a file of --params, beside "
      "it the raw measurements (.raw.json) and decoders (.catalog); - prints it and nothing else");
  options.value("--like", "DRIVE", like,
                "a drive of the catalog: its other keys go into the entry, such as its capacity");
  options.value("--name", "TEXT", title, "title of the entry").seldom();
  options
      .value("--sharpness", "P", sharpness,
             "how sharply the limits meet, instead of fitting it: 4 for flash, 1 for a device "
             "that serves one request after the other")
      .seldom();
  options.flag("--points", all_points, "list every measurement instead of the table").seldom();
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp).seldom();
  CalibrateHere here;
  here.add_to(options);
  if (!options.parse(arguments)) return kGood;
  if (here.asked() && !files.empty())
    throw options.error("either measures this machine or reads files of fio, not both");
  if (here.asked()) return calibrate_here(here, output, options);
  if (files.empty())
    throw options.error(
        "name what to measure (--io, --decode, --memory, --page-cache, --gpu, --pytorch, "
        "--training) or "
        "a file "
        "that fio wrote");
  const auto given = sharpness_of(sharpness, options);
  DriveEntry entry;
  if (like) entry.like = drive_like(*like, folders, options);

  const auto points = load_all(files);
  const std::string names = names_of(files);
  const Sides sides = fit_sides(points, names, given);
  if (output != "-") {
    if (sides.reads) print(side_text("Reads", *sides.reads, all_points));
    if (sides.writes) print(side_text("Writes", *sides.writes, all_points));
    const auto mixed = std::ranges::count(points, true, &FioPoint::mixed);
    if (mixed > 0)
      print(fmt::format("Left out: {} measurements of jobs that read and wrote at once.\n", mixed));
  }
  if (!output) return kGood;
  entry.title = title.value_or(entry.like ? entry.like->title + ", calibrated" : "Measured drive");
  entry.source = source_text(sides, names);
  const std::string toml = drive_toml(entry, sides.reads ? &*sides.reads : nullptr,
                                      sides.writes ? &*sides.writes : nullptr);
  if (*output == "-") {
    print(toml);
    return kGood;
  }
  write_new(*output, toml);
  print(fmt::format("{}: written\n", *output));
  return kGood;
}

}  // namespace gpufeed::cli
