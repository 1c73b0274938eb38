// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "sim/base/diagnostics.h"
#include "sim/base/pages.h"

namespace gpufeed {

/// Memory of one process, in small pages, or in huge ones as far as the kernel grants that. Its
/// pages come as they are written first.
class OwnPages {
 public:
  /// \throws InputError  where there is too little
  OwnPages(std::size_t size, bool huge) : size_(whole_huge(size) + kHugePageBytes) {
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED)
      throw InputError(
          {Problem{{"this machine", 0, 0}, fmt::format("no memory: {}", std::strerror(errno))}});
    madvise(memory_, size_, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }
  ~OwnPages() { munmap(memory_, size_); }
  OwnPages(const OwnPages&) = delete;
  OwnPages& operator=(const OwnPages&) = delete;

  /// Begins where a huge page does.
  char* data() const {
    const auto past = reinterpret_cast<std::uintptr_t>(memory_) % kHugePageBytes;
    return static_cast<char*>(memory_) + (past == 0 ? 0 : kHugePageBytes - past);
  }

 private:
  /// A huge page lies in one mapping as a whole, or not at all.
  static std::size_t whole_huge(std::size_t size) {
    return (size + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  }

  void* memory_;
  std::size_t size_;
};

}  // namespace gpufeed
