// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/kit/screen.h"

// Each draws one view, in a file of its own, into the room that is left or a panel of `size`.
namespace gpufeed::ui {

void draw_toolbar(Screen& screen);
/// In one row, or two where that is too narrow.
void draw_cards(Screen& screen, const Result& result);
void draw_settings(Screen& screen, ImVec2 size);
/// Choices of precision, memory, checkpoints, loading and cache, by words.
void draw_job_forms(Screen& screen, const Scenario& scenario);
/// The form of an engine that serves a language model, and its answer.
void draw_serving(Screen& screen, ImVec2 size);
/// The form of a cluster that jobs share, and what it did with them.
void draw_cluster(Screen& screen, ImVec2 size);
void draw_workload(Screen& screen, const Scenario& scenario);
/// The list of parts: a row of one height each, with count, price and power; then the sum.
void draw_parts(Screen& screen);
/// The form of a store that is made of servers, what is wrong beside each key.
void draw_servers(Screen& screen, const RequestedStore& store);
/// The row that says which page is shown, and pins.
void draw_pages(Screen& screen);
void draw_sweep(Screen& screen, ImVec2 size);
/// The best configuration of many, with its proof.
void draw_find(Screen& screen, ImVec2 size);
/// Why a real run is not as predicted.
void draw_explain(Screen& screen, ImVec2 size);
/// "Sweeping: 3 of 8 points".
std::string progress_text(const Sweeper& sweeper);
/// What each GPU does, step by step, and the first epoch against later ones.
void draw_timeline(Screen& screen, const Result& result, ImVec2 size);
/// The data on their way from where they lie to the GPUs, and how a language model lies over them.
void draw_path(Screen& screen, const Result& result, ImVec2 size);
/// What a tenth more of each resource, and what single changes would give.
void draw_what_if(Screen& screen, ImVec2 size);
/// The best of it, in a few lines.
void draw_advice_in_short(Screen& screen);
/// Makes a change in the open scenario.
void try_change(Screen& screen, const WhatIfRow& change);
void draw_compare(Screen& screen, ImVec2 size);
void draw_topology(Screen& screen, ImVec2 size);
void draw_stages(Screen& screen, const Result& result, ImVec2 size);
void draw_gpu_time(Screen& screen, const Result& result, ImVec2 size);
/// What work says that trains nothing, as the command line prints it.
void draw_report(Screen& screen, const Result& result, ImVec2 size);
/// What is wrong with the scenario as it is. \return its height, for what follows
void draw_problems(Screen& screen, ImVec2 size);
void draw_start(Screen& screen, ImVec2 size);
/// What is to be trained, where the data lie, what counts, and machines to start from.
void draw_job_start(Screen& screen, float height);
void draw_loading(Screen& screen, ImVec2 size);
void draw_status(Screen& screen);

void draw_open_dialog(Screen& screen);
void draw_save_dialog(Screen& screen);
void draw_report_dialog(Screen& screen);
void draw_keys_dialog(Screen& screen);
void draw_choose_dialog(Screen& screen);
void draw_settings_dialog(Screen& screen);
void draw_numbers_dialog(Screen& screen);

}  // namespace gpufeed::ui
