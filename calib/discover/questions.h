// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gpufeed {

/// What a person must say of a machine, one question for all parts that are alike in it.
class Questions {
 public:
  /// \param id  of the part, for which "{}" stands in the question
  void ask(const std::string& question, const std::string& id);
  /// In the order in which they were asked first.
  std::vector<std::string> all() const;

 private:
  struct Asked {
    std::string question;
    std::vector<std::string> ids;
  };
  std::vector<Asked> asked_;
};

}  // namespace gpufeed
