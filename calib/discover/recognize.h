// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calib/discover/found.h"
#include "sim/load/load.h"

namespace gpufeed {

/// The product that a part is.
struct Recognized {
  const EntryText* entry = nullptr;  ///< null: none of the catalog
  Names alike;                       ///< further products that tell the same of themselves
};

/// Knows products by what they tell of themselves: PCI ids, model numbers, names of processors.
class Recognizer {
 public:
  /// \throws InputError  where an entry of the catalog is wrong
  explicit Recognizer(const Catalog& catalog);

  Recognized cpu(const FoundSocket& socket) const;
  Recognized switch_chip(const FoundSwitch& found) const;
  /// A GPU, network card or drive. Of several, that whose memory, ports or rate fit.
  Recognized device(const FoundDevice& found) const;
  /// The protocol by which a store is mounted so; none for a local file system.
  const EntryText* client(const FoundMount& mount) const;
  /// Names of the products of a kind: "cpu", "switch", "gpu", "nic" or "drive".
  Names names(std::string_view kind) const;

 private:
  const std::vector<EntryText>& entries(std::string_view kind) const;

  std::vector<EntryText> cpus_;
  std::vector<EntryText> switches_;
  std::vector<EntryText> gpus_;
  std::vector<EntryText> nics_;
  std::vector<EntryText> drives_;
  std::vector<EntryText> protocols_;
};

/// A processor's name as the catalog writes it: "Intel(R) Xeon(R) Platinum 8174 CPU @ 3.10GHz" is
/// "intel-xeon-platinum-8174", "AMD EPYC 7763 64-Core Processor" is "amd-epyc-7763".
std::string catalog_name_of_cpu(const std::string& name);

/// A number or quantity of an entry, in SI units; 0 where it is not known.
double value_of(const EntryText& entry, std::string_view key);

}  // namespace gpufeed
