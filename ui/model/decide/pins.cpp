// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/pins.h"

#include <algorithm>

namespace gpufeed::ui {

bool Pins::takes(const Session& session) const {
  return pins_.size() < kMost && session.standing() == Standing::current && session.result() &&
         std::ranges::none_of(pins_, [&](const Pin& pin) { return pin.text == session.text(); });
}

bool Pins::add(const Session& session) {
  if (!takes(session)) return false;
  char letter = 'A';
  while (std::ranges::any_of(pins_, [&](const Pin& pin) { return pin.letter == letter; })) ++letter;
  pins_.push_back(
      {letter, session.result()->title, session.text(), {session.answered(), session.result()}});
  return true;
}

void Pins::remove(std::size_t pin) {
  if (pin < pins_.size()) pins_.erase(pins_.begin() + static_cast<std::ptrdiff_t>(pin));
}

std::vector<Candidate> candidates_of(const Session& session, const Pins& pins) {
  std::vector<Candidate> all;
  if (session.result()) all.push_back({session.answered(), session.result()});
  for (const Pin& pin : pins.all()) all.push_back(pin.candidate);
  return all;
}

}  // namespace gpufeed::ui
