// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <initializer_list>

/// A library that is loaded at run time: without it, what needs none is measured all the same.
class Library {
 public:
  explicit Library(std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (!handle_) handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  /// Finds a function by its name; afterwards `whole` tells whether all were there.
  template <class Function>
  void find(Function*& function, const char* name) {
    function = handle_ ? reinterpret_cast<Function*>(dlsym(handle_, name)) : nullptr;
    whole_ = whole_ && function;
  }
  bool whole() const { return handle_ && whole_; }

 private:
  void* handle_ = nullptr;
  bool whole_ = true;
};
