// SPDX-License-Identifier: Apache-2.0
// The way out of every function of lacuna.h: what goes wrong inside is thrown as a Failure, and
// guarded() makes of it, and of every other exception, a status and an error.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "handles.h"
#include "lacuna/result.h"

namespace lacuna::c {

struct Failure {
  lacuna_status status = LACUNA_INTERNAL;
  std::string code;     // a word
  std::string message;  // with what is confidential marked (core/base/confidential.h)
  std::string where{};
  std::string path{};
  std::shared_ptr<const session::SessionAudit> refused_by{};
};

[[noreturn]] void fail(const Error& error);
[[noreturn]] void misuse(const std::string& message);

template <class T>
T value_or_fail(Result<T> result) {
  if (!result)
    fail(result.error());
  return std::move(result).value();
}
inline void ok_or_fail(const Status& status) {
  if (!status)
    fail(status.error());
}

// The error of the exception at hand, if anyone wants it.
lacuna_status caught(lacuna_error** error) noexcept;

template <class Work>
lacuna_status guarded(lacuna_error** error, Work&& work) noexcept {
  if (error != nullptr)
    *error = nullptr;
  try {
    work();
    return LACUNA_OK;
  } catch (...) {
    return caught(error);
  }
}

// ---- arguments

// What is behind a handle. Fails if there is nothing, or a handle of another type.
template <class Handle>
Handle& needed(Handle* handle, const char* name) {
  if (handle == nullptr)
    misuse(std::string(name) + " is NULL");
  if (handle->mark != Handle::kMark)
    misuse(std::string(name) + " is a handle of another type");
  return *handle;
}

// Where a result goes, empty until there is one.
template <class T>
T*& place_of(T** out, const char* name) {
  if (out == nullptr)
    misuse(std::string(name) + " is NULL");
  *out = nullptr;
  return *out;
}

std::string text_of(const char* text, const char* name);  // fails on NULL and on what is no UTF-8
std::string text_or_empty(const char* text, const char* name);  // of NULL

}  // namespace lacuna::c
