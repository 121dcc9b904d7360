// SPDX-License-Identifier: Apache-2.0
// Values between R and C++: texts, named lists, pointers to what objects of R hold, and errors of
// the library, which come back to R as lists of class "lacuna_refusal" and are raised there.
#pragma once

#include <cpp11.hpp>
#include <cpp11/declarations.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/options.h"
#include "data/columns/output_table.h"
#include "lacuna/result.h"

namespace lacuna::r {

class Refusal {  // thrown inside an entry point, and caught by it
 public:
  explicit Refusal(Error error) : error_(std::move(error)) {}
  const Error& error() const { return error_; }

 private:
  Error error_;
};

template <class T>
T value_or_refuse(Result<T> result) {
  if (!result)
    throw Refusal(result.error());
  return std::move(result).value();
}

inline void ok_or_refuse(const Status& status) {
  if (!status)
    throw Refusal(status.error());
}

SEXP refusal_list(const Error& error);

// The body of an entry point: errors of ours as lists, all others as errors of R.
template <class Body>
SEXP entry(Body&& body) {
  BEGIN_CPP11
  try {
    return body();
  } catch (const Refusal& refusal) {
    return refusal_list(refusal.error());
  }
  END_CPP11
}

// ---- texts

std::string text_of(SEXP text);  // of a character vector, its first
std::vector<std::string> texts_of(SEXP texts);
cpp11::sexp sexp_of(std::string_view text);
cpp11::sexp sexp_of(const std::vector<std::string>& texts);

// ---- lists

class NamedList {
 public:
  NamedList& add(const char* name, cpp11::sexp value);
  NamedList& text(const char* name, std::string_view text) { return add(name, sexp_of(text)); }
  NamedList& number(const char* name, double number) {
    return add(name, cpp11::sexp(cpp11::as_sexp(number)));
  }
  NamedList& truth(const char* name, bool truth) {
    return add(name, cpp11::sexp(cpp11::as_sexp(truth)));
  }
  cpp11::sexp list() const;

 private:
  std::vector<std::string> names_;
  std::vector<cpp11::sexp> values_;
};

// From a named list of character vectors.
session::GivenOptions given_options(SEXP options);

// A value as R has it: objects as named lists, lists of plain values as vectors.
cpp11::sexp from_json(const std::string& text);

// ---- what objects hold

template <class T>
cpp11::sexp pointer_to(T held) {
  return static_cast<SEXP>(cpp11::external_pointer<T>(new T(std::move(held))));
}

// Of another session, an object has nothing any more.
[[noreturn]] void refuse_empty_pointer();

template <class T>
const T& held(SEXP pointer) {
  const void* address = TYPEOF(pointer) == EXTPTRSXP ? R_ExternalPtrAddr(pointer) : nullptr;
  if (address == nullptr)
    refuse_empty_pointer();
  return *static_cast<const T*>(address);
}

}  // namespace lacuna::r
