// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gpufeed {

/// Of memory and of files in memory, as Linux has them on x86-64 (and on arm64 by default).
inline constexpr std::int64_t kPageBytes = 4096;
/// Of memory that was asked for so (madvise with MADV_HUGEPAGE, mm/huge_memory.c).
inline constexpr std::int64_t kHugePageBytes = 2097152;
/// The smallest array that NumPy asks to lie in huge pages (1 << 22 in its multiarray/alloc.c, from
/// 1.22 on), and so the smallest sample that a loader's readers read into such.
inline constexpr std::int64_t kInHugePagesFromBytes = 4194304;

}  // namespace gpufeed
