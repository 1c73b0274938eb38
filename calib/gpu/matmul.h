// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cublas_v2.h>

#include <type_traits>

#include "calib/gpu/library.h"

/// Numbers in which GPUs multiply matrices; tf32: fp32 in memory.
enum class Number { fp32, tf32, fp16, bf16 };

inline const char* name_of(Number number) {
  return number == Number::fp32   ? "fp32"
         : number == Number::tf32 ? "tf32"
         : number == Number::fp16 ? "fp16"
                                  : "bf16";
}

/// cuBLAS, loaded at run time.
class Cublas {
 public:
  explicit Cublas(cudaStream_t stream = nullptr) {
    library_.find(create_, "cublasCreate_v2");
    library_.find(destroy_, "cublasDestroy_v2");
    library_.find(set_stream_, "cublasSetStream_v2");
    library_.find(set_workspace_, "cublasSetWorkspace_v2");
    library_.find(multiply_, "cublasGemmEx");
    if (!library_.whole() || create_(&handle_) != CUBLAS_STATUS_SUCCESS) handle_ = nullptr;
    if (handle_) set_stream_(handle_, stream);
  }
  ~Cublas() {
    if (handle_) destroy_(handle_);
  }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  bool there() const { return handle_ != nullptr; }

  /// Memory for its sums: its own cannot be had while kernels are recorded for a graph.
  void give_workspace(void* memory, std::size_t size) const {
    set_workspace_(handle_, memory, size);
  }

  /// c = a b, of m x k and k x n, column by column. \return whether this GPU can
  bool multiply(Number number, int m, int n, int k, const void* a, const void* b, void* c) const {
    const float one = 1;
    const float zero = 0;
    const cudaDataType type = number == Number::fp16   ? CUDA_R_16F
                              : number == Number::bf16 ? CUDA_R_16BF
                                                       : CUDA_R_32F;
    const cublasComputeType_t compute =
        number == Number::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    return multiply_(handle_, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, type, m, b, type, k,
                     &zero, c, type, m, compute, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
  }

 private:
  using Multiply = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int,
                                      int, int, const void*, const void*, cudaDataType, int,
                                      const void*, cudaDataType, int, const void*, void*,
                                      cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);
  Library library_{"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"};
  decltype(cublasCreate_v2)* create_ = nullptr;
  decltype(cublasDestroy_v2)* destroy_ = nullptr;
  decltype(cublasSetStream_v2)* set_stream_ = nullptr;
  decltype(cublasSetWorkspace_v2)* set_workspace_ = nullptr;
  std::remove_pointer_t<Multiply>* multiply_ = nullptr;
  cublasHandle_t handle_ = nullptr;
};
