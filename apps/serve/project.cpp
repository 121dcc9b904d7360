// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/project.h"

#include <filesystem>
#include <map>

#include "apps/serve/job.h"
#include "apps/serve/repeat.h"
#include "core/base/confidential.h"
#include "data/files/file.h"
#include "data/files/zip.h"
#include "data/files/zip_reader.h"
#include "data/publish/release_file.h"
#include "lacuna/version.h"

namespace lacuna::serve {
namespace fs = std::filesystem;
namespace {

constexpr int kFormat = 1;
const std::string kRecord = "project.json";

// ---- writing

class Writing {
 public:
  Writing(const Workspace& workspace, const Json& page) : workspace_(workspace) {
    record_ = {{"lacuna", std::string(version())}, {"format", kFormat}, {"page", page}};
    record_["documents"] = Json::array();
  }

  Result<std::string> run() {
    for (const DocumentPtr& document : workspace_.documents()) {
      LACUNA_RETURN_IF_ERROR(add_document(*document));
    }
    files_[kRecord] = dump(record_) + "\n";
    files_["README.txt"] = readme_;
    files::ZipArchive zip;
    for (const auto& [name, bytes] : files_)
      LACUNA_RETURN_IF_ERROR(zip.add(name, bytes));
    return zip.finish();
  }

 private:
  Status add_document(const Document& document) {
    const std::string folder = "documents/" + std::to_string(document.id) + "/";
    const std::string file = document.kind == "argus" ? document.name : input_file(document);
    LACUNA_TRY(const auto read, files_read_by(document));
    for (const auto& [name, bytes] : read)
      files_[folder + name] = bytes;
    Json told{{"id", document.id}, {"name", document.name}, {"file", file}};
    told["job"] = document.job_is_new && document.job ? Json(*document.job) : Json();
    told["done"] = changes_json(document, document.done);
    told["undone"] = changes_json(document, document.undone);
    Json runs = Json::array();
    for (const RunPtr& run : workspace_.runs(document.id)) {
      if (run->is_over())
        runs.push_back(add_run(*run));
    }
    told["runs"] = runs;
    record_["documents"].push_back(told);
    return ok_status();
  }

  static std::string input_file(const Document& document) {
    return fs::path(document.path).filename().string();
  }

  static Json changes_json(const Document& document, const std::vector<Change>& changes) {
    Json list = Json::array();
    for (const Change& change : changes) {
      const auto text = change_text(document, change);
      if (text)
        list.push_back({{"label", change.label},
                        {"text", change.text},
                        {"reason", change.reason},
                        {"apriori", *text}});
    }
    return list;
  }

  Json add_run(const Run& run) {
    const std::string folder = "runs/" + std::to_string(run.id()) + "/";
    Json told = run.json(true);
    told["done"] = changes_json(run.document(), run.document().done);
    if (const auto repeat = run.files_to_repeat()) {
      for (const auto& [name, bytes] : *repeat)
        files_[folder + name] = bytes;
      readme_ += folder + ": " + told.value("command_line", "") + "\n";
    }
    const auto release = run.outcome().release;
    told["release"] = release != nullptr;
    if (release) {
      files_[folder + "result.json"] = release->result_text();
      files_[folder + "certificate.json"] = release->certificate_text();
      told["run"] = publish::run_json(release->run().summary);
      add_pages(*release, folder);
    }
    return told;
  }

  // What readers may have is there if nothing stands against it.
  void add_pages(const session::SessionRelease& release, const std::string& folder) {
    if (!needs_word(release)) {
      if (const auto bytes = session::published_bytes(release, ".csv", {}))
        files_[folder + "public.csv"] = *bytes;
    }
    job::RunOptions options;
    const auto job =
        session::report_job(release, "", {{"unasked", {"publish"}}}, options);
    if (!job)
      return;
    if (const auto made = job::run_report(*job, options.context({})))
      files_[folder + "report.html"] = made->html;
  }

  const Workspace& workspace_;
  Json record_;
  std::map<std::string, std::string> files_;
  std::string readme_ =
      "A project of lacuna serve. Every folder below runs/ has what its command line reads; the "
      "command, run in that folder, gives the same release. All of it is confidential except "
      "public.csv.\n\n";
};

// ---- opening

Error damaged(const std::string& file, const std::string& why) {
  return {ErrorCode::kDamaged, "this is not a whole project: " + why, file};
}

class Reading {
 public:
  Reading(Workspace& workspace, Files& files, std::string file)
      : workspace_(workspace), from_(files), file_(std::move(file)) {}

  Result<Json> run(const std::string& bytes) {
    LACUNA_TRY(files::ZipReader zip, files::ZipReader::open(bytes, file_));
    LACUNA_RETURN_IF_ERROR(unpack(zip));
    const auto found = files_.find(kRecord);
    if (found == files_.end())
      return damaged(file_, kRecord + " is missing");
    LACUNA_TRY(const Json record, parse_json(found->second));
    if (!record.is_object() || record.value("format", Json()) != Json(kFormat) ||
        !record.contains("documents") || !record["documents"].is_array())
      return damaged(file_, "it was written by another version, or is damaged");
    for (const Json& document : record["documents"])
      open_document(document);
    return Json{{"documents", numbers_},
                {"runs", runs_},
                {"page", record.value("page", Json())},
                {"notes", notes_}};
  }

 private:
  Status unpack(files::ZipReader& zip) {
    for (const files::ZipMember& member : zip.members()) {
      LACUNA_TRY(files_[member.name], zip.read(member));
    }
    return ok_status();
  }

  std::map<std::string, std::string> below(const std::string& folder) const {
    std::map<std::string, std::string> some;
    for (const auto& [name, bytes] : files_) {
      if (name.starts_with(folder) && name.size() > folder.size())
        some[name.substr(folder.size())] = bytes;
    }
    return some;
  }

  void note(const std::string& name, const Error& error) {
    notes_.push_back(name + ": " + base::in_full(error.text()));
  }

  void open_document(const Json& told) {
    const std::string name = text_member(told, "name");
    const auto opened = read_document(told);
    if (!opened)
      return note(name, opened.error());
    const DocumentPtr document = *opened;
    numbers_.push_back(document->id);
    for (const Json& run : told.value("runs", Json::array())) {
      if (const Status restored = restore(document, run); !restored)
        note(name + ", run " + text_member(run, "id"), restored.error());
    }
  }

  Result<DocumentPtr> read_document(const Json& told) {
    LACUNA_TRY(const std::string folder,
               from_.keep_all(below("documents/" + text_member(told, "id") + "/")));
    std::optional<std::string> job;
    if (told.contains("job") && told["job"].is_string())
      job = told["job"].get<std::string>();
    const std::string file = folder + "/" + text_member(told, "file");
    const Opened opened = serve::open_document(from_, file, job);
    if (const auto* failure = std::get_if<OpenFailure>(&opened))
      return failure->error;
    DocumentPtr document = std::get<DocumentPtr>(opened);
    std::size_t undone_changes = 0;
    LACUNA_TRY(document, with_changes(document, told.value("done", Json::array())));
    Json later = told.value("undone", Json::array());
    std::reverse(later.begin(), later.end());
    undone_changes = later.size();
    LACUNA_TRY(document, with_changes(document, later));
    for (std::size_t i = 0; i < undone_changes; ++i) {
      LACUNA_TRY(document, undone(*document));
    }
    return workspace_.add(document);
  }

  static Result<DocumentPtr> with_changes(DocumentPtr document, const Json& changes) {
    for (const Json& change : changes) {
      LACUNA_TRY(document,
                 with_text(*document,
                           text_member(change, "apriori"),
                           {{},
                            {},
                            text_member(change, "label"),
                            text_member(change, "text"),
                            text_member(change, "reason")}));
    }
    return document;
  }

  // A run sees the table as it was decided on then.
  Status restore(const DocumentPtr& document, const Json& told) {
    Document before = *document;
    before.done.clear();
    before.undone.clear();
    before.now = before.held.loaded;
    DocumentPtr then = std::make_shared<const Document>(std::move(before));
    LACUNA_TRY(then, with_changes(then, told.value("done", Json::array())));
    const std::string folder = "runs/" + text_member(told, "id") + "/";
    KeptRun kept{told, std::nullopt};
    if (told.value("release", Json()) == Json(true))
      kept.release = session::SavedRelease{
          files_[folder + "result.json"], text_member(told, "run"), files_[folder + "certificate.json"]};
    LACUNA_TRY(const Json options, with_files(told.value("options", Json::object()), folder));
    LACUNA_TRY(const RunPtr run,
               workspace_.restore(
                   then, text_member(told, "command"), options, from_, std::move(kept)));
    runs_.push_back(run->id());
    return ok_status();
  }

  // Files that options name lie with the run.
  Result<Json> with_files(Json options, const std::string& folder) {
    std::map<std::string, std::string> named;
    const auto look = [&](const Json& value) {
      if (!value.is_string())
        return;
      const std::string name = name_of_upload(value.get<std::string>());
      if (const auto found = files_.find(folder + name); found != files_.end())
        named[name] = found->second;
    };
    for (const auto& [name, value] : options.items()) {
      look(value);
      for (const Json& each : value.is_array() ? value : Json::array())
        look(each);
    }
    if (named.empty())
      return options;
    LACUNA_TRY(const std::string place, from_.keep_all(named));
    const auto moved = [&](Json& value) {
      if (value.is_string() && named.contains(name_of_upload(value.get<std::string>())))
        value = place + "/" + name_of_upload(value.get<std::string>());
    };
    for (auto& [name, value] : options.items()) {
      moved(value);
      if (value.is_array())
        std::for_each(value.begin(), value.end(), moved);
    }
    return options;
  }

  Workspace& workspace_;
  Files& from_;
  std::string file_;
  std::map<std::string, std::string> files_;
  Json numbers_ = Json::array(), runs_ = Json::array(), notes_ = Json::array();
};

}  // namespace

Result<std::string> project_archive(const Workspace& workspace, const Json& page) {
  return Writing(workspace, page).run();
}

Result<Json> open_project(Workspace& workspace, Files& files, const std::string& file) {
  LACUNA_TRY(const std::string path, files.path_of(file));
  LACUNA_TRY(const std::string bytes, files::read_file(path));
  return Reading(workspace, files, fs::path(path).filename().string()).run(bytes);
}

}  // namespace lacuna::serve
