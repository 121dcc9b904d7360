// SPDX-License-Identifier: Apache-2.0
#include "app/job/store_job.h"

#include <fmt/core.h>

#include "core/base/json_writer.h"
#include "data/store/period_store.h"

namespace lacuna::job {

Result<JobOutput> run_job(const StoreJob& job, const RunContext&) {
  if (job.make) {
    LACUNA_RETURN_IF_ERROR(store::make_store(job.folder));
    return JobOutput{ExitCode::kDone, job.folder + " is a store without releases\n"};
  }
  LACUNA_TRY(const store::PeriodStore store, store::read_store(job.folder));
  LACUNA_RETURN_IF_ERROR(store::check_files(store));
  if (job.json)
    return JobOutput{ExitCode::kDone, base::json_object([&](base::JsonWriter& json) {
                                        json.key("entries").list(
                                            store.entries, [&](const store::StoreEntry& entry) {
                                              json.object([&] {
                                                store::write_entry(json, entry);
                                                json.member("digest", entry.digest);
                                              });
                                            });
                                      }) + "\n"};
  std::string text;
  std::size_t files = 0;
  for (const store::StoreEntry& entry : store.entries) {
    text += fmt::format("{}  {}  {}  {}, {} of {} cells withheld\n",
                        entry.number,
                        entry.at,
                        entry.title(),
                        entry.verdict,
                        entry.withheld,
                        entry.cells);
    files += entry.files.size();
  }
  text += store.entries.empty()
              ? "no release yet\n"
              : fmt::format("{} files are as they were written; the last digest is {}\n",
                            files,
                            store.entries.back().digest);
  return JobOutput{ExitCode::kDone, std::move(text)};
}

}  // namespace lacuna::job
