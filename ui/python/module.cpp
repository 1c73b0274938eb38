// SPDX-License-Identifier: Apache-2.0
// The functions of ui/library for Python, bare: gpufeed/*.py makes them Python's.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "ui/library/gpufeed.h"

namespace py = pybind11;
namespace v1 = gpufeed::v1;

namespace {

using Release = py::call_guard<py::gil_scoped_release>;

/// Becomes gpufeed.InputError, which reads the problems from their JSON.
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const v1::InputError& error) {
    const py::object type = py::module_::import("gpufeed.errors").attr("InputError");
    PyErr_SetObject(type.ptr(), py::make_tuple(error.what(), error.json()).ptr());
  }
}

v1::Settings settings_of(std::vector<std::filesystem::path> catalogs,
                         std::optional<std::filesystem::path> prices) {
  return {std::move(catalogs), std::move(prices)};
}

/// A list for each column: what a NumPy array or a frame is made of.
py::dict by_column(const v1::Table& table) {
  py::dict out;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    py::list values;
    for (const auto& row : table.rows) values.append(row[column]);
    out[py::str(table.columns[column])] = values;
  }
  return out;
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  py::register_exception_translator(translate);
  py::class_<v1::Settings>(module, "Settings").def(py::init(&settings_of));
  py::class_<v1::Answer>(module, "Answer")
      .def_readonly("json", &v1::Answer::json)
      .def_readonly("text", &v1::Answer::text);
  py::class_<v1::Result, v1::Answer>(module, "Result");
  py::class_<v1::Scenario>(module, "Scenario")
      .def("set", &v1::Scenario::with, Release())
      .def("toml", &v1::Scenario::toml, Release())
      .def("simulate", &v1::Scenario::simulate, Release())
      .def("whatif", &v1::Scenario::what_if, Release())
      .def("point", [](const v1::Scenario& scenario) {
        const auto cells = [&] {
          const py::gil_scoped_release release;
          return scenario.point();
        }();
        py::dict out;
        for (const auto& [name, cell] : cells) out[py::str(name)] = cell;
        return out;
      });
  module.def("load", &v1::load, Release());
  module.def("parse", &v1::parse, Release());
  module.def("sweep", [](const std::filesystem::path& file, const v1::Settings& settings,
                         unsigned jobs, const std::optional<std::filesystem::path>& store) {
    const v1::Table table = [&] {
      const py::gil_scoped_release release;
      return v1::sweep(file, settings, jobs, store);
    }();
    return by_column(table);
  });
  module.def("recommend", &v1::recommend, Release());
  module.def("compare", &v1::compare, Release());
  module.def("validate", &v1::validate, Release());
  module.def("discover", &v1::discover, Release());
  module.def("examples", [] { return v1::examples().string(); });
  module.def("version", &v1::version);
}
