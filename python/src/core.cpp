// SPDX-License-Identifier: Apache-2.0
// The extension module lacuna_sdc._core.
#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "apps/cli/program.h"
#include "frames.h"
#include "held.h"
#include "job.h"
#include "lacuna/version.h"
#include "waiting.h"

namespace nb = nanobind;

namespace lacuna {
namespace {

// As the system has it: a file name need not be UTF-8, and Python keeps its bytes in a str.
std::string system_text(nb::handle text) {
  const nb::object bytes = nb::steal(PyUnicode_EncodeFSDefault(text.ptr()));
  if (!bytes.is_valid())
    throw nb::python_error();
  const nb::bytes view(bytes);
  return {view.c_str(), view.size()};
}

int run_arguments(const nb::list& arguments) {
  std::vector<std::string> texts;
  for (const nb::handle argument : arguments)
    texts.push_back(system_text(argument));
  std::vector<char*> argv;
  for (std::string& text : texts)
    argv.push_back(text.data());
  argv.push_back(nullptr);
  const nb::gil_scoped_release released;
  return run_command_line(static_cast<int>(texts.size()), argv.data());
}

}  // namespace
}  // namespace lacuna

NB_MODULE(_core, module) {
  // A process that ends during a run leaves objects behind, which is no fault of anybody's.
  nanobind::set_leak_warnings(false);
  module.def(
      "version",
      [] { return nb::str(lacuna::version().data(), lacuna::version().size()); },
      nb::sig("def version() -> str"),
      "The version of Lacuna.");
  nanobind::module_::import_("atexit").attr("register")(
      nanobind::cpp_function(&lacuna::python::end_runs));
  lacuna::python::bind_frames(module);
  lacuna::python::bind_options_of_jobs(module);
  lacuna::python::bind_job(module);
  lacuna::python::bind_problem(module);
  lacuna::python::bind_audit(module);
  lacuna::python::bind_release(module);
  lacuna::python::bind_reports(module);
  lacuna::python::bind_argus(module);
  lacuna::python::bind_plan(module);
  module.def(
      "main",
      &lacuna::run_arguments,
      nb::arg("argv"),
      nb::sig("def main(argv: list[str]) -> int"),
      "Runs the command line, argv[0] being the name of the program; returns the exit code.");
}
