// SPDX-License-Identifier: Apache-2.0
// The functions behind the list of targets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lacuna::fuzz {

using Seeds = std::vector<std::string>;
Seeds seeds_none();  // the corpus has hand-written files

// target_tables.cpp: whole problems
bool run_problem_json(std::string_view bytes);
Seeds seeds_problem_json();
bool run_jj(std::string_view bytes);
Seeds seeds_jj();
bool run_job(std::string_view bytes);  // a bundle: job.toml, its table and hierarchies
Seeds seeds_job();
bool run_guess(std::string_view bytes);  // a table without a job
Seeds seeds_guess();
bool run_hierarchy(std::string_view bytes);

// target_releases.cpp: what speaks of a table that is known already
bool run_pattern(std::string_view bytes);
Seeds seeds_pattern();
bool run_public(std::string_view bytes);
Seeds seeds_public();
bool run_certificate(std::string_view bytes);
Seeds seeds_certificate();
bool run_checkpoint(std::string_view bytes);
Seeds seeds_checkpoint();
bool run_cells(std::string_view bytes);

// target_records.cpp: microdata and what is said by hand of their cells
bool run_records(
    std::string_view bytes);  // a bundle: job.toml, records, hierarchies, a-priori file
bool run_settings(std::string_view bytes);
bool run_apriori(std::string_view bytes);

// target_argus.cpp: jobs of tau-ARGUS, a bundle of their files
bool run_argus(std::string_view bytes);  // the texts alone
Seeds seeds_argus();
bool run_argus_tables(std::string_view bytes);  // from data to tables and back to files
Seeds seeds_argus_tables();

// target_columns.cpp: Arrow files
bool run_columns(std::string_view bytes);
Seeds seeds_columns();

// target_books.cpp: workbooks; .xlsx and .ods as archives or as bundles of their parts
bool run_xlsx(std::string_view bytes);
Seeds seeds_xlsx();
bool run_ods(std::string_view bytes);
Seeds seeds_ods();
bool run_xls(std::string_view bytes);
Seeds seeds_xls();

// target_data_sets.cpp: data sets of SAS, Stata and SPSS
bool run_data_set(std::string_view bytes);
Seeds seeds_data_set();

// target_packed.cpp: gzip and xz
bool run_packed(std::string_view bytes);
Seeds seeds_packed();

// target_ptable.cpp: perturbation tables of cell keys
bool run_ptable(std::string_view bytes);
Seeds seeds_ptable();

// target_formats.cpp: statistical texts of other programs
bool run_px(std::string_view bytes);
bool run_sdmx_csv(std::string_view bytes);
bool run_sdmx_json(std::string_view bytes);
bool run_eurostat_tsv(std::string_view bytes);
bool run_json_stat(std::string_view bytes);

}  // namespace lacuna::fuzz
