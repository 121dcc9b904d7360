// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include "frames.h"

namespace lacuna::python {
namespace {

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kBadInput:
      return "InputError";
    case ErrorCode::kBadOption:
      return "OptionError";
    case ErrorCode::kNotAdditive:
      return "NotAdditiveError";
    case ErrorCode::kUnsupported:
      return "UnsupportedError";
    case ErrorCode::kIo:
      return "FileError";
  }
  return "InternalError";
}

}  // namespace

void raise(const Error& error) {
  const nb::object type = nb::module_::import_("lacuna_sdc._errors").attr(name_of(error.code));
  const nb::object made = type(str_of(error.message), str_of(error.where));
  PyErr_SetObject(type.ptr(), made.ptr());
  throw nb::python_error();
}

}  // namespace lacuna::python
