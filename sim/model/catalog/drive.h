// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/drive_law.h"
#include "sim/model/catalog/link.h"

namespace gpufeed {

/// What a drive stores on: flash serves many requests at once, a disk's head one after another.
enum class Medium { flash, disk };
template <>
struct EnumNames<Medium> {
  static constexpr std::array<std::string_view, 2> names{"flash", "disk"};
};

/// When a drive tells that something has been read. each: as it has been. together: when nothing is
/// left to read, as a virtual disk whose queue one thread of the host empties before it tells the
/// guest: whoever was read for waits until the others have been.
enum class Completions { each, together };
template <>
struct EnumNames<Completions> {
  static constexpr std::array<std::string_view, 2> names{"each", "together"};
};

/// How many writes a drive is built for.
enum class Endurance { read_intensive, mixed_use, write_intensive };
template <>
struct EnumNames<Endurance> {
  static constexpr std::array<std::string_view, 3> names{"read-intensive", "mixed-use",
                                                         "write-intensive"};
};

/// The bay or slot a drive fits. A 2.5-inch drive also fits a bay for 3.5-inch ones.
enum class DriveForm { u2, m2, e1s, e1l, e3s, e3l, sff, lff, add_in_card };
template <>
struct EnumNames<DriveForm> {
  static constexpr auto names = words_of<DriveForm>({{DriveForm::u2, "u.2"},
                                                     {DriveForm::m2, "m.2"},
                                                     {DriveForm::e1s, "e1.s"},
                                                     {DriveForm::e1l, "e1.l"},
                                                     {DriveForm::e3s, "e3.s"},
                                                     {DriveForm::e3l, "e3.l"},
                                                     {DriveForm::sff, "2.5-inch"},
                                                     {DriveForm::lff, "3.5-inch"},
                                                     {DriveForm::add_in_card, "card"}});
};

struct Drive : Entry, Plug, Purchase {
  static constexpr std::string_view kKind = "drive";
  Medium medium = Medium::flash;
  Bytes capacity;
  Bandwidth read_bandwidth;
  Bandwidth write_bandwidth;
  Rate read_rate;
  std::optional<Rate> read_rate_512;
  Seconds read_latency;
  std::optional<Rate> write_rate;
  std::optional<Seconds> write_latency;
  std::optional<Bandwidth> request_bandwidth;
  Bytes largest_request{131072};
  std::optional<Ratio> sharpness;
  std::optional<Bandwidth> write_request_bandwidth;
  std::optional<Bytes> write_largest_request;
  std::optional<Ratio> write_sharpness;
  std::optional<Seconds> page_time;
  Completions completions = Completions::each;
  std::optional<Ratio> file_efficiency;
  /// An estimate for flash on PCIe whose data sheet says nothing of it: between the 82 and 90 %
  /// with which UNet3D of public MLPerf Storage v1.0 runs comes out best on two drives, a Micron
  /// 6500 ION and a 9400 PRO (tests/validation/fed.toml).
  static constexpr Ratio kFileEfficiency{0.86};
  std::optional<Endurance> endurance_class;
  std::optional<Bytes> endurance;
  std::optional<DriveForm> form;
  std::vector<std::string> model_numbers;

  /// \param pieces  of memory that each 4 KiB of a read go to, but the first of each request, which
  ///                its latency contains: 1/2 for 8 KiB in pages apart, 0 in huge pages
  /// \param request  whose size sets the most requests per second; default: 4 KiB
  DriveLaw read_law(double pieces = 0, Bytes request = Bytes{4096}) const;
  DriveLaw write_law() const;
  /// What an entry that does not say it is taken to have, an estimate: file_efficiency of flash on
  /// PCIe.
  void complete();

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("link", &Plug::link,
              "kind of link it plugs into; default: none that limits it (a virtual disk, a network "
              "volume)"));
    visit(key("lanes", &Plug::lanes, "lanes or ports of the link that it uses").between(1, 64));
    visit(key("capacity", &Drive::capacity, "usable size").needed().between(1_GB, 1_PB));
    visit(key("read_bandwidth", &Drive::read_bandwidth, "sustained sequential read")
              .needed()
              .between(1_MBps, 200_GBps));
    visit(key("write_bandwidth", &Drive::write_bandwidth, "sustained sequential write")
              .needed()
              .between(1_MBps, 200_GBps));
    visit(
        key("read_rate", &Drive::read_rate, "most 4 KiB random reads per second (random-read IOPS)")
            .needed()
            .between(10_per_s, 1e9_per_s));
    visit(key("read_rate_512", &Drive::read_rate_512,
              "most 512 B random reads per second; default: read_rate")
              .between(10_per_s, 1e9_per_s));
    visit(key("read_latency", &Drive::read_latency, "4 KiB random read, queue depth 1")
              .needed()
              .between(1_us, 100_ms));
    visit(key("medium", &Drive::medium, "what it stores on"));
    visit(key("write_rate", &Drive::write_rate,
              "most 4 KiB random writes per second (random-write IOPS); default: read_rate")
              .between(10_per_s, 1e9_per_s));
    visit(key("write_latency", &Drive::write_latency,
              "4 KiB random write, queue depth 1; default: read_latency")
              .between(1_us, 100_ms));
    visit(key("request_bandwidth", &Drive::request_bandwidth,
              "at which the bytes of one request move when it is alone; default: "
              "read_bandwidth, write_bandwidth")
              .between(1_MBps, 200_GBps));
    visit(
        key("largest_request", &Drive::largest_request, "the drive sees larger requests as several")
            .between(4_kB, 1_GB));
    visit(key("sharpness", &Drive::sharpness,
              "how sharply its limits meet (p of the drive law): 400 % where many requests "
              "are served at once, 100 % where one after the other; default: by medium")
              .between(100_percent, 2000_percent));
    visit(key("write_request_bandwidth", &Drive::write_request_bandwidth,
              "request_bandwidth of writes; default: as request_bandwidth says")
              .between(1_MBps, 200_GBps));
    visit(key("write_largest_request", &Drive::write_largest_request,
              "largest_request of writes; default: largest_request")
              .between(4_kB, 1_GB));
    visit(key("write_sharpness", &Drive::write_sharpness,
              "sharpness of writes; default: as sharpness says")
              .between(100_percent, 2000_percent));
    visit(key("page_time", &Drive::page_time,
              "what it takes for each page of 4 KiB where reads go to pages that lie apart in "
              "memory (a virtual disk looks each up, one after the other); default: nothing")
              .between(0_s, 1_ms));
    visit(
        key("completions", &Drive::completions,
            "when readers learn that they were served: each as it is, or together, when the drive "
            "has nothing left to do (a virtual disk that one thread of the host serves)"));
    visit(
        key("file_efficiency", &Drive::file_efficiency,
            "part of read_bandwidth that many readers of whole files attain; default: 86 % of "
            "flash on PCIe, between the 82 and 90 % of two drives (MLPerf Storage v1.0); else all")
            .between(10_percent, 100_percent));
    visit(key("endurance_class", &Drive::endurance_class, "what it is sold for"));
    visit(key("endurance", &Drive::endurance, "bytes that may be written over its life")
              .between(1_TB, 1e3_PB));
    visit(key("form", &Drive::form,
              "the bay or slot it fits; u.2: 2.5 inches with NVMe (U.2, U.3), 2.5-inch, 3.5-inch: "
              "SATA or SAS; default: not known"));
    visit(key("model_numbers", &Drive::model_numbers,
              "what its reported model number begins with, by which gpufeed discover knows it"));
    visit(kPciIdsKey);
    purchase_fields(visit);
  }
};

}  // namespace gpufeed
