// SPDX-License-Identifier: Apache-2.0
#include "app/job/protect_outputs.h"

#include <algorithm>
#include <filesystem>

#include "app/job/file_roles.h"
#include "app/report/assurance.h"
#include "core/base/decimal.h"
#include "core/base/spelling.h"
#include "data/certificate/certificate.h"
#include "data/files/file.h"
#include "data/publish/meaning.h"
#include "data/publish/same_shape.h"

namespace lacuna::job {
namespace {

std::string title_of(const ProtectJob& job) {
  const std::string name = std::filesystem::path(job.input).filename().string();
  return name.substr(0, name.find('.'));
}

// Methods that publish ranges for certain; of a mixed release only its writer can tell.
bool publishes_ranges(const ProtectJob& job) {
  switch (job.method) {
    case Method::kInterval:
    case Method::kCombined:
    case Method::kSmallCounts:
      return true;
    case Method::kRound:
      return job.round.midpoint;
    case Method::kPerturb:
      return !job.perturb.range_unknown;
    case Method::kSuppress:
    case Method::kAdjust:
    case Method::kMixed:
    case Method::kCellKey:
      return false;
  }
  return false;
}

Status check_ranges_fit(const ProtectJob& job) {
  if (!publishes_ranges(job))
    return ok_status();
  for (const std::string& path : job.public_files) {
    LACUNA_TRY(const publish::ReleaseFormat* format,
               publish::release_format(path, publish::Audience::kPublic));
    if (!format->ranges)
      return Error{ErrorCode::kOutputName,
                   "the method publishes ranges, which a " + std::string(format->ending) +
                       " file cannot hold; write .csv, .json or .xlsx",
                   "--public " + path};
  }
  return ok_status();
}

Status check_decimals(const ProtectJob& job, const Table& table) {
  if (job.written.decimals_shown < 0 || (job.outputs.empty() && job.public_files.empty()))
    return ok_status();
  for (const Cell& cell : table.cells()) {
    const auto shown = files::with_shown_decimals(base::format_units(cell.value, table.decimals()),
                                                  job.written.decimals_shown);
    if (!shown)
      return shown.error();
  }
  return ok_status();
}

// What the public page says of it, which is made of what was computed.
std::string asked_words(const AuditedRelease& release, const load::VerdictBasis& basis) {
  const report::Claim claim = report::public_claim(release.problem().table(),
                                                   release.content(),
                                                   release.report(),
                                                   basis.answered_by_rules(),
                                                   !basis.read_as.empty());
  std::string text;
  for (const std::string& words : claim.words)
    text += (text.empty() ? "" : " ") + words;
  return text;
}

publish::ReleaseFacts facts_of(const ProtectJob& job,
                               const AuditedRelease& release,
                               const publish::RunSummary& summary,
                               const load::VerdictBasis& basis) {
  constexpr std::size_t kDay = 10;  // of "2026-11-15T10:00:00Z"
  return {job.written.title.empty() ? title_of(job) : job.written.title,
          summary.method,
          summary.finished.substr(0, kDay),
          report::audit_words(release, !basis.read_as.empty()),
          !may_be_published(job.unasked, release.report().verdict, basis),
          asked_words(release, basis),
          job.written.meaning != files::MeaningChoice::kNone};
}

bool is_plain_csv(std::string_view path) {
  if (path.ends_with(".gz"))
    path.remove_suffix(3);
  return path.ends_with(".csv") && !path.ends_with(".sdmx.csv");
}

// The file beside a .csv that says what its numbers mean.
std::string metadata_of(const ProtectJob& job, const std::string& path) {
  const bool wanted = job.written.meaning == files::MeaningChoice::kSidecar && is_plain_csv(path);
  return wanted ? path + std::string(publish::kMetadataEnding) : "";
}

bool keeps_input_shape(const ProtectJob& job,
                       const std::string& path,
                       const infer::TableSource* source,
                       std::span<const publish::ExtraColumn> columns) {
  return job.public_shape == PublicShape::kAsInput ||
         (job.public_shape == PublicShape::kAuto && columns.empty() &&
          publish::keeps_shape(source, path) &&
          std::none_of(job.public_files.begin(), job.public_files.end(), publish::is_per_table));
}

}  // namespace

Status check_output_names(const ProtectJob& job) {
  LACUNA_RETURN_IF_ERROR(job.written.validate());
  LACUNA_RETURN_IF_ERROR(check_files(job));
  for (const std::string& path : job.outputs)
    LACUNA_RETURN_IF_ERROR(publish::release_format(path, publish::Audience::kOffice));
  for (const std::string& path : job.public_files)
    LACUNA_RETURN_IF_ERROR(publish::release_format(path, publish::Audience::kPublic));
  LACUNA_RETURN_IF_ERROR(check_ranges_fit(job));
  if (!job.checkpoint.empty() && files::is_stream(job.checkpoint))
    return Error{ErrorCode::kOutputName,
                 "a run goes on from a checkpoint, so it must be a plain file",
                 "--checkpoint " + job.checkpoint};
  return ok_status();
}

Result<ProtectOutputs> plan_outputs(const ProtectJob& job,
                                    const Table& table,
                                    std::span<const LinkedTable> tables) {
  LACUNA_RETURN_IF_ERROR(check_decimals(job, table));
  ProtectOutputs outputs;
  FileRoles roles = file_roles(job);
  std::erase_if(roles.writes,
                [](const FileRole& file) { return publish::is_per_table(file.path); });
  const auto plan = [&](const std::vector<std::string>& paths,
                        publish::Audience audience,
                        std::vector<publish::OutputFile>& files) -> Status {
    for (const std::string& path : paths) {
      LACUNA_TRY(std::vector<publish::OutputFile> made,
                 output_files(path, audience, table, tables, title_of(job)));
      for (publish::OutputFile& file : made) {
        const bool is_public = audience == publish::Audience::kPublic;
        if (const std::string beside = is_public ? metadata_of(job, file.path) : "";
            !beside.empty())
          roles.writes.push_back({"--meaning sidecar", beside});
        if (publish::is_per_table(path))
          roles.writes.push_back({is_public ? "--public" : "-o", file.path});
        files.push_back(std::move(file));
      }
    }
    return ok_status();
  };
  LACUNA_RETURN_IF_ERROR(plan(job.outputs, publish::Audience::kOffice, outputs.office));
  LACUNA_RETURN_IF_ERROR(plan(job.public_files, publish::Audience::kPublic, outputs.shown));
  LACUNA_RETURN_IF_ERROR(check_roles(roles));
  return outputs;
}

bool may_be_published(UnaskedRule rule, Verdict verdict, const load::VerdictBasis& basis) {
  return verdict != Verdict::kUnasked || rule == UnaskedRule::kPublish || !basis.rules.empty();
}

std::string unpublished_text(const std::string& where) {
  return where +
         ": not written, because nothing was asked of the release: no cell is marked as sensitive, "
         "or readers know every sensitive cell in advance; " +
         base::named_option("unasked", "publish") + " writes it anyway";
}

Result<std::string> public_bytes(const ProtectJob& job,
                                 const publish::OutputFile& file,
                                 const AuditedRelease& release,
                                 const publish::RunSummary& summary,
                                 const load::VerdictBasis& basis,
                                 const infer::TableSource* source,
                                 std::span<const publish::ExtraColumn> columns) {
  if (!may_be_published(job.unasked, release.report().verdict, basis))
    return Error{ErrorCode::kNothingAsked, unpublished_text(file.path), ""};
  LACUNA_TRY(const publish::ReleaseFormat* format,
             publish::release_format(file.path, publish::Audience::kPublic));
  const publish::PublicRelease shown{
      release, file.tables, job.written, facts_of(job, release, summary, basis), columns};
  if (job.public_shape == PublicShape::kAsInput && source == nullptr)
    return Error{ErrorCode::kOptionValue,
                 "the input has no shape of its own: it has one row per cell already",
                 "--public-shape as-input"};
  if (keeps_input_shape(job, file.path, source, columns))
    return publish::public_as_input(shown, *source, file.path);
  return format->public_text(shown);
}

Status write_outputs(const ProtectJob& job,
                     const ProtectOutputs& outputs,
                     const Problem& given,
                     const AuditedRelease& release,
                     const publish::RunSummary& summary,
                     std::span<const std::string> reasons,
                     const load::VerdictBasis& basis,
                     const infer::TableSource* source,
                     std::span<const publish::ExtraColumn> columns) {
  const publish::ReleaseFacts facts = facts_of(job, release, summary, basis);
  files::StagedFiles files;
  if (!job.certificate.empty())
    LACUNA_RETURN_IF_ERROR(files.add(
        job.certificate,
        certificate::write_certificate(
            given,
            release.problem().table().decimals(),
            release.content(),
            release.report(),
            summary.bound_log.get())));
  for (const publish::OutputFile& file : outputs.shown) {
    LACUNA_TRY(const std::string text,
               public_bytes(job, file, release, summary, basis, source, columns));
    LACUNA_RETURN_IF_ERROR(files.add(file.path, text));
    if (const std::string beside = metadata_of(job, file.path); !beside.empty())
      LACUNA_RETURN_IF_ERROR(
          files.add(beside,
                    publish::csv_metadata({release, file.tables, job.written, facts, columns},
                                          file.path,
                                          !keeps_input_shape(job, file.path, source, columns))));
  }
  for (const publish::OutputFile& file : outputs.office) {
    LACUNA_TRY(const publish::ReleaseFormat* format,
               publish::release_format(file.path, publish::Audience::kOffice));
    LACUNA_TRY(const std::string text,
               format->office_text(
                   {{release, file.tables, job.written, facts, columns}, summary, reasons}));
    LACUNA_RETURN_IF_ERROR(files.add(file.path, text));
  }
  return files.commit();
}

}  // namespace lacuna::job
