// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/seen_form.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <type_traits>

#include "reports/writers/sighting_text.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/study/observed.h"

namespace gpufeed::ui {
namespace {

bool is_number(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && rest == end;
}

/// As TOML has it: text with a unit, or a number where the key takes one.
std::string in_toml(std::string words, const SeenField& field) {
  std::erase(words, ',');
  if (!is_number(words)) return toml_string(words);
  return field.unit.empty() ? words : toml_string(words + " " + field.unit);
}

template <class T>
void set_unit(SeenField& field) {
  if constexpr (std::is_same_v<T, Ratio>) {
    field.hint = "55 %";
    field.unit = "%";
  } else if constexpr (std::is_same_v<T, Rate>) {
    field.hint = "12,000 /s";
    field.unit = "/s";
  } else if constexpr (std::is_same_v<T, Bandwidth>) {
    field.hint = "3.2 GB/s";
    field.unit = "GB/s";
  } else {
    field.hint = "12.5";
  }
}

struct Fields {
  std::vector<SeenField> all;

  template <class Field>
  void operator()(const Field& field) {
    using Value = std::remove_cvref_t<decltype(std::declval<Observed>().*field.member)>;
    add(field, static_cast<const Value*>(nullptr));
  }

 private:
  template <class Field, class T>
  void add(const Field& field, const std::optional<Seen<T>>* /*type*/) {
    SeenField one;
    one.key = field.name;
    if (one.key == "save_bandwidth" || one.key == "load_bandwidth") return;  // of checkpointing
    one.label = label_of_sighting(one.key);
    one.help = field.help;
    set_unit<T>(one);
    all.push_back(std::move(one));
  }
  template <class Field, class T>
  void add(const Field& /*field*/, const T* /*type*/) {}  // the schema and the title
};

}  // namespace

std::vector<SeenField> seen_fields() {
  Fields fields;
  Observed::fields(fields);
  return fields.all;
}

std::string observed_text(const std::vector<SeenField>& fields) {
  std::string out;
  for (const SeenField& field : fields) {
    if (field.value.find_first_not_of(' ') == std::string::npos) continue;
    out += fmt::format("[{}]\nvalue = {}\n", field.key, in_toml(field.value, field));
    if (field.spread.find_first_not_of(' ') != std::string::npos)
      out += fmt::format("spread = {}\n", in_toml(field.spread, field));
  }
  return out;
}

}  // namespace gpufeed::ui
