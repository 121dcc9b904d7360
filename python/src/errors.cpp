// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include <algorithm>

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

// An option is a keyword, --time-limit 3; a file to be written needs no name of an option.
std::string place_of(const std::string& where) {
  if (!where.starts_with('-'))
    return where;
  const std::size_t start = std::min(where.find_first_not_of('-'), where.size());
  const std::size_t blank = std::min(where.find(' ', start), where.size());
  std::string name = where.substr(start, blank - start);
  if ((name == "o" || name == "public") && blank < where.size())
    return where.substr(blank + 1);
  std::replace(name.begin(), name.end(), '-', '_');
  return name + where.substr(blank);
}

}  // namespace

void raise(const Error& error) {
  const nb::object type = nb::module_::import_("lacuna_sdc._errors").attr(name_of(error));
  const nb::object made = type(str_of(error.message), str_of(place_of(error.where)));
  made.attr("code") = str_of(info_of(error.code).name);
  made.attr("path") = str_of(error.path);
  PyErr_SetObject(type.ptr(), made.ptr());
  throw nb::python_error();
}

}  // namespace lacuna::python
