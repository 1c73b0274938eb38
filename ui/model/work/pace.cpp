// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/pace.h"

#include "sim/base/numbers/statistics.h"

namespace gpufeed::ui {

void Recent::add(double value) {
  values_.push_back(value);
  if (values_.size() > most_) values_.pop_front();
}

std::optional<double> Recent::median() const {
  if (values_.empty()) return {};
  return gpufeed::median({values_.begin(), values_.end()});
}

void Pace::shown(const Session& session) {
  if (session.edits() == counted_) return;
  const Standing standing = session.standing();
  if (standing == Standing::updating || standing == Standing::loading) return;
  counted_ = session.edits();
  if (standing != Standing::current) return;
  const auto passed = std::chrono::steady_clock::now() - session.asked();
  edits_.add(std::chrono::duration<double>(passed).count());
}

}  // namespace gpufeed::ui
