// SPDX-License-Identifier: Apache-2.0
// What R calls by .Call(): each entry point does one thing and returns its value, or a list of
// class "lacuna_refusal" (values.h).
#pragma once

#include <cpp11.hpp>

namespace lacuna::r {

SEXP run_arb_entry(SEXP, SEXP, SEXP, SEXP);
SEXP argus_table_entry(SEXP, SEXP);
SEXP audit_entry(SEXP, SEXP, SEXP, SEXP, SEXP);
SEXP audit_info_entry(SEXP);
SEXP audit_verdicts_entry(SEXP);
SEXP audit_findings_entry(SEXP);
SEXP audit_counts_entry(SEXP);
SEXP audit_certificate_entry(SEXP);
SEXP audit_text_entry(SEXP);
SEXP verify_entry(SEXP, SEXP, SEXP, SEXP, SEXP);
SEXP read_entry(SEXP, SEXP, SEXP, SEXP, SEXP, SEXP);
SEXP job_text_entry(SEXP);
SEXP generate_entry(SEXP);
SEXP problem_info_entry(SEXP);
SEXP problem_digest_entry(SEXP);
SEXP problem_cells_entry(SEXP);
SEXP problem_facts_entry(SEXP);
SEXP problem_save_entry(SEXP, SEXP);
SEXP protect_entry(SEXP, SEXP, SEXP, SEXP);
SEXP restore_entry(SEXP, SEXP, SEXP, SEXP);
SEXP is_held_entry(SEXP);
SEXP is_ascii_entry(SEXP);
SEXP release_info_entry(SEXP);
SEXP release_problem_entry(SEXP);
SEXP release_published_entry(SEXP, SEXP, SEXP);
SEXP release_office_entry(SEXP);
SEXP release_periods_entry(SEXP);
SEXP release_text_entry(SEXP);
SEXP release_certificate_entry(SEXP);
SEXP release_audit_entry(SEXP);
SEXP release_write_entry(SEXP, SEXP, SEXP);
SEXP explain_entry(SEXP, SEXP, SEXP, SEXP, SEXP, SEXP);
SEXP explain_release_entry(SEXP, SEXP, SEXP, SEXP);
SEXP report_entry(SEXP, SEXP, SEXP, SEXP, SEXP, SEXP);
SEXP report_release_entry(SEXP, SEXP, SEXP, SEXP);
SEXP infer_entry(SEXP, SEXP, SEXP, SEXP);
SEXP compare_entry(SEXP, SEXP, SEXP, SEXP);
SEXP show_entry(SEXP, SEXP, SEXP);
SEXP ptable_entry(SEXP, SEXP);
SEXP describe_entry(SEXP);

}  // namespace lacuna::r
