// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/key_path.h"

namespace gpufeed {

/// Where a scenario says a value.
struct ValuePlace {
  std::string path;      ///< as `--set` names it: "system.drive[ssd0].model.read_bandwidth"
  std::string numbered;  ///< with elements by their number from 0
  double value = 0;      ///< SI
};

/// Where a walk is: the keys it came by.
class PathTaken {
 public:
  struct Mark {
    std::size_t path, numbered;
  };
  Mark mark() const { return {path_.size(), numbered_.size()}; }
  void go_back(Mark mark) {
    path_.resize(mark.path);
    numbered_.resize(mark.numbered);
  }
  void key(std::string_view name) {
    for (std::string* path : {&path_, &numbered_}) {
      if (!path->empty()) *path += '.';
      *path += key_text(name);
    }
  }
  /// \param id  empty: it has none
  void element(std::size_t number, const std::string& id) {
    path_ += fmt::format("[{}]", id.empty() ? std::to_string(number) : element_text(id));
    numbered_ += fmt::format("[{}]", number);
  }
  void suffix(const ValuePlace& rest) {
    path_ += rest.path;
    numbered_ += rest.numbered;
  }
  /// What came after `from`.
  ValuePlace since(Mark from, double value) const {
    return {path_.substr(from.path), numbered_.substr(from.numbered), value};
  }

 private:
  std::string path_, numbered_;
};

}  // namespace gpufeed
