// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace gpufeed {

/// The position of one `Tag` in the list of all of them, counted from 0. A plain number that is
/// not mistaken for one of another list. Where there may be none: std::optional of it.
template <class Tag>
class Index {
 public:
  constexpr explicit Index(std::size_t position)
      : position_(static_cast<std::uint32_t>(position)) {}

  constexpr std::size_t position() const { return position_; }
  constexpr auto operator<=>(const Index&) const = default;

 private:
  std::uint32_t position_;
};

/// The indices of so many elements, in order. (The views of <ranges> would do, but clang 14 does
/// not take those of g++ 12.)
template <class I>
struct Indices {
  struct Iterator {
    using value_type = I;
    using difference_type = std::ptrdiff_t;

    std::size_t position = 0;

    constexpr I operator*() const { return I(position); }
    constexpr Iterator& operator++() { return ++position, *this; }
    constexpr Iterator operator++(int) { return {position++}; }
    constexpr bool operator==(const Iterator&) const = default;
  };
  std::size_t count = 0;

  constexpr bool empty() const { return count == 0; }
  constexpr Iterator begin() const { return {0}; }
  constexpr Iterator end() const { return {count}; }
};

/// A vector whose elements are found by an Index `I` alone: the list of all, or what is known of
/// each. Positions are not checked, as in std::vector.
template <class I, class T>
class Indexed {
 public:
  using value_type = T;
  using reference = typename std::vector<T>::reference;
  using const_reference = typename std::vector<T>::const_reference;

  Indexed() = default;
  explicit Indexed(std::size_t count, const T& value = T()) : values_(count, value) {}
  Indexed(std::initializer_list<T> values) : values_(values) {}

  reference operator[](I index) { return values_[index.position()]; }
  const_reference operator[](I index) const { return values_[index.position()]; }

  /// \return where it now is, at the end
  I add(T value) {
    values_.push_back(std::move(value));
    return I(values_.size() - 1);
  }
  void resize(std::size_t count) { values_.resize(count); }
  void clear() { values_.clear(); }

  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  /// The index of every element, in order.
  Indices<I> indices() const { return {size()}; }

  bool operator==(const Indexed&) const = default;

 private:
  std::vector<T> values_;
};

}  // namespace gpufeed
