// SPDX-License-Identifier: Apache-2.0
// What `protect` writes: the office's file, the public one, the certificate; one file per table
// where the name says {table}. Names are settled before any work, and all files are written or
// none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/job/jobs.h"
#include "app/load/verdict_basis.h"
#include "data/infer/shape.h"
#include "data/publish/release_file.h"
#include "data/publish/release_formats.h"
#include "lacuna/audit.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::job {

struct ProtectOutputs {
  std::vector<publish::OutputFile> office, shown;  // the latter for everyone
};

// Before the table is read. Errors: names that no file can be written to, options that clash.
Status check_output_names(const ProtectJob& job);

// Once it is. Errors: a file twice, or over an input; a format that cannot hold what the method
// publishes; numbers with more decimals than are to be shown.
Result<ProtectOutputs> plan_outputs(const ProtectJob& job,
                                    const Table& table,
                                    std::span<const LinkedTable> tables);

// Whether a release with this verdict may go to the public: one of which nothing was asked only if
// rules were applied that make no cell sensitive, or if someone says so.
bool may_be_published(UnaskedRule rule, Verdict verdict, const load::VerdictBasis& basis);
// Why it was not; `where` names the file.
std::string unpublished_text(const std::string& where);

// The bytes of one public file; `source` says where the numbers stand in the input, whose shape it
// may keep. Errors: of what may not be published; what its format cannot hold.
Result<std::string> public_bytes(const ProtectJob& job,
                                 const publish::OutputFile& file,
                                 const AuditedRelease& release,
                                 const publish::RunSummary& summary,
                                 const load::VerdictBasis& basis,
                                 const infer::TableSource* source = nullptr,
                                 std::span<const publish::ExtraColumn> columns = {});

// Errors: a public file of what may not be published; files that cannot be written.
Status write_outputs(const ProtectJob& job,
                     const ProtectOutputs& outputs,
                     const Problem& given,
                     const AuditedRelease& release,
                     const publish::RunSummary& summary,
                     std::span<const std::string> reasons,
                     const load::VerdictBasis& basis,
                     const infer::TableSource* source = nullptr,
                     std::span<const publish::ExtraColumn> columns = {});

}  // namespace lacuna::job
