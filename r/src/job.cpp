// SPDX-License-Identifier: Apache-2.0
#include "job.h"

#include "data/spec/spec_text.h"
#include "entries.h"
#include "values.h"
#include "words.h"

namespace lacuna::r {
namespace {

bool says(SEXP value, const char* attribute) {
  const SEXP flag = Rf_getAttrib(value, Rf_install(attribute));
  return TYPEOF(flag) == LGLSXP && LOGICAL(flag)[0] == TRUE;
}

std::string argument_of(SEXP value, const std::string& around) {
  const SEXP argument = Rf_getAttrib(value, Rf_install("argument"));
  return TYPEOF(argument) == STRSXP ? text_of(argument) : around;
}

// A text, a number or a truth value of a vector.
spec::SpecValue item_of(SEXP vector, R_xlen_t index, const std::string& argument) {
  spec::SpecValue item =
      TYPEOF(vector) == LGLSXP
          ? spec::truth_value(LOGICAL(vector)[index] == TRUE)
          : spec::text_value(cpp11::safe[Rf_translateCharUTF8](STRING_ELT(vector, index)));
  if (says(vector, "is_number"))
    item.kind = spec::SpecValue::Kind::kNumber;
  item.where = argument;
  return item;
}

spec::SpecValue vector_of(SEXP vector, const std::string& argument) {
  if (!says(vector, "is_list"))
    return item_of(vector, 0, argument);
  spec::SpecValue list = spec::list_value();
  for (R_xlen_t i = 0; i < Rf_xlength(vector); ++i)
    list.items.push_back(item_of(vector, i, argument));
  return list;
}

spec::SpecValue list_of(SEXP list, const std::string& argument) {
  const SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  const std::vector<std::string> keys = texts_of(names);
  spec::SpecValue made = TYPEOF(names) == STRSXP ? spec::table_value() : spec::list_value();
  for (R_xlen_t i = 0; i < Rf_xlength(list); ++i) {
    spec::SpecValue value = spec_value_of(VECTOR_ELT(list, i), argument);
    if (made.is(spec::SpecValue::Kind::kTable)) {
      std::string where = value.where;
      made.members.push_back(
          {keys[static_cast<std::size_t>(i)], std::move(value), std::move(where)});
    } else {
      made.items.push_back(std::move(value));
    }
  }
  return made;
}

}  // namespace

spec::SpecValue spec_value_of(SEXP value, const std::string& around) {
  const std::string argument = argument_of(value, around);
  spec::SpecValue made =
      TYPEOF(value) == VECSXP ? list_of(value, argument) : vector_of(value, argument);
  made.where = argument;
  return made;
}

spec::ReadSpec job_of(SEXP value) {
  auto read = read_spec(spec_value_of(value, ""), "");
  if (!read)
    throw Refusal(with_arguments(read.error()));
  return std::move(read).value();
}

SEXP job_text_entry(SEXP value) {
  return entry([&]() -> SEXP { return sexp_of(spec::spec_toml(job_of(value).job)); });
}

}  // namespace lacuna::r
