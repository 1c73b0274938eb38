// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// gpufeed for programs of others: what they link as gpufeed::gpufeed of find_package(gpufeed).
/// Names and meanings stay within a major version; JSON may get more keys. Everything may be called
/// by several threads at a time. A fault of gpufeed itself ends the process, as an assertion does.
namespace gpufeed::v1 {

/// One thing that is wrong with what was given.
struct Problem {
  std::string code;         ///< such as "unknown_key": does not change with the wording
  std::string file;         ///< or option
  std::int64_t line = 0;    ///< from 1; 0 where none is known
  std::int64_t column = 0;  ///< likewise
  std::string key;          ///< the key it is about; may be empty
  std::string sentence;     ///< for people
};

/// What was given is wrong; `what()` has a line for each problem.
class InputError : public std::runtime_error {
 public:
  /// \param json  the problems as gpufeed check --json writes them
  InputError(const std::string& what, std::vector<Problem> problems, std::string json)
      : std::runtime_error(what), problems_(std::move(problems)), json_(std::move(json)) {}
  const std::vector<Problem>& problems() const { return problems_; }
  const std::string& json() const { return json_; }

 private:
  std::vector<Problem> problems_;
  std::string json_;
};

/// Where names are looked up, and what things cost.
struct Settings {
  std::vector<std::filesystem::path> catalogs;  ///< folders of KIND/NAME.toml, as of --catalog
  std::optional<std::filesystem::path> prices;  ///< CSV, as of --prices
};

/// An answer, in the forms that the verb of that name has.
struct Answer {
  std::string json;  ///< all of it; numbers in the unit that ends their name
  std::string text;  ///< a screen
};

/// What `Scenario::simulate` answers, but for the timeline, which is empty.
struct Result : Answer {
  /// A number by its name in the JSON, "job_samples_per_s" or "bottleneck.load": a column of
  /// sweeps. \return nothing where it is not known of this job \throws InputError  for other names
  std::optional<double> number(std::string_view name) const;

  std::vector<std::optional<double>> numbers;  ///< what `number` looks into
};

/// A value of a table; nothing where it is not known.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

/// A scenario with other values for some keys. Cheap to copy; never changes.
class Scenario {
 public:
  struct Source;
  explicit Scenario(std::shared_ptr<const Source> source) : source_(std::move(source)) {}

  /// The same with another value for a key: "loader.workers_per_gpu", "16"; as of --set, where a
  /// value that is empty leaves the key out. \throws InputError  where no scenario could have it
  Scenario with(const std::string& key, const std::string& value) const;
  /// All it says, every default spelled. \throws InputError  where it does not hold together
  std::string toml() const;
  /// \throws InputError
  Result simulate() const;
  /// What a sweep's row has of it, by the names of the columns: simulated once, without intervals
  /// and the other runs that say how sure an answer is, so that a loop over many scenarios is as
  /// fast as a sweep. \throws InputError
  std::vector<std::pair<std::string, Cell>> point() const;
  /// One change at a time, as gpufeed whatif. \param jobs  threads; 0: one a core
  /// \throws InputError
  Answer what_if(bool free_only = false, unsigned jobs = 0) const;

  const Source& source() const { return *source_; }

 private:
  std::shared_ptr<const Source> source_;
};

/// Reads a scenario and checks it. \throws InputError
Scenario load(const std::filesystem::path& file, const Settings& settings = {});
/// The same of a text; `name` stands for its file in messages, and paths are relative to it.
Scenario parse(const std::string& text, const std::string& name = "scenario",
               const Settings& settings = {});

/// A row for each point of a sweep, in their order.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

/// Simulates all points of a file as gpufeed sweep does.
/// \param store  the SQLite file that takes them as they come, and from which it goes on; default:
///               none stays
/// \param jobs   threads; 0: one a core
/// \throws InputError
Table sweep(const std::filesystem::path& file, const Settings& settings = {}, unsigned jobs = 0,
            const std::optional<std::filesystem::path>& store = {});

/// The best choice of a goal, as gpufeed recommend. \throws InputError
Answer recommend(const std::filesystem::path& goal, const Settings& settings = {},
                 unsigned jobs = 0);
/// Two to six scenarios side by side, as gpufeed compare. \throws InputError
Answer compare(const std::vector<Scenario>& scenarios);
/// Predictions against measurements, as gpufeed validate. \param paths  none: those that came with
/// gpufeed \throws InputError
Answer validate(const std::vector<std::filesystem::path>& paths = {}, const Settings& settings = {},
                unsigned jobs = 0);
/// This machine as the TOML of a system, as gpufeed discover --output -. \throws InputError
std::string discover(const Settings& settings = {});

/// The folder of the examples that came with gpufeed.
std::filesystem::path examples();

/// The version of gpufeed.
std::string version();

}  // namespace gpufeed::v1
