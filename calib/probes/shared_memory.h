// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstdint>

#include "sim/base/diagnostics.h"

namespace gpufeed {

/// Memory that a process and those it starts share.
class SharedMemory {
 public:
  /// \throws InputError  where there is too little
  explicit SharedMemory(std::size_t size) : size_(size) {
    memory_ = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED)
      throw InputError(
          {Problem{{"this machine", 0, 0}, "too little memory for the batches of the workers"}});
  }
  ~SharedMemory() { munmap(memory_, size_); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  std::uint8_t* data() const { return static_cast<std::uint8_t*>(memory_); }

 private:
  void* memory_;
  std::size_t size_;
};

}  // namespace gpufeed
