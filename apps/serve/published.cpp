// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/published.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/inference/output.h"
#include "app/session/options.h"
#include "apps/serve/run.h"
#include "core/base/confidential.h"
#include "data/files/file.h"
#include "data/jobfile/record_job.h"
#include "data/sensitivity/attacker_reach.h"

namespace lacuna::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostKept = 50, kMostFiles = 50;

Json number_or_null(double number) {
  return std::isfinite(number) ? Json(number) : Json();
}

// "upload:3/sales.csv" is sales.csv to its owner; of two that have the same name the later ones get
// a number.
std::string own_name(const std::string& file, const std::vector<std::string>& taken) {
  const std::string name = fs::path(file.substr(file.find(':') + 1)).filename().string();
  const auto is_taken = [&](const std::string& one) {
    return std::find(taken.begin(), taken.end(), one) != taken.end();
  };
  std::string own = name;
  for (int k = 2; is_taken(own); ++k)
    own = fs::path(name).stem().string() + "-" + std::to_string(k) +
          fs::path(name).extension().string();
  return own;
}

}  // namespace

// A job is read under its path, since it names files beside it; all else is held as bytes, so that
// answers have names and no folders.
Status PublishedTables::hold(const std::string& file, Files& from) {
  LACUNA_TRY(const std::string path, from.path_of(file));
  uploads_.push_back(from.lease(file));
  names_.push_back(own_name(file, names_));
  LACUNA_TRY(std::string bytes, files::read_file(path));
  if (jobfile::is_job_name(path)) {
    LACUNA_RETURN_IF_ERROR(from.check_named(bytes, path));
    folders_.push_back(fs::path(path).parent_path().string() + "/");
    job_.files.push_back(path);
  } else {
    job_.files.push_back(names_.back());
    job_.inputs.texts[names_.back()] = std::move(bytes);
  }
  from.opened(file);
  return ok_status();
}

Result<PublishedPtr> PublishedTables::open(const std::vector<std::string>& files,
                                           const Json& options,
                                           Files& from) {
  if (files.empty())
    return Error{ErrorCode::kOptionMissing, "name at least one published table", "files"};
  if (files.size() > kMostFiles)
    return Error{ErrorCode::kTooMany, "these are more files than one system may have here", ""};
  auto made = std::make_shared<PublishedTables>();
  made->files_ = files;
  made->asked_ = options;
  LACUNA_TRY(const session::GivenOptions given, given_options(options, "infer", from));
  for (const session::OptionTexts& option : given) {
    if (option.name == "policy" || option.name == "files")
      return Error{ErrorCode::kOptionConflict, "this is no option of the page", option.name};
  }
  LACUNA_RETURN_IF_ERROR(session::set_options(made->job_, made->run_options_, given, {}));
  for (const std::string& file : files) {
    if (const Status held = made->hold(file, from); !held)
      return made->shown(held.error());
  }
  return made;
}

// Folders are nobody's business.
Error PublishedTables::shown(Error error) const {
  for (std::string* text : {&error.message, &error.where}) {
    for (const std::string& folder : folders_) {
      for (std::size_t at = text->find(folder); at != std::string::npos; at = text->find(folder))
        text->erase(at, folder.size());
    }
  }
  return error;
}

void PublishedTables::execute() {
  RunContext run = run_options_.context(stop_.get_token());
  run.log = [this](std::string_view note) {
    const std::scoped_lock lock(mutex_);
    answer_.notes.push_back(base::in_full(note));
  };
  run.on_progress = [this](const Progress& progress) {
    const std::scoped_lock lock(mutex_);
    answer_.progress = {{"phase", std::string(progress.phase)},
                        {"share", number_or_null(progress.share)}};
    answer_.seconds = progress.seconds;
  };
  {
    const std::scoped_lock lock(mutex_);
    answer_.state = "running";
  }
  try {
    finish(inference::run_infer(job_, run));
  } catch (const std::bad_alloc&) {
    finish(sensitivity::out_of_memory());
  } catch (const std::exception& error) {
    finish(Error{ErrorCode::kInternal, std::string("internal error: ") + error.what(), ""});
  }
}

void PublishedTables::finish(Result<inference::Inference> made) {
  const std::scoped_lock lock(mutex_);
  if (stop_.stop_requested()) {
    answer_.state = "cancelled";  // what it has found is of no use: blanks may be left out
  } else if (!made) {
    answer_.state = "failed";
    const Error error = shown(made.error());
    answer_.error = error_json(error)["error"];
    answer_.message = base::in_full(error.text());
  } else {
    answer_.state = "done";
    answer_.seconds = made->seconds;
    answer_.made = std::make_shared<const inference::Inference>(std::move(made).value());
  }
}

bool PublishedTables::is_over() const {
  const std::scoped_lock lock(mutex_);
  return answer_.state != "queued" && answer_.state != "running";
}

std::string PublishedTables::stem() const {
  return fs::path(names_.front()).stem().string();
}

Json PublishedTables::json(bool whole) const {
  std::shared_ptr<const inference::Inference> made;
  Json json{{"id", id}, {"files", files_}, {"names", names_}, {"options", asked_}};
  {
    const std::scoped_lock lock(mutex_);
    made = answer_.made;
    json["state"] = answer_.state;
    json["progress"] = answer_.progress;
    json["seconds"] = answer_.seconds;
    json["message"] = answer_.message;
    json["error"] = answer_.error;
    json["notes"] = answer_.notes;
  }
  json["result"] = made && whole ? Json::parse(inference_json(*made), nullptr, false) : Json();
  json["known"] = made ? Json(inference::knowledge_text(*made)) : Json();
  return json;
}

Result<std::string> PublishedTables::exported(const std::string& what) const {
  std::shared_ptr<const inference::Inference> made;
  {
    const std::scoped_lock lock(mutex_);
    made = answer_.made;
  }
  if (!made)
    return Error{ErrorCode::kNoSuchThing, "nothing was inferred yet", what};
  if (what == "json")
    return inference_json(*made);
  if (what == "certificate")
    return inference_certificate(*made);
  if (what == "page")
    return inference_page(*made);
  if (what == "text")
    return inference_text(*made, made->cells.size(), true);
  return Error{ErrorCode::kOptionValue, "must be one of json, certificate, page and text", "form"};
}

// ---- the list

PublishedList::~PublishedList() {
  std::vector<Working> working;
  {
    const std::scoped_lock lock(mutex_);
    working = std::move(working_);
  }
  for (Working& each : working)
    each.published->stop();
}  // the threads are waited for

void PublishedList::sweep() {
  std::erase_if(working_, [](const Working& each) { return each.published->is_over(); });
}

Status PublishedList::add(const PublishedPtr& published) {
  const std::scoped_lock lock(mutex_);
  sweep();
  if (kept_.size() >= kMostKept || working_.size() >= kMostKept)
    return Error{ErrorCode::kTooMany, "too many published tables are open; close one", ""};
  published->id = ++last_;
  kept_[published->id] = published;
  working_.push_back({published, std::jthread([this, published] {
                        const std::scoped_lock turn(turn_);
                        published->execute();
                      })});
  return ok_status();
}

PublishedPtr PublishedList::find(int id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = kept_.find(id);
  return found == kept_.end() ? nullptr : found->second;
}

std::vector<PublishedPtr> PublishedList::all() const {
  const std::scoped_lock lock(mutex_);
  std::vector<PublishedPtr> all;
  for (const auto& [id, published] : kept_)
    all.push_back(published);
  return all;
}

bool PublishedList::forget(int id) {
  const std::scoped_lock lock(mutex_);
  const auto found = kept_.find(id);
  if (found == kept_.end())
    return false;
  found->second->stop();
  kept_.erase(found);
  return true;
}

bool PublishedList::is_busy() const {
  const std::scoped_lock lock(mutex_);
  return std::any_of(working_.begin(), working_.end(), [](const Working& each) {
    return !each.published->is_over();
  });
}

}  // namespace lacuna::serve
