// SPDX-License-Identifier: Apache-2.0
// The entry points of the shared object, as R knows them.
#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#include "entries.h"
#include "lacuna/version.h"
#include "values.h"

namespace lacuna::r {
namespace {

SEXP version_entry() {
  return entry([]() -> SEXP { return sexp_of(version()); });
}

}  // namespace

// Of another session, a pointer is there and points to nothing.
SEXP is_held_entry(SEXP pointer) {
  return entry([&]() -> SEXP {
    return cpp11::as_sexp(TYPEOF(pointer) == EXTPTRSXP && R_ExternalPtrAddr(pointer) != nullptr);
  });
}

namespace {

template <class Function>
R_CallMethodDef row(const char* name, Function* function, int arguments) {
  return {name, reinterpret_cast<DL_FUNC>(reinterpret_cast<void (*)()>(function)), arguments};
}

const R_CallMethodDef kEntries[] = {
    row("version", &version_entry, 0),
    row("run_arb", &run_arb_entry, 4),
    row("argus_table", &argus_table_entry, 2),
    row("audit", &audit_entry, 5),
    row("audit_info", &audit_info_entry, 1),
    row("audit_verdicts", &audit_verdicts_entry, 1),
    row("audit_findings", &audit_findings_entry, 1),
    row("audit_counts", &audit_counts_entry, 1),
    row("audit_certificate", &audit_certificate_entry, 1),
    row("audit_text", &audit_text_entry, 1),
    row("verify", &verify_entry, 5),
    row("read", &read_entry, 6),
    row("job_text", &job_text_entry, 1),
    row("generate", &generate_entry, 1),
    row("problem_info", &problem_info_entry, 1),
    row("problem_digest", &problem_digest_entry, 1),
    row("problem_cells", &problem_cells_entry, 1),
    row("problem_facts", &problem_facts_entry, 1),
    row("problem_save", &problem_save_entry, 2),
    row("protect", &protect_entry, 4),
    row("restore", &restore_entry, 4),
    row("is_held", &is_held_entry, 1),
    row("is_ascii", &is_ascii_entry, 1),
    row("release_info", &release_info_entry, 1),
    row("release_problem", &release_problem_entry, 1),
    row("release_published", &release_published_entry, 3),
    row("release_office", &release_office_entry, 1),
    row("release_periods", &release_periods_entry, 1),
    row("release_text", &release_text_entry, 1),
    row("release_certificate", &release_certificate_entry, 1),
    row("release_audit", &release_audit_entry, 1),
    row("release_write", &release_write_entry, 3),
    row("explain", &explain_entry, 6),
    row("explain_release", &explain_release_entry, 4),
    row("report", &report_entry, 6),
    row("report_release", &report_release_entry, 4),
    row("infer", &infer_entry, 4),
    row("compare", &compare_entry, 4),
    row("show", &show_entry, 3),
    row("ptable", &ptable_entry, 2),
    row("describe", &describe_entry, 1),
    {nullptr, nullptr, 0},
};

}  // namespace
}  // namespace lacuna::r

extern "C" attribute_visible void R_init_lacuna(DllInfo* info) {
  R_registerRoutines(info, nullptr, lacuna::r::kEntries, nullptr, nullptr);
  R_useDynamicSymbols(info, FALSE);
  R_forceSymbols(info, TRUE);
}
