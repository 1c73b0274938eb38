// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/cli/options.h"

namespace gpufeed::cli {

// Each takes the arguments after its name, and returns the exit status.
// \throws UsageError, InputError
int simulate_verb(const Arguments& arguments);
int check_verb(const Arguments& arguments);
int new_verb(const Arguments& arguments);
int catalog_verb(const Arguments& arguments);
int dataset_verb(const Arguments& arguments);
int import_verb(const Arguments& arguments);
int export_verb(const Arguments& arguments);
int discover_verb(const Arguments& arguments);
int calibrate_verb(const Arguments& arguments);
int compare_verb(const Arguments& arguments);
int whatif_verb(const Arguments& arguments);
int recommend_verb(const Arguments& arguments);
int replay_verb(const Arguments& arguments);
int observe_verb(const Arguments& arguments);
int anchor_verb(const Arguments& arguments);
int sweep_verb(const Arguments& arguments);
int requests_verb(const Arguments& arguments);
int merge_verb(const Arguments& arguments);
int validate_verb(const Arguments& arguments);
int examples_verb(const Arguments& arguments);
int tour_verb(const Arguments& arguments);
int doctor_verb(const Arguments& arguments);
int ui_verb(const Arguments& arguments);

// Exit statuses.
inline constexpr int kGood = 0;
inline constexpr int kNo = 1;  ///< the answer is "no": points are missing, a bar is missed
inline constexpr int kWrongInput = 2;
inline constexpr int kOurFault = 3;
inline constexpr int kSignaled = 128;  ///< and the number of the signal

}  // namespace gpufeed::cli
