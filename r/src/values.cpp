// SPDX-License-Identifier: Apache-2.0
#include "values.h"

#include <nlohmann/json.hpp>

#include "core/base/confidential.h"
#include "core/base/spelling.h"
#include "words.h"

namespace lacuna::r {
namespace {

const char* name_of(const Error& error) {
  if (error.code == ErrorCode::kInternal)
    return "lacuna_internal_error";
  switch (error.kind()) {
    case ErrorKind::kInput:
      return "lacuna_input_error";
    case ErrorKind::kOption:
      return "lacuna_option_error";
    case ErrorKind::kNotAdditive:
      return "lacuna_not_additive";
    case ErrorKind::kUnsupported:
      return "lacuna_unsupported";
    case ErrorKind::kFile:
      return "lacuna_file_error";
  }
  return "lacuna_internal_error";
}

using Json = nlohmann::ordered_json;

cpp11::sexp value_of(const Json& json);

cpp11::sexp object_of(const Json& json) {
  NamedList list;
  for (const auto& [name, value] : json.items())
    list.add(name.c_str(), value_of(value));
  return list.list();
}

bool all_of_kind(const Json& json, bool (Json::*is)() const noexcept) {
  return std::all_of(json.begin(), json.end(), [is](const Json& each) { return (each.*is)(); });
}

cpp11::sexp array_of(const Json& json) {
  if (!json.empty() && all_of_kind(json, &Json::is_string)) {
    std::vector<std::string> texts;
    for (const Json& each : json)
      texts.push_back(each.get<std::string>());
    return sexp_of(texts);
  }
  if (!json.empty() && all_of_kind(json, &Json::is_number)) {
    cpp11::writable::doubles numbers;
    for (const Json& each : json)
      numbers.push_back(each.get<double>());
    return static_cast<SEXP>(numbers);
  }
  cpp11::writable::list list;
  for (const Json& each : json)
    list.push_back(value_of(each));
  return static_cast<SEXP>(list);
}

cpp11::sexp value_of(const Json& json) {
  if (json.is_object())
    return object_of(json);
  if (json.is_array())
    return array_of(json);
  if (json.is_string())
    return sexp_of(json.get<std::string>());
  if (json.is_boolean())
    return cpp11::as_sexp(json.get<bool>());
  if (json.is_number())
    return cpp11::as_sexp(json.get<double>());
  return R_NilValue;
}

}  // namespace

SEXP refusal_list(const Error& error) {
  NamedList list;
  list.text("class", std::string_view(name_of(error)));
  list.text("message", std::string_view(error.message));
  list.text("where", std::string_view(base::place_in_call(error.where)));
  list.text("code", info_of(error.code).name);
  list.text("path", std::string_view(error.path));
  cpp11::sexp made = list.list();
  made.attr("class") = "lacuna_refusal";
  return made;
}

void refuse_empty_pointer() {
  throw Refusal({ErrorCode::kNoSuchThing,
                 "the object was made in another session, and its contents are gone: make it again "
                 "(write_problem() and write_release() keep them in files)",
                 ""});
}

std::string text_of(SEXP text) {
  const std::vector<std::string> texts = texts_of(text);
  return texts.empty() ? "" : texts.front();
}

std::vector<std::string> texts_of(SEXP texts) {
  std::vector<std::string> out;
  for (R_xlen_t i = 0; i < Rf_xlength(texts); ++i)
    out.emplace_back(cpp11::safe[Rf_translateCharUTF8](STRING_ELT(texts, i)));
  return out;
}

namespace {

// Nothing confidential of a message gets to where it may be printed or logged.
SEXP char_of(std::string_view text) {
  const std::string shown = base::without_confidential(with_options(text));
  return cpp11::safe[Rf_mkCharLenCE](shown.data(), static_cast<int>(shown.size()), CE_UTF8);
}

}  // namespace

cpp11::sexp sexp_of(std::string_view text) {
  const cpp11::sexp out = cpp11::safe[Rf_allocVector](STRSXP, 1);
  SET_STRING_ELT(out, 0, char_of(text));
  return out;
}

cpp11::sexp sexp_of(const std::vector<std::string>& texts) {
  const cpp11::sexp out = cpp11::safe[Rf_allocVector](STRSXP, static_cast<R_xlen_t>(texts.size()));
  for (std::size_t i = 0; i < texts.size(); ++i)
    SET_STRING_ELT(out, static_cast<R_xlen_t>(i), char_of(texts[i]));
  return out;
}

NamedList& NamedList::add(const char* name, cpp11::sexp value) {
  names_.emplace_back(name);
  values_.push_back(std::move(value));
  return *this;
}

cpp11::sexp NamedList::list() const {
  const cpp11::sexp out =
      cpp11::safe[Rf_allocVector](VECSXP, static_cast<R_xlen_t>(values_.size()));
  for (std::size_t i = 0; i < values_.size(); ++i)
    SET_VECTOR_ELT(out, static_cast<R_xlen_t>(i), values_[i]);
  cpp11::sexp named = out;
  named.attr("names") = static_cast<SEXP>(sexp_of(names_));
  return named;
}

session::GivenOptions given_options(SEXP options) {
  session::GivenOptions given;
  const std::vector<std::string> names = texts_of(Rf_getAttrib(options, R_NamesSymbol));
  for (std::size_t i = 0; i < names.size(); ++i)
    given.push_back({names[i], texts_of(VECTOR_ELT(options, static_cast<R_xlen_t>(i)))});
  return given;
}

cpp11::sexp from_json(const std::string& text) {
  return value_of(Json::parse(text));
}

}  // namespace lacuna::r
