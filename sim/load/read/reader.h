// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/load/read/catalog.h"
#include "sim/load/read/forms.h"
#include "sim/load/read/front_door.h"
#include "sim/model/fields/calibrated.h"
#include "sim/model/fields/default_value.h"
#include "sim/model/fields/old_name.h"

namespace gpufeed {

/// Keys with which an entry's file takes values from another entry: Reader::entry_table.
inline constexpr std::string_view kLikeKey = "like", kWithoutKey = "without";

/// What an entry says, and of whom it takes what it does not say itself; empty: of none.
struct EntryTable {
  toml::table table;
  std::string like;
};

/// Turns TOML tables into structs by their `fields()`. Every problem goes to `out`; nothing throws.
/// Places are named as `--set` names them: `system.gpu[gpu3].at`.
/// The templates are defined in reader.cpp and instantiated there alone, for `Scenario` and for
/// every kind of catalog entry. What does not depend on the type stays out of them: where entries
/// are found is in reader_entries.cpp.
class Reader {
 public:
  Reader(const Catalog& catalog, std::string file, Diagnostics& out)
      : catalog_(catalog), file_(std::move(file)), out_(out) {}

  /// Catalog names of the tables that overrides have put in the place of a name.
  std::map<std::string, std::string> inlined;
  /// "path=value" of the overrides that went into such a table, or one of `tables`.
  std::vector<std::string> set_within;
  /// Entries of the scenario that its file gives as tables, as TOML, by their place.
  std::map<std::string, std::string> tables;
  /// Of every scenario key that was not given.
  std::vector<DefaultValue> defaults;
  /// What overrides with a provenance of their own put in the place of other values.
  std::vector<CalibratedValue> calibrated;
  /// What the parts of tables are called that hold values of catalog entries which the user has set
  /// for this run: `source_path` of their nodes.
  std::set<std::string, std::less<>> words_of_user;
  /// Keys that were given by an old name.
  std::vector<OldName> old_names;
  /// Keys that are there, but misspelt or already reported: "workload.model".
  std::set<std::string, std::less<>> misspelt;

  template <HasFields T>
  void read_table(const toml::table& table, const std::string& place, T& value);

  /// Puts the user's own values of an entry, where the catalog has some, in the place of the
  /// entry's.
  void put_own_values(toml::table& entry, std::string_view kind, const std::string& name);
  /// Loads the entry that `ref.name` names: in the catalog, or in a file beside `ref.where`.
  template <class T>
  void resolve(Ref<T>& ref, const std::string& place) {
    if (const auto file = locate(T::kKind, ref.name, ref.where, place))
      ref.entry = entry_of<T>(*file);
  }

  /// Reads what `node` names or is, as at `place`.
  template <class T>
  void read_part(const toml::node& node, const std::string& place, Ref<T>& ref);

  /// Reads the entry in `file`; nothing where it cannot be read. An entry is read once.
  template <class T>
  std::shared_ptr<const T> entry_of(const std::filesystem::path& file);

  /// Reads the catalog's entry of this name; null where it has none, or cannot read it.
  template <class T>
  std::shared_ptr<const T> entry_named(const std::string& name) {
    const auto file = catalog_.find(T::kKind, name);
    return file ? entry_of<T>(*file) : nullptr;
  }

  /// The table of the entry in `file`; where that has a key `like`, with what it takes from the
  /// entry of its kind that this names. An entry takes each key that it does not give itself: lists
  /// and arrays of tables as a whole; but not `title`, `source` and `basis`, nor what it lists in
  /// `without`. A value that it takes keeps the source and basis that it has there. Nothing where
  /// it cannot be read, the other is not there or of another kind, or is like this one.
  /// \param alike  the entries that this one is taken over by
  std::optional<EntryTable> entry_table(std::string_view kind, const std::filesystem::path& file,
                                        std::vector<std::filesystem::path> alike = {});

  /// The file of the entry called `name` at `where`: in the catalog, or a path beside the file
  /// where it stands; nothing after a problem was reported.
  std::optional<std::filesystem::path> locate(std::string_view kind, const std::string& name,
                                              const Location& where, const std::string& place);

  const Catalog& catalog() const { return catalog_; }
  Location at(const toml::node& node) const { return location(node.source(), file_); }

 private:
  /// Whether nothing of the kind was said of this place in the text before: an override of several
  /// parts is one text.
  bool is_new(const Location& where, const std::string& what) {
    return said_.insert(fmt::format("{}:{}:{}:{}", where.file, where.line, where.column, what))
        .second;
  }
  /// Whether `text` holds no control characters but line ends, and ids not even those; else
  /// reports.
  bool is_printable(std::string_view text, const Location& where, const std::string& place);
  /// Whether the file at `path`, seen from `where`, may be read; else reports that it may not.
  bool may_name(const std::string& path, const Location& where, const std::string& place);
  using Keys = std::span<const std::string_view>;

  static std::string prefix(const std::string& place);
  static std::string join(const std::string& place, std::string_view key);
  /// The place of an array's element: by its id, else by its number.
  static std::string element_place(const std::string& place, const toml::node& item,
                                   std::size_t index);

  /// A table being read.
  struct Here {
    const toml::table& table;
    const std::string& place;
    Entry* entry;                              ///< what it describes, if that is an entry
    std::set<std::string, std::less<>> meant;  ///< keys that are there, but misspelt or implied
    /// What is to say of keys that stand in another kind of this table.
    std::map<std::string, std::string, std::less<>> foreign = {};
  };

  /// The keys of a type, and what else it calls them.
  struct KeyNames {
    std::vector<std::string_view> names, aliases;
  };
  template <HasFields T>
  static KeyNames names_in(const T& value);

  /// Reports every key of the table but `keys`, and remembers what it probably means: a misspelt
  /// key is one problem, not two.
  void report_unknown(Here& here, const KeyNames& keys);
  /// What stands at a key, by its name or alias; null where nothing does.
  const toml::node* node_of(const Here& here, std::string_view name, std::string_view alias,
                            std::string_view deprecated);
  void missing(const toml::table& table, const std::string& place, std::string_view key,
               const std::string& must_be);
  /// \param units  those of the key, to name the unit that is not one of them
  void mismatch(const toml::node& node, const std::string& place, const std::string& must_be,
                const UnitTable* units = nullptr);
  /// \param nearest  that may stand there, as TOML writes it
  void out_of_range(const toml::node& node, const std::string& place, const std::string& must_be,
                    const std::string& nearest);
  /// Of a word that is none of `words`.
  void wrong_word(const toml::node& node, const std::string& place, Keys words);
  /// What `must_be` and does not, unless it was reported.
  void add_mismatch(const toml::node& node, const std::string& place, Problem problem);
  void must_stand_together(const toml::table& table, const std::string& place, std::string_view one,
                           std::string_view other);
  void note_default(const std::string& place, const std::string& value);

  /// How to read the entries of a kind.
  struct Kind {
    std::string_view name;
    std::shared_ptr<const void> (Reader::*read)(const toml::table&, const std::string& place,
                                                Entry start, bool needs_provenance);
  };
  template <class T>
  static constexpr Kind kind_of() {
    return {T::kKind, &Reader::read_entry<T>};
  }
  template <class T>
  std::shared_ptr<const void> read_entry(const toml::table& table, const std::string& place,
                                         Entry start, bool needs_provenance);
  /// The file of the entry that `node` says this one is like.
  std::optional<std::filesystem::path> file_like(std::string_view kind, const toml::node& node,
                                                 const std::vector<std::filesystem::path>& alike);
  /// Takes out of `other` what `table` does not take over.
  bool leave_out(const toml::table& table, toml::table& other);
  /// Moves what `table` takes from `other` there.
  void take_over(toml::table& table, toml::table& other);

  /// As `entry_of`.
  std::shared_ptr<const void> entry_in(const std::filesystem::path& file, const Kind& kind);
  /// The entry that `node` names or is; says in `name` and `where` which.
  std::shared_ptr<const void> entry_at(const toml::node& node, const std::string& place,
                                       const Kind& kind, std::string& name, Location& where);

  /// Reads `kind`, and says of the keys of other kinds whose they are. \return whether it is known
  template <HasKinds T>
  bool read_kind(Here& here, T& value);
  template <class M>
  void read_key(const Here& here, const Rule<M>& rule, M& value);
  template <class T>
  void read(const toml::node& node, const std::string& place, Ref<T>& ref);
  void read(const toml::node& node, const std::string& place, std::string& value);
  void read(const toml::node& node, const std::string& place, bool& value);
  void read(const toml::node& node, const std::string& place, double& value);
  void read(const toml::node& node, const std::string& place, std::int64_t& value);
  void read(const toml::node& node, const std::string& place, PartRef& value);
  void read(const toml::node& node, const std::string& place, Label& value);
  void read(const toml::node& node, const std::string& place, Generation& value);
  void read(const toml::node& node, const std::string& place, Redundancy& value);
  void read(const toml::node& node, const std::string& place, FileRef& value);
  void read(const toml::node& node, const std::string& place, KeyPath& value);
  void read(const toml::node& node, const std::string& place, Literal& value);
  void read(const toml::node& node, const std::string& place, Condition& value);
  template <class Unit>
  void read(const toml::node& node, const std::string& place, Quantity<Unit>& value);
  template <NamedEnum E>
  void read(const toml::node& node, const std::string& place, E& value);
  template <HasFields T>
  void read(const toml::node& node, const std::string& place, T& value);
  template <class M>
  void read(const toml::node& node, const std::string& place, std::vector<M>& list);
  template <class M>
  void read(const toml::node& node, const std::string& place, Named<M>& named);
  /// The number of the word in `words`.
  std::optional<std::size_t> read_word(const toml::node& node, const std::string& place,
                                       Keys words);

  /// The value of `{ value = ..., source = "...", basis = "..." }`, whose origin is kept in
  /// `entry`; any other node as it is.
  const toml::node* unwrap(const toml::node& node, const std::string& place, std::string_view key,
                           Entry& entry);
  void read_provenance(const toml::table& table, const std::string& place, Provenance& provenance,
                       bool required);

  struct DefaultNoter;
  struct MemberReader;
  template <class M>
  void note_defaults(const std::string& place, const M& value);

  const Catalog& catalog_;
  std::string file_;
  Diagnostics& out_;
  int nesting_ = 0;
  std::map<EntryKey, std::shared_ptr<const void>> entries_;
  std::set<std::string> said_;
};

}  // namespace gpufeed
