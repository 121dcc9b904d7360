// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/desk.h"

#include <chrono>
#include <filesystem>

#include "app/check/check_job.h"
#include "app/session/options.h"
#include "apps/serve/run.h"
#include "data/files/file.h"

namespace lacuna::serve {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kMost{120};

// What the check may be told on the page; the files it writes have their places.
Status check_options(const Json& options) {
  for (const char* own : {"output", "store", "folder", "json", "log"}) {
    if (options.contains(own))
      return Error{ErrorCode::kOptionConflict, "this is no option of the page", own};
  }
  return ok_status();
}

// The log of decisions, as a copy that may be written: the server itself writes files by export
// alone.
class Log {
 public:
  Log(Files& files, const std::string& folder) : files_(files) {
    if (!folder.empty() && !folder.starts_with("upload:"))
      name_ = folder + ".released.log";
  }

  Result<std::string> open() {
    LACUNA_TRY(const std::string scratch, files_.scratch());
    path_ = scratch + "/released.log";
    if (name_.empty())
      return path_;
    if (const auto there = files_.path_of(name_)) {
      LACUNA_TRY(const std::string bytes, files::read_file(*there));
      LACUNA_RETURN_IF_ERROR(files::write_file_atomically(path_, bytes));
    }
    return path_;
  }

  bool may_decide() const { return !name_.empty(); }

  Status save() const {
    LACUNA_TRY(const std::string bytes, files::read_file(path_));
    const auto written = files_.write(name_, bytes, true);  // it only ever grows
    return written ? ok_status() : Status(written.error());
  }

  std::string name() const { return name_; }

 private:
  Files& files_;
  std::string name_, path_;
};

}  // namespace

Result<std::string> checked_folder(Files& files, const Json& asked) {
  const std::string folder = text_member(asked, "folder");
  const Json options = asked.value("options", Json::object());
  if (!options.is_object())
    return Error{ErrorCode::kJobValue, "options must be an object of names and values", "options"};
  LACUNA_RETURN_IF_ERROR(check_options(options));
  checking::CheckJob job;
  job::RunOptions run_options;
  LACUNA_TRY(const session::GivenOptions given, 
             given_options(options, describe_options<checking::CheckJob>(), files));
  LACUNA_RETURN_IF_ERROR(session::set_options(job, run_options, given, {}));
  LACUNA_TRY(job.folder, files.folder_of(folder));
  Log log(files, folder);
  LACUNA_TRY(job.store, log.open());
  const bool decides = !job.accept.empty() || !job.refuse.empty();
  if (decides && !log.may_decide())
    return Error{ErrorCode::kOptionConflict,
                 "decisions are kept beside a folder; put the files into one below the folder of "
                 "the server",
                 "folder"};
  RunContext run = run_options.context({});
  run.deadline = std::chrono::steady_clock::now() + kMost;
  LACUNA_TRY(const checking::Check check, checking::run_check(job, run));
  if (decides)
    LACUNA_RETURN_IF_ERROR(log.save());
  if (text_member(asked, "form") == "page")
    return check_page(check);
  Json told = Json::parse(check_json(check), nullptr, false);
  told["store"] = log.name();
  told["folder"] = folder;
  return dump(told);
}

}  // namespace lacuna::serve
