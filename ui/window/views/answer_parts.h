// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/model/build/serving_form.h"
#include "ui/model/show/serving_page.h"
#include "ui/window/kit/screen.h"

// What pages that have no scenario have in common: a form of keys, cards and tables.
namespace gpufeed::ui {

/// A key, which what is typed in changes; an empty field takes it out of the text.
void draw_row(Screen& screen, const ServingRow& row);
/// Three in a row.
void draw_cards_of(Screen& screen, const std::vector<ServingCard>& cards);
void draw_table(Screen& screen, const ServingTable& table);

}  // namespace gpufeed::ui
