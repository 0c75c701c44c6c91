// SPDX-License-Identifier: Apache-2.0
//
// What the Python module `weft` calls. Results of engines pass as JSON texts, which are what the
// command line writes; the Python side makes objects of them.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "arch/config.h"
#include "arch/estimate.h"
#include "base/error.h"
#include "base/installation.h"
#include "base/interrupt.h"
#include "rtl_gen/emit/emission.h"
#include "synth/compose.h"
#include "synth/composition_report.h"
#include "synth/fpga/device.h"
#include "synth/synth.h"
#include "testbenches/digits/digits_cosim.h"
#include "testbenches/switch/cosim.h"
#include "testbenches/tensor_array/workload_cosim.h"
#include "workbench/configurations.h"
#include "workbench/cosimulate.h"
#include "workbench/evaluate.h"
#include "workbench/rtl.h"
#include "workbench/synthesis_job.h"

namespace py = pybind11;

namespace weft::python {
namespace {

/// A long call: Python goes on meanwhile, and Ctrl-C ends it.
template <class Call>
auto released(Call call) {
  int signal = 0;
  {
    const py::gil_scoped_release release;
    const base::InterruptScope interrupts;
    try {
      return call();
    } catch (const base::Interrupted& interrupted) {
      signal = interrupted.signal;
    }
  }
  if (signal == SIGINT) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
  std::raise(signal);
  throw ToolError("interrupted");
}

py::object to_python(const arch::Value& value) {
  return std::visit([](const auto& held) -> py::object { return py::cast(held); }, value);
}

py::dict to_python(const arch::Values& values) {
  py::dict result;
  for (const auto& [name, value] : values) result[py::str(name)] = to_python(value);
  return result;
}

arch::Value to_value(const std::string& name, const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::hasattr(value, "__index__")) {
    return py::reinterpret_borrow<py::object>(value).attr("__index__")().cast<std::int64_t>();
  }
  if (py::isinstance<py::sequence>(value)) return value.cast<arch::IntegerList>();
  throw UserError(name + ": " + std::string(py::repr(value)) +
                  " is no integer, boolean, word or list of integers");
}

const arch::Kind& kind_of(const std::string& name) {
  if (const arch::Kind* kind = arch::find_kind(name)) return *kind;
  throw UserError("there is no kind '" + name + "'");
}

arch::Values to_values(const py::dict& values) {
  arch::Values result;
  for (const auto& [name, value] : values) {
    const auto word = name.cast<std::string>();
    result[word] = to_value(word, value);
  }
  return result;
}

/// The configuration that has these values. Throws UserError with everything that is wrong.
arch::Config to_config(const std::string& kind, const py::dict& values) {
  const arch::Kind& declared = kind_of(kind);
  const arch::Values converted = to_values(values);
  const auto objections = arch::objections(declared, converted);
  if (objections.empty()) return arch::config_of(declared, converted);
  std::string text;
  for (const std::string& objection : objections) text += (text.empty() ? "" : "\n") + objection;
  throw UserError(text);
}

py::list kinds() {
  py::list result;
  for (const arch::Kind* kind : arch::kinds()) {
    py::list parameters;
    for (const arch::Parameter& parameter : kind->parameters) {
      py::dict entry;
      entry["name"] = parameter.name;
      entry["type"] = arch::type_text(parameter.domain);
      entry["legal"] = arch::legal_text(parameter.domain);
      entry["unit"] = parameter.unit;
      entry["doc"] = parameter.doc;
      entry["automatic"] = parameter.automatic;
      entry["default"] =
          parameter.default_value ? to_python(*parameter.default_value) : py::object(py::none());
      parameters.append(entry);
    }
    py::dict entry;
    entry["name"] = kind->name;
    entry["doc"] = kind->doc;
    entry["parameters"] = parameters;
    result.append(entry);
  }
  return result;
}

py::tuple load(const std::string& argument) {
  std::vector<std::string> warnings;
  const arch::Config config = workbench::load_configuration(
      argument, [&](const std::string& text) { warnings.push_back(text); });
  return py::make_tuple(config.kind, to_python(arch::values_of(config)), warnings);
}

std::vector<arch::Workload> workloads_of(const std::vector<std::string>& names) {
  std::vector<arch::Workload> workloads;
  for (const std::string& name : names)
    workloads.push_back(workbench::load_workload(name, [](const std::string&) {}));
  return workloads;
}

std::vector<std::pair<std::string, std::string>> listing(
    const std::vector<workbench::Preset>& presets) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& preset : presets) result.emplace_back(preset.name, preset.description());
  return result;
}

workbench::Conditions conditions_of(const py::dict& options) {
  workbench::Conditions conditions;
  for (const auto& [key, value] : options) {
    const auto name = key.cast<std::string>();
    if (name == "workloads") {
      conditions.workloads = workloads_of(value.cast<std::vector<std::string>>());
    } else if (name == "traffic") {
      conditions.traffic = value.cast<std::string>();
    } else if (name == "packet") {
      conditions.packet = py::str(value).cast<std::string>();
    } else if (name == "load") {
      conditions.load = value.cast<double>();
    } else if (name == "target") {
      conditions.target = value.cast<std::string>();
    } else if (name == "dont_use") {
      conditions.dont_use = value.cast<std::vector<std::string>>();
    } else if (name == "recipe") {
      conditions.recipe = value.cast<std::string>();
    } else if (name == "clock_ns") {
      conditions.clock_ns = value.cast<double>();
    } else if (name == "transactions") {
      conditions.transactions = value.cast<std::uint64_t>();
    } else if (name == "seed") {
      conditions.seed = value.cast<std::uint64_t>();
    } else if (name == "cache") {
      conditions.cache = value.cast<std::filesystem::path>();
    } else {
      throw UserError("there is no option '" + name + "'");
    }
  }
  return conditions;
}

py::list metrics(const std::string& kind, const std::string& depth, const py::dict& options) {
  py::list result;
  for (const auto& metric :
       workbench::metrics(kind, workbench::parse_depth(depth), conditions_of(options))) {
    result.append(py::make_tuple(metric.name, metric.unit, metric.doc));
  }
  return result;
}

std::string synthesise(const arch::Config& config, const std::filesystem::path& directory,
                       const std::string& target, const std::vector<std::string>& dont_use,
                       const std::string& recipe, double clock_ns, bool flat,
                       const std::filesystem::path& cache) {
  synth::Request request;
  request.target = target;
  request.target_options.dont_use = dont_use;
  request.recipe.name = recipe;
  request.clock_ns = clock_ns;
  request.cache_directory = workbench::synth_cache(cache);
  const auto job = workbench::configuration_job(config, directory, std::move(request));
  if (flat || synth::find_fpga(target) != nullptr) return to_json(synth::run(job.request)).dump();
  return to_json(synth::compose(job.request, *job.hierarchy)).dump();
}

}  // namespace
}  // namespace weft::python

PYBIND11_MODULE(_core, module) {
  using namespace weft;          // NOLINT(google-build-using-namespace)
  using namespace weft::python;  // NOLINT(google-build-using-namespace)

  module.def("version", [] { return std::string(base::version()); });
  module.def("set_data_directory", &base::set_data_directory);
  module.def("kinds", &kinds);
  module.def("load", &load);
  module.def("presets", [] { return listing(workbench::preset_configurations()); });
  module.def("workloads", [] { return listing(workbench::preset_workloads()); });
  module.def("objections", [](const std::string& kind, const py::dict& values) {
    return arch::objections(kind_of(kind), to_values(values));
  });
  module.def("resolved", [](const std::string& kind, const py::dict& values) {
    return to_python(arch::values_of(to_config(kind, values)));
  });
  module.def("canonical", [](const std::string& kind, const py::dict& values) {
    return arch::canonical_form(to_config(kind, values));
  });
  module.def("digest", [](const std::string& kind, const py::dict& values) {
    return arch::digest(to_config(kind, values));
  });
  module.def("generate", [](const std::string& kind, const py::dict& values,
                            const std::filesystem::path& directory, double clock_ns) {
    const arch::Config config = to_config(kind, values);
    return released([&] {
      const rtl::Emission emission = rtl::emit(config, {.clock_ns = clock_ns});
      rtl::write(emission, directory);
      std::vector<std::string> names;
      for (const auto& [name, text] : emission.files) names.push_back(name);
      return names;
    });
  });
  module.def("estimate",
             [](const std::string& kind, const py::dict& values, const std::string& workload) {
               const arch::Config config = to_config(kind, values);
               const auto* array = std::get_if<arch::TensorArray>(&config.design);
               if (array == nullptr) throw UserError("kind " + kind + " has no workload estimate");
               return to_json(arch::estimate(*array, workloads_of({workload}).front())).dump();
             });
  module.def("metrics", &metrics);
  module.def(
      "evaluate", [](const std::string& kind, const py::dict& values, const std::string& depth,
                     const py::dict& options, const std::filesystem::path& directory) {
        const arch::Config config = to_config(kind, values);
        const workbench::Conditions conditions = conditions_of(options);
        const workbench::Depth parsed = workbench::parse_depth(depth);
        return released([&] { return workbench::evaluate(config, parsed, conditions, directory); });
      });
  module.def("synthesise", [](const std::string& kind, const py::dict& values,
                              const std::filesystem::path& directory, const std::string& target,
                              const std::vector<std::string>& dont_use, const std::string& recipe,
                              double clock_ns, bool flat, const std::filesystem::path& cache) {
    const arch::Config config = to_config(kind, values);
    return released([&] {
      return synthesise(config, directory, target, dont_use, recipe, clock_ns, flat, cache);
    });
  });
  module.def("cosimulate", [](const std::string& kind, const py::dict& values,
                              const std::string& workload, std::uint64_t transactions,
                              std::uint64_t seed, const std::filesystem::path& cache) {
    const arch::Config config = to_config(kind, values);
    return released(
        [&] { return workbench::cosimulate(config, workload, transactions, seed, cache).dump(); });
  });

  static py::exception<UserError> configuration_error(module, "ConfigurationError",
                                                      PyExc_ValueError);
  static py::exception<ToolError> tool_error(module, "ToolError", PyExc_RuntimeError);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const UserError& error) {
      configuration_error(error.what());
    } catch (const ToolError& error) {
      tool_error(error.what());
    }
  });
}
