// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// A key whose value is in words what another key of the same member says by codes. Sentences get
/// better, codes stay: who reads one by a program reads the codes.
template <class T, class M>
struct Told : Field<T, M> {};

template <class T, class M>
constexpr Told<T, M> told(std::string_view name, M T::*member, std::string_view help) {
  return {key(name, member, help)};
}

template <class F>
inline constexpr bool kIsTold = false;
template <class T, class M>
inline constexpr bool kIsTold<Told<T, M>> = true;

}  // namespace gpufeed
