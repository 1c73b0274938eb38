// SPDX-License-Identifier: Apache-2.0
// Of libraries that Debian has as shared ones only: their code, from their headers, for the program
// that needs none.
#define TOML_HEADER_ONLY 0
#define TOML_IMPLEMENTATION
#include <fmt/format-inl.h>
#include <toml++/toml.h>

#include <locale>

// As src/format.cc of fmt 9.1 has it.
FMT_BEGIN_NAMESPACE
namespace detail {

template auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
template locale_ref::locale_ref(const std::locale& loc);
template auto locale_ref::get<std::locale>() const -> std::locale;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template void buffer<char>::append(const char*, const char*);
template void vformat_to(buffer<char>&, string_view, basic_format_args<FMT_BUFFER_CONTEXT(char)>,
                         locale_ref);

}  // namespace detail
FMT_END_NAMESPACE

// hwloc asks udev for the makers of disks; where there is none, it reads what udev left in /run.
extern "C" {
void* udev_new() { return nullptr; }
void* udev_unref(void*) { return nullptr; }
void* udev_device_new_from_subsystem_sysname(void*, const char*, const char*) { return nullptr; }
const char* udev_device_get_property_value(void*, const char*) { return nullptr; }
void* udev_device_unref(void*) { return nullptr; }
}
