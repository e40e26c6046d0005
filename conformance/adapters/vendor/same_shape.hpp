// Whether a function type of ours can stand for one of a vendor's header: as many arguments, and each of the same kind
// and size. Used by the check_headers.cpp files only.
#pragma once

#include <type_traits>

namespace streampool::vendor {

template <class Ours, class Theirs>
consteval bool same_kind() {
  if constexpr (std::is_void_v<Theirs>) {
    return std::is_void_v<Ours>;
  } else {
    constexpr bool pointers = std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>;
    constexpr bool numbers = std::is_integral_v<Ours> && (std::is_integral_v<Theirs> || std::is_enum_v<Theirs>);
    constexpr bool structures = std::is_class_v<Ours> && std::is_class_v<Theirs>;  // passed by value
    return (pointers || numbers || structures) && sizeof(Ours) == sizeof(Theirs);
  }
}

template <class Ours, class Theirs>
inline constexpr bool same_shape = false;
template <class A, class... As, class B, class... Bs>
  requires(sizeof...(As) == sizeof...(Bs))
inline constexpr bool same_shape<A(As...), B(Bs...)> = same_kind<A, B>() && (same_kind<As, Bs>() && ...);

}  // namespace streampool::vendor
