// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <utility>

#include "sim/base/diagnostics.h"

namespace gpufeed {

/// Memory that a process and those it starts share. Its pages are there from the start.
class SharedMemory {
 public:
  /// \throws InputError  where there is too little
  explicit SharedMemory(std::size_t size) : size_(size) {
    memory_ = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE,
                   -1, 0);
    if (memory_ == MAP_FAILED)
      throw InputError(
          {Problem{{"this machine", 0, 0}, "too little memory for the batches of the workers"}});
  }
  ~SharedMemory() {
    if (memory_) munmap(memory_, size_);
  }
  SharedMemory(SharedMemory&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), size_(other.size_) {}
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  std::uint8_t* data() const { return static_cast<std::uint8_t*>(memory_); }

  /// In a process that was started since: all pages at once, instead of one after the other when
  /// they are written first. A kernel older than Linux 5.14 does the latter.
  void map_all() const {
#ifdef MADV_POPULATE_WRITE
    madvise(memory_, size_, MADV_POPULATE_WRITE);
#endif
  }

 private:
  void* memory_;
  std::size_t size_;
};

}  // namespace gpufeed
