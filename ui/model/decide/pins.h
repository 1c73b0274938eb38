// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ui/model/decide/comparison.h"
#include "ui/model/work/session.h"

namespace gpufeed::ui {

/// A configuration that is kept to be compared with.
struct Pin {
  char letter = 'A';  ///< which it keeps
  std::string title;
  std::string text;  ///< of the scenario
  Candidate candidate;
};

/// Up to three pins.
class Pins {
 public:
  static constexpr std::size_t kMost = 3;

  /// Whether the session can be pinned now: it is answered, and not pinned already.
  bool takes(const Session& session) const;
  /// Pins what the session shows. \return whether it was taken
  bool add(const Session& session);
  void remove(std::size_t pin);
  const std::vector<Pin>& all() const { return pins_; }

 private:
  std::vector<Pin> pins_;
};

/// The pins, and before them the session's own answer where it has one.
std::vector<Candidate> candidates_of(const Session& session, const Pins& pins);

}  // namespace gpufeed::ui
