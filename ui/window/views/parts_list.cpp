// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "reports/writers/layout.h"
#include "sim/base/join_ids.h"
#include "sim/base/units.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "ui/model/work/problems.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

constexpr float kRowLabels = 64;   ///< their room
constexpr float kRowPrices = 104;  ///< likewise
constexpr std::int64_t kMostParts = 1024;

/// Where the parts of a row go: two lines, whatever stands in them.
struct Place {
  ImVec2 at;  ///< within the panel
  float width = 0;
  float line = 0;  ///< height of one
};

std::string title_of(const Screen& screen, const PartRow& row) {
  if (row.title != row.product) return row.title;
  if (const auto* choices = screen.lists.of(row.kind))
    if (const auto found = std::ranges::find(*choices, row.product, &Choice::name);
        found != choices->end())
      return found->title;
  return row.title;
}

void apply(Screen& screen, const RequestedParts& parts) {
  screen.session.apply([&](const std::string& text) { return with_parts(text, parts); });
}

/// A count as typed in; where it is none, it says so.
std::optional<std::int64_t> count_in(Screen& screen, const std::string& typed) {
  std::int64_t count = 0;
  const char* const end = typed.data() + typed.size();
  const auto [rest, fault] = std::from_chars(typed.data(), end, count);
  if (fault == std::errc{} && rest == end && count >= 1 && count <= kMostParts) return count;
  screen.view.message =
      fmt::format("A count must be a whole number from 1 to {}; found \"{}\"", kMostParts, typed);
  return {};
}

/// A small button that takes something out; tests know it by `name`.
bool leave_out_button(const Screen& screen, const std::string& name) {
  ImGui::SameLine(0, screen.px(4));
  const bool pressed = ImGui::Button(("×##" + name).c_str(), {screen.px(22), 0});
  note(screen, "leave out " + name);
  tooltip(screen, "Leave it out");
  return pressed;
}

void draw_count(Screen& screen, const PartRow& row) {
  const RequestedParts& parts = *row.asked;
  const auto wanted = number_field(
      screen, {row.name, "count " + row.name, std::to_string(parts.parts[row.at].count), 1,
               kMostParts, screen.px(36)});
  if (const auto count = wanted ? count_in(screen, *wanted) : std::nullopt) {
    RequestedParts changed = parts;
    changed.parts[row.at].count = *count;
    apply(screen, changed);
  }
  if (parts.key == "cpu" || !leave_out_button(screen, row.name)) return;
  RequestedParts changed = parts;
  changed.parts.erase(changed.parts.begin() + static_cast<std::ptrdiff_t>(row.at));
  apply(screen, changed);
}

void draw_memory(Screen& screen, const PartRow& row) {
  ImGui::SetNextItemWidth(screen.px(110));
  if (const auto typed = value_field(screen, "system.memory", *row.memory))
    screen.session.apply([&](const std::string& text) { return with_memory(text, *typed); });
  tooltip(screen,
          "Of all processors together: \"1 TB\", or modules: \"16 x 64 GB\". It must fill their "
          "memory channels evenly.");
}

/// What a store is read by whose protocol is left out.
std::string standard_client(const Screen& screen, const std::string& name) {
  const auto& scenario = screen.session.scenario();
  if (!scenario) return "usual client";
  for (std::size_t i = 0; i < scenario->store.size(); ++i) {
    if (scenario->store.name(i) != name) continue;
    const StoreClient::Word word = scenario->client_of(i);
    if (word == StoreClient::Word::usual) return "usual: " + scenario->store.at(i).protocol->name;
    if (word != StoreClient::Word::given && word != StoreClient::Word::none) return "no client";
  }
  return "usual client";
}

/// The protocols of the catalog that the store speaks, and the cards that reach it.
void draw_store(Screen& screen, const PartRow& row) {
  const RequestedStore& store = *row.store;
  const KeyPath path = KeyPath("store") / store.name;
  ImGui::SetNextItemWidth(screen.px(100));
  const std::string standard = standard_client(screen, store.name);
  const bool open = ImGui::BeginCombo(
      "##protocol", store.protocol.empty() ? standard.c_str() : store.protocol.c_str());
  note(screen, "protocol of " + store.name);
  tooltip(screen, "How the machine speaks to it (protocol); none: no client's cost is counted");
  if (open) {
    if (list_item(screen, standard, store.protocol.empty()))
      screen.session.reset(path / "protocol");
    const std::string none(kNoClient);
    if (list_item(screen, none, store.protocol == none))
      screen.session.edit(path / "protocol", toml_string(none));
    for (const auto& name : protocols_of(store, screen.session.catalog()))
      if (list_item(screen, name, name == store.protocol))
        screen.session.edit(path / "protocol", toml_string(name));
    ImGui::EndCombo();
  }
  ImGui::SameLine(0, screen.px(4));
  ImGui::SetNextItemWidth(screen.px(84));
  const std::string via =
      store.via.empty() ? "all cards" : fmt::format("{}", fmt::join(store.via, ", "));
  const bool open_cards = ImGui::BeginCombo("##cards", via.c_str());
  note(screen, "cards to " + store.name);
  tooltip(screen, "Through which network cards it is reached (via)");
  if (open_cards) {
    if (list_item(screen, "all cards", store.via.empty())) screen.session.reset(path / "via");
    const std::vector<PartRow> rows = screen.view.rows;  // an edit makes them anew
    for (const PartRow& cards : rows)
      if (cards.kind == "nic" && !cards.ids.empty() &&
          list_item(screen, join_ids(cards.ids), store.via == cards.ids)) {
        Names ids;
        for (const auto& id : cards.ids) ids.push_back(toml_string(id));
        screen.session.edit(path / "via", toml_array(ids));
      }
    ImGui::EndCombo();
  }
  if (!leave_out_button(screen, row.name)) return;
  const auto& scenario = screen.session.scenario();
  auto places = scenario ? places_of(*scenario) : std::vector<std::string>{};
  std::erase(places, store.name);
  const std::string place = places.empty() ? "" : places.front();
  screen.session.apply([&](const std::string& text) { return without_store(text, store, place); });
}

/// The price of the catalog, and a field for one's own.
void draw_quote(Screen& screen, const PartRow& row) {
  if (!ImGui::BeginPopup("quote")) return;
  if (ImGui::IsWindowAppearing()) hold_typing(screen);
  strong_text(screen, title_of(screen, row));
  ImGui::PushTextWrapPos(screen.px(380));
  if (row.price_USD)
    dim_text(screen, fmt::format("{} × {} USD; {}", text_number(row.count, 4),
                                 text_number(*row.price_USD, 8), row.price_source));
  else
    dim_text(screen, "The catalog knows no price of it.");
  ImGui::PopTextWrapPos();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(row.kind == "memory" ? "Your quote for one module, USD"
                                              : "Your quote for one, USD");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(screen.px(110));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const auto typed = value_field(screen, "quote for " + row.name, row.own_price);
  const bool back = !row.own_price.empty() && button(screen, "Take the catalog's price");
  if (typed || back) {
    screen.session.apply(
        [&](const std::string& text) { return with_quote(text, row.product, back ? "" : *typed); });
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

void draw_price(Screen& screen, const PartRow& row) {
  const bool known = screen.session.standing() == Standing::current;
  const bool awaited = !known && row.mark == PriceMark::unknown;
  const std::string words = awaited ? "…" : price_text(row);
  const bool quotable =
      !row.product.empty() && row.mark != PriceMark::included && row.kind != "system";
  if (!quotable) {
    const float width = ImGui::CalcTextSize(words.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + screen.px(kRowPrices) - width);
    dim_text(screen, words);
    note(screen, "price of " + row.name);
    return tooltip(screen, row.price_source);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, {1, 0});
  ImGui::PushStyleColor(ImGuiCol_Text,
                        row.price_USD && known ? screen.colors().text : screen.colors().dim);
  if (ImGui::Selectable((words + "##price").c_str(), false, 0, {screen.px(kRowPrices), 0}))
    ImGui::OpenPopup("quote");
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  note(screen, "price of " + row.name);
  tooltip(screen, fmt::format("{}{}Click to put your own quote",
                              row.price_USD ? text_number(*row.price_USD, 8) + " USD each; " +
                                                  row.price_source + "\n"
                                            : "",
                              row.mark == PriceMark::estimate ? "* is an estimate. " : ""));
  draw_quote(screen, row);
}

void draw_title(Screen& screen, const PartRow& row, float width) {
  const std::string title = title_of(screen, row);
  const std::string shown =
      title_to(title, width - screen.px(6), ImGui::GetFont(), ImGui::GetFontSize());
  if (!row.other) {
    ImGui::TextUnformatted(shown.c_str());
    if (shown != title) note(screen, "clipped " + title);
    return tooltip(screen, title);
  }
  if (ImGui::Selectable((shown + "##title").c_str(), false, 0, {width - screen.px(6), 0}))
    choose(screen, *row.other);
  note(screen, "Change " + row.name);
  tooltip(screen, title + "\nClick to take another");
}

/// "4 × ssd0-ssd3", "24 of them" where they have no names.
std::string count_text(const PartRow& row) {
  const std::string count = text_number(row.count, 6);
  if (!row.ids.empty()) return fmt::format("{} × {}", count, join_ids(row.ids));
  if (row.count == 1) return "one";
  return row.kind == "memory" ? count + " modules" : count + " of them";
}

/// As much of it as leaves room for the button beside it.
void draw_plain_count(const Screen& screen, const PartRow& row) {
  const std::string words = count_text(row);
  const float room =
      ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize("Numbers…").x - screen.px(72);
  const std::string shown = clipped_to(words, room, ImGui::GetFont(), ImGui::GetFontSize());
  dim_text(screen, shown);
  if (shown != words) note(screen, "clipped " + words);
  tooltip(screen, words);
}

void draw_second_line(Screen& screen, const PartRow& row) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {screen.px(6), screen.px(1)});
  if (row.asked)
    draw_count(screen, row);
  else if (row.memory)
    draw_memory(screen, row);
  else if (row.store)
    draw_store(screen, row);
  else
    draw_plain_count(screen, row);
  ImGui::PopStyleVar();
}

/// Right-aligned, dimmed.
void draw_power(const Screen& screen, const PartRow& row, const Place& place) {
  const std::string words =
      row.power_W && *row.power_W > 0 ? text(Power{*row.power_W * row.count}, 3) : "";
  const float width = ImGui::CalcTextSize(words.c_str()).x;
  ImGui::SetCursorPos({place.at.x + place.width - width, place.at.y + place.line - screen.px(2)});
  dim_text(screen, words);
  tooltip(screen, "At full load");
}

void draw_row_of_parts(Screen& screen, const PartRow& row) {
  const bool chosen = std::ranges::count(row.ids, screen.view.selected) > 0;
  const Place place{ImGui::GetCursorPos(), ImGui::GetContentRegionAvail().x,
                    ImGui::GetTextLineHeight() + screen.px(5)};
  const float height = 2 * place.line + screen.px(5);
  if (chosen) {
    const ImVec4& accent = screen.colors().accent;
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(
        from, {from.x + place.width, from.y + height - screen.px(2)},
        packed({accent.x, accent.y, accent.z, 0.16F}), screen.px(4));
    if (std::exchange(screen.view.show_selected, false)) ImGui::SetScrollHereY();
  }
  ImGui::PushID(row.name.c_str());
  dim_text(screen, row.label);
  const float titles = place.width - screen.px(kRowLabels) - screen.px(kRowPrices);
  ImGui::SetCursorPos({place.at.x + screen.px(kRowLabels), place.at.y});
  draw_title(screen, row, titles);
  ImGui::SetCursorPos({place.at.x + screen.px(kRowLabels) + titles, place.at.y});
  draw_price(screen, row);
  ImGui::SetCursorPos({place.at.x + screen.px(kRowLabels), place.at.y + place.line - screen.px(2)});
  draw_second_line(screen, row);
  if (row.kind != "memory" && row.kind != "system" && row.kind != "fabric") {
    const float numbers = ImGui::CalcTextSize("Numbers…").x;
    ImGui::SetCursorPos({place.at.x + place.width - numbers - screen.px(66),
                         place.at.y + place.line - screen.px(2)});
    if (!row.store) {
      ImGui::PushStyleColor(ImGuiCol_Button, {0, 0, 0, 0});
      if (ImGui::SmallButton("Numbers…"))
        show_numbers(screen, row.kind, row.product, title_of(screen, row));
      ImGui::PopStyleColor();
      note(screen, "Numbers of " + row.name);
      tooltip(screen, "What is known of it, and your own values");
    }
  }
  draw_power(screen, row, place);
  ImGui::PopID();
  ImGui::SetCursorPos({place.at.x, place.at.y + height});
}

struct AddWords {
  const char* key;
  const char* add;
};
constexpr AddWords kAdds[] = {{"cpu", "Add processors…"},
                              {"gpu", "Add GPUs…"},
                              {"drives", "Add drives…"},
                              {"nics", "Add cards…"}};

/// The buttons beside one another, as far as there is room.
void draw_adds(Screen& screen) {
  bool first = true;
  const float end = ImGui::GetWindowContentRegionMax().x;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {screen.px(6), screen.px(2)});
  const auto add = [&](const char* label) {
    const float width = ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (!std::exchange(first, false) && room_behind_item(end - width))
      ImGui::SameLine(0, screen.px(5));
    return button(screen, label);
  };
  if (const auto requested = screen.view.requested)
    for (const RequestedParts& parts : requested->parts) {
      const auto* const words = std::ranges::find(
          kAdds, parts.key, [](const AddWords& one) { return std::string(one.key); });
      if (parts.key == "cpu" && !parts.parts.empty()) continue;
      if (add(words->add)) choose(screen, choosing_for(parts, parts.parts.size()));
    }
  if (add("Add a shared store…")) choose(screen, choosing_store(screen.session.catalog()));
  if (add("Add a store of servers…")) choose(screen, choosing_servers(screen.session.catalog()));
  ImGui::PopStyleVar();
}

/// "prices: 3 of 6 estimated *, 1 quoted q".
std::string marks_in_words(const std::vector<PartRow>& rows) {
  const auto with = [&](PriceMark mark) { return std::ranges::count(rows, mark, &PartRow::mark); };
  const auto priced = with(PriceMark::list) + with(PriceMark::estimate) + with(PriceMark::quote);
  std::string words = fmt::format("{} of {} estimated *", with(PriceMark::estimate), priced);
  if (with(PriceMark::quote) > 0) words += fmt::format(", {} quoted q", with(PriceMark::quote));
  if (with(PriceMark::unknown) > 0) words += fmt::format(", {} unknown", with(PriceMark::unknown));
  return words;
}

void draw_right(const std::string& words) {
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(words.c_str()).x);
  ImGui::TextUnformatted(words.c_str());
}

/// The sum of the answer to the scenario as it is; nothing stale.
void draw_total(Screen& screen) {
  const Session& session = screen.session;
  const bool current = session.standing() == Standing::current;
  const Result* const result = current ? session.result().get() : nullptr;
  ImGui::Separator();
  ImGui::PushFont(screen.fonts.strong);
  ImGui::TextUnformatted("Total");
  note(screen, "total");
  draw_right(!result              ? "…"
             : !result->price_USD ? "not known"
                                  : (result->without_price.empty() ? "" : "over ") +
                                        text_number(std::round(*result->price_USD), 15) + " USD");
  ImGui::PopFont();
  dim_text(screen, result ? marks_in_words(screen.view.rows) : "…");
  if (result && result->power_W)
    draw_right((result->without_power.empty() ? "" : "over ") + text(Power{*result->power_W}, 3));
  if (session.standing() == Standing::wrong) {
    ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().poor);
    clipped_text(screen, "Not possible: " + first_sentence(session.problems()), false);
    ImGui::PopStyleColor();
  } else if (current) {
    ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().good);
    clipped_text(screen, "Fits: places, lanes, sockets and sizes", false);
    ImGui::PopStyleColor();
  } else {
    dim_text(screen, "Checking…");
  }
  note(screen, "fit");
}

}  // namespace

void draw_parts(Screen& screen) {
  // A copy: an edit makes them anew.
  const std::vector<PartRow> rows = screen.view.rows;
  if (rows.empty()) dim_text(screen, "This machine lists no parts.");
  for (const PartRow& row : rows) {
    draw_row_of_parts(screen, row);
    if (row.store && !row.store->servers.empty()) draw_servers(screen, *row.store);
  }
  draw_adds(screen);
  draw_total(screen);
}

}  // namespace gpufeed::ui
