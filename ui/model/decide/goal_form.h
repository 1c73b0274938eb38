// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/study/recommendation.h"
#include "ui/model/build/parameters.h"
#include "ui/model/build/requested_machine.h"
#include "ui/model/decide/sweep_form.h"

namespace gpufeed::ui {

/// What of all choices is wanted.
enum class Aim { cheapest, fastest, front };

/// What a user fills in to have the best configuration found. A condition that is empty is none.
struct GoalForm {
  Aim aim = Aim::cheapest;
  std::string busy = "90 %";  ///< GPUs, at least
  std::string rate;           ///< samples/s, at least
  std::string hours;          ///< to the result, at most
  std::string price;          ///< USD, at most
  std::string power;          ///< W, at most
  std::vector<AxisForm> axes;
};

/// What a goal may choose: the parts of a machine in a chassis, such as "system.drives", and what
/// of the scenario is a key.
std::vector<Parameter> choosable(const std::optional<RequestedMachine>& requested,
                                 const Scenario& scenario, const Result& result);

/// "1..8 x NAME" of drives and network cards, the present parts of all else; other parameters as
/// in a sweep.
AxisForm suggested_choice(const Parameter& parameter);

/// A kind of catalog entry whose products may be added to the parameter's values; else empty.
std::string kind_of_parts(const Parameter& parameter);

/// Values of a parameter of parts, and a product more: as many of it as of the last one.
std::string with_product_added(const std::string& list, const std::string& product);

/// The form as the file that `gpufeed recommend` takes. \param scenario  its file
/// \throws InputError  with everything that is not filled in as it must be
std::string goal_text(const GoalForm& form, const std::string& scenario);

/// `text`, a scenario, as a choice has it. \throws InputError  where the text cannot say it
std::string with_choice(const std::string& text, const gpufeed::Choice& choice);

}  // namespace gpufeed::ui
