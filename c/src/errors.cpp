// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include <exception>
#include <new>

#include "core/base/check.h"
#include "core/base/confidential.h"
#include "data/sensitivity/attacker_reach.h"

namespace lacuna::c {
namespace {

lacuna_status status_of(const Error& error) {
  if (error.code == ErrorCode::kInternal)
    return LACUNA_INTERNAL;
  switch (error.kind()) {
    case ErrorKind::kInput:
      return LACUNA_BAD_INPUT;
    case ErrorKind::kOption:
      return LACUNA_BAD_OPTION;
    case ErrorKind::kNotAdditive:
      return LACUNA_NOT_ADDITIVE;
    case ErrorKind::kUnsupported:
      return LACUNA_UNSUPPORTED;
    case ErrorKind::kFile:
      return LACUNA_IO;
  }
  return LACUNA_INTERNAL;
}

Failure failure_of(const Error& error) {
  return {status_of(error),
          std::string(info_of(error.code).name),
          error.message,
          error.where,
          error.path};
}

// What is said of an exception that nobody expected may be anything.
Failure unexpected(const char* what) {
  return {LACUNA_INTERNAL, "internal", "an internal error: " + base::confidential(what)};
}

Failure failure_at_hand() {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure;
  } catch (const std::bad_alloc&) {
    return {LACUNA_INTERNAL, "no-memory", sensitivity::out_of_memory().message};
  } catch (const base::InternalError& error) {
    return {LACUNA_INTERNAL, "internal", error.what()};
  } catch (const std::exception& error) {
    return unexpected(error.what());
  } catch (...) {
    return unexpected("an exception without a text");
  }
}

// For when there is no memory for an error; nobody's to free.
lacuna_error& last_resort() {
  static lacuna_error error{
      Mark::kError, LACUNA_INTERNAL, "no-memory", "out of memory", "out of memory", "", "", {}};
  return error;
}
const lacuna_error& made_early = last_resort();

void set_error(const Failure& failure, lacuna_error** error) noexcept {
  try {
    *error = new lacuna_error{Mark::kError,
                              failure.status,
                              failure.code,
                              base::without_confidential(failure.message),
                              base::in_full(failure.message),
                              base::without_confidential(failure.where),
                              failure.path,
                              failure.refused_by};
  } catch (...) {
    *error = &last_resort();
  }
}

// A character of UTF-8 at the beginning of the text: how many bytes it has, or 0 if it is none.
std::size_t character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  if (byte(0) < 0x80U)
    return 1;
  if (byte(0) >= 0xC2U && byte(0) < 0xE0U)
    return follows(1) ? 2 : 0;
  if (byte(0) >= 0xE0U && byte(0) < 0xF0U) {
    const bool too_long = byte(0) == 0xE0U && byte(1) < 0xA0U;
    const bool surrogate = byte(0) == 0xEDU && byte(1) >= 0xA0U;
    return follows(1) && follows(2) && !too_long && !surrogate ? 3 : 0;
  }
  if (byte(0) >= 0xF0U && byte(0) < 0xF5U) {
    const bool too_long = byte(0) == 0xF0U && byte(1) < 0x90U;
    const bool too_large = byte(0) == 0xF4U && byte(1) >= 0x90U;
    return follows(1) && follows(2) && follows(3) && !too_long && !too_large ? 4 : 0;
  }
  return 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = character_at(text);
    if (size == 0)
      return false;
    text.remove_prefix(size);
  }
  return true;
}

const char* text_in(const lacuna_error* error, std::string lacuna_error::*part) {
  return error == nullptr ? "" : (error->*part).c_str();
}

}  // namespace

void fail(const Error& error) {
  throw failure_of(error);
}

void misuse(const std::string& message) {
  throw Failure{LACUNA_MISUSE, "misuse", message};
}

lacuna_status caught(lacuna_error** error) noexcept {
  try {
    const Failure failure = failure_at_hand();
    if (error != nullptr)
      set_error(failure, error);
    return failure.status;
  } catch (...) {
    if (error != nullptr)
      *error = &last_resort();
    return LACUNA_INTERNAL;
  }
}

std::string text_of(const char* text, const char* name) {
  if (text == nullptr)
    misuse(std::string(name) + " is NULL");
  if (!is_utf8(text))
    misuse(std::string(name) + " is not UTF-8");
  return text;
}

std::string text_or_empty(const char* text, const char* name) {
  return text == nullptr ? "" : text_of(text, name);
}

}  // namespace lacuna::c

extern "C" {

using lacuna::c::text_in;

lacuna_status lacuna_error_status(const lacuna_error* error) {
  return error == nullptr ? LACUNA_OK : error->status;
}

const char* lacuna_error_code(const lacuna_error* error) {
  return text_in(error, &lacuna_error::code);
}

const char* lacuna_error_message(const lacuna_error* error) {
  return text_in(error, &lacuna_error::shown);
}

const char* lacuna_error_message_in_full(const lacuna_error* error) {
  return text_in(error, &lacuna_error::in_full);
}

const char* lacuna_error_where(const lacuna_error* error) {
  return text_in(error, &lacuna_error::where);
}

const char* lacuna_error_path(const lacuna_error* error) {
  return text_in(error, &lacuna_error::path);
}

void lacuna_error_free(lacuna_error* error) {
  if (error != &lacuna::c::last_resort())
    delete error;
}

}  // extern "C"
