// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calib/gpu/copies.h"
#include "calib/gpu/library.h"
#include "calib/gpu/timing.h"

#if __has_include(<nccl.h>)
#include <nccl.h>

/// NCCL on all GPUs of this machine, in one process.
class Nccl {
 public:
  explicit Nccl(int gpus) : comms_(static_cast<std::size_t>(gpus)) {
    library_.find(init_, "ncclCommInitAll");
    library_.find(destroy_, "ncclCommDestroy");
    library_.find(begin_, "ncclGroupStart");
    library_.find(end_, "ncclGroupEnd");
    library_.find(all_reduce_, "ncclAllReduce");
    there_ = library_.whole() && init_(comms_.data(), gpus, nullptr) == ncclSuccess;
  }
  ~Nccl() {
    if (there_)
      for (ncclComm_t comm : comms_) destroy_(comm);
  }
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;

  bool there() const { return there_; }

  /// Sums so many numbers of two bytes, of each GPU, in place. \return whether it could
  bool all_reduce(const std::vector<void*>& memory, std::size_t numbers,
                  const std::vector<cudaStream_t>& streams) const {
    if (begin_() != ncclSuccess) return false;
    bool good = true;
    for (std::size_t i = 0; i < comms_.size(); ++i)
      good = good && all_reduce_(memory[i], memory[i], numbers, ncclFloat16, ncclSum, comms_[i],
                                 streams[i]) == ncclSuccess;
    return end_() == ncclSuccess && good;
  }

 private:
  Library library_{"libnccl.so.2"};
  decltype(ncclCommInitAll)* init_ = nullptr;
  decltype(ncclCommDestroy)* destroy_ = nullptr;
  decltype(ncclGroupStart)* begin_ = nullptr;
  decltype(ncclGroupEnd)* end_ = nullptr;
  decltype(ncclAllReduce)* all_reduce_ = nullptr;
  std::vector<ncclComm_t> comms_;
  bool there_ = false;
};

inline void measure_collectives(List& list, int gpus) {
  constexpr std::size_t kSmallest = 4096;
  const Nccl nccl(gpus);
  if (!nccl.there()) return;
  std::vector<void*> memory(static_cast<std::size_t>(gpus));
  std::vector<cudaStream_t> streams(memory.size());
  for (int i = 0; i < gpus; ++i) {
    const auto at = static_cast<std::size_t>(i);
    check(cudaSetDevice(i), "GPU");
    check(cudaMalloc(&memory[at], kLargest), "memory of the GPU");
    check(cudaMemset(memory[at], 0, kLargest), "memory of the GPU");
    check(cudaStreamCreate(&streams[at]), "stream");
  }
  for (std::size_t size = kSmallest; size <= kLargest; size *= 8) {
    bool good = true;
    const double seconds =
        time_of_all(gpus, [&] { good = good && nccl.all_reduce(memory, size / 2, streams); });
    if (!good) break;
    list.next();
    std::printf(R"({"what": "all-reduce", "gpus": %d, "bytes": %zu, "s": %.9g})", gpus, size,
                seconds);
  }
  for (int i = 0; i < gpus; ++i) {
    check(cudaSetDevice(i), "GPU");
    check(cudaStreamDestroy(streams[static_cast<std::size_t>(i)]), "stream");
    check(cudaFree(memory[static_cast<std::size_t>(i)]), "memory of the GPU");
  }
}
#else
inline void measure_collectives(List&, int) {}
#endif
