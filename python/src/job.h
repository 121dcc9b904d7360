// SPDX-License-Identifier: Apache-2.0
// The arguments of a call as a job: a dictionary of Python's values becomes a JobSpec, by the one
// reader of jobs (data/spec/job_spec.h), and the places of its values are the names of the
// arguments.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <string_view>

#include "data/spec/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::python {

namespace nb = nanobind;

// A job of arguments; never changed.
class ArgumentJob {
 public:
  // `sections` has the keys of a job; `arguments` says, by the path of a value or of what it stands
  // in ("columns.respondent", "dimension[0]"), which argument it came from.
  ArgumentJob(const nb::dict& sections, const nb::dict& arguments);

  const std::shared_ptr<const spec::ReadSpec>& spec() const { return spec_; }
  std::string toml() const;

 private:
  std::shared_ptr<const spec::ReadSpec> spec_;
};

// Options as keywords of Python: unasked="publish". Keys are those of job files.
std::string with_keywords(std::string_view message);
std::string with_keywords_in_json(std::string_view json);
// Keys as arguments, too: negative=True, dims.
std::string as_arguments(std::string_view message);
Error as_arguments(Error error);

void bind_job(nb::module_& module);

}  // namespace lacuna::python
