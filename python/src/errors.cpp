// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include "core/base/spelling.h"
#include "frames.h"

namespace lacuna::python {
namespace {

const char* name_of(const Error& error) {
  if (error.code == ErrorCode::kInternal)
    return "InternalError";
  switch (error.kind()) {
    case ErrorKind::kInput:
      return "InputError";
    case ErrorKind::kOption:
      return "OptionError";
    case ErrorKind::kNotAdditive:
      return "NotAdditiveError";
    case ErrorKind::kUnsupported:
      return "UnsupportedError";
    case ErrorKind::kFile:
      return "FileError";
  }
  return "InternalError";
}

}  // namespace

void raise(const Error& error) {
  const nb::object type = nb::module_::import_("lacuna_sdc._errors").attr(name_of(error));
  const nb::object made = type(str_of(error.message), str_of(base::place_in_call(error.where)));
  made.attr("code") = str_of(info_of(error.code).name);
  made.attr("path") = str_of(error.path);
  PyErr_SetObject(type.ptr(), made.ptr());
  throw nb::python_error();
}

}  // namespace lacuna::python
