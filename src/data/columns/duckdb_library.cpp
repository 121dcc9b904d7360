// SPDX-License-Identifier: Apache-2.0
#include "data/columns/duckdb_library.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/base/confidential.h"
#include "core/platform/shared_library.h"

namespace lacuna::columns {
namespace duckdb {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? "" : value;
}

// As scripts/setup has it.
std::string cache_folder() {
  if (const std::string own = variable("LACUNA_CACHE"); !own.empty())
    return own;
  if (const std::string shared = variable("XDG_CACHE_HOME"); !shared.empty())
    return shared + "/lacuna";
  const std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.cache/lacuna";
}

Error no_library(const std::string& reason) {
  return {ErrorCode::kNoEngine,
          "Parquet files are read and written by DuckDB's library, which is missing (" + reason +
              "): run scripts/setup --with-duckdb, set LACUNA_DUCKDB to the path of a " +
              platform::library_name("duckdb") + ", or use .arrow or .csv instead",
          ""};
}

bool find_database(const platform::SharedLibrary& library, Api& api) {
  return library.find("duckdb_create_config", api.create_config) &&
         library.find("duckdb_set_config", api.set_config) &&
         library.find("duckdb_destroy_config", api.destroy_config) &&
         library.find("duckdb_open_ext", api.open_ext) && library.find("duckdb_close", api.close) &&
         library.find("duckdb_connect", api.connect) &&
         library.find("duckdb_disconnect", api.disconnect) &&
         library.find("duckdb_free", api.free) &&
         library.find("duckdb_library_version", api.library_version);
}

bool find_queries(const platform::SharedLibrary& library, Api& api) {
  return library.find("duckdb_query", api.query) &&
         library.find("duckdb_destroy_result", api.destroy_result) &&
         library.find("duckdb_result_error", api.result_error) &&
         library.find("duckdb_column_count", api.column_count) &&
         library.find("duckdb_column_name", api.column_name) &&
         library.find("duckdb_column_logical_type", api.column_logical_type) &&
         library.find("duckdb_prepare", api.prepare) &&
         library.find("duckdb_prepare_error", api.prepare_error) &&
         library.find("duckdb_destroy_prepare", api.destroy_prepare) &&
         library.find("duckdb_execute_prepared_streaming", api.execute_prepared_streaming) &&
         library.find("duckdb_fetch_chunk", api.fetch_chunk);
}

bool find_chunks(const platform::SharedLibrary& library, Api& api) {
  return library.find("duckdb_create_data_chunk", api.create_data_chunk) &&
         library.find("duckdb_destroy_data_chunk", api.destroy_data_chunk) &&
         library.find("duckdb_data_chunk_reset", api.data_chunk_reset) &&
         library.find("duckdb_data_chunk_get_size", api.data_chunk_get_size) &&
         library.find("duckdb_data_chunk_set_size", api.data_chunk_set_size) &&
         library.find("duckdb_data_chunk_get_vector", api.data_chunk_get_vector) &&
         library.find("duckdb_vector_get_data", api.vector_get_data) &&
         library.find("duckdb_vector_get_validity", api.vector_get_validity) &&
         library.find("duckdb_vector_ensure_validity_writable",
                      api.vector_ensure_validity_writable) &&
         library.find("duckdb_vector_assign_string_element_len",
                      api.vector_assign_string_element_len) &&
         library.find("duckdb_vector_size", api.vector_size) &&
         library.find("duckdb_create_logical_type", api.create_logical_type) &&
         library.find("duckdb_create_decimal_type", api.create_decimal_type) &&
         library.find("duckdb_destroy_logical_type", api.destroy_logical_type) &&
         library.find("duckdb_get_type_id", api.get_type_id) &&
         library.find("duckdb_decimal_scale", api.decimal_scale) &&
         library.find("duckdb_decimal_internal_type", api.decimal_internal_type) &&
         library.find("duckdb_appender_create", api.appender_create) &&
         library.find("duckdb_append_data_chunk", api.append_data_chunk) &&
         library.find("duckdb_appender_destroy", api.appender_destroy);
}

std::vector<std::string> candidates() {
  if (const std::string named = variable("LACUNA_DUCKDB"); !named.empty())
    return {named};
  std::vector<std::string> names;
  if (const std::string cache = cache_folder(); !cache.empty()) {
    const std::string kept = cache + "/duckdb/" + platform::library_name("duckdb");
    std::error_code ignored;
    if (std::filesystem::exists(kept, ignored))
      names.push_back(kept);
  }
  names.push_back(platform::library_name("duckdb"));
  return names;
}

Result<Api> load() {
  std::string reason;
  for (const std::string& name : candidates()) {
    const platform::SharedLibrary library(name);
    Api api;
    api.path = name;
    if (!library.is_open()) {
      reason = library.reason();
      continue;
    }
    if (find_database(library, api) && find_queries(library, api) && find_chunks(library, api))
      return api;
    reason = name + " lacks functions of DuckDB's C interface";
  }
  return no_library(reason);
}

}  // namespace

Result<const Api*> find_library() {
  static const Result<Api> api = load();
  if (!api)
    return api.error();
  return &*api;
}

Result<Session> Session::open(int threads) {
  return open(threads, {});
}

Result<Session> Session::open(int threads, const Limits& limits) {
  LACUNA_TRY(const Api* api, find_library());
  Config config = nullptr;
  if (api->create_config(&config) != 0)
    return Error{ErrorCode::kFileUnreadable, "DuckDB's library could not be started", api->path};
  const std::string count = std::to_string(std::max(threads, 1));
  std::vector<std::pair<const char*, const char*>> settings{
      {"threads", count.c_str()},
      {"autoinstall_known_extensions", "false"},
      {"autoload_known_extensions", "false"},
      {"allow_community_extensions", "false"},
      {"temp_directory", limits.temporary.c_str()},
  };
  if (!limits.memory.empty())
    settings.emplace_back("memory_limit", limits.memory.c_str());
  for (const auto& [name, value] : settings)
    api->set_config(config, name, value);  // one that a version does not know leaves its default
  Session session(*api);
  char* message = nullptr;
  const Outcome opened = api->open_ext(":memory:", &session.database_, config, &message);
  api->destroy_config(&config);
  if (opened != 0) {
    Error error = query_error(message);
    if (message != nullptr)
      api->free(message);
    return error;
  }
  if (api->connect(session.database_, &session.connection_) != 0)
    return Error{ErrorCode::kFileUnreadable, "DuckDB's library could not be started", api->path};
  return session;
}

Session::Session(Session&& other) noexcept
    : api_(other.api_),
      database_(std::exchange(other.database_, nullptr)),
      connection_(std::exchange(other.connection_, nullptr)) {}

Session::~Session() {
  if (connection_ != nullptr)
    api_->disconnect(&connection_);
  if (database_ != nullptr)
    api_->close(&database_);
}

Status Session::run(const std::string& sql) const {
  QueryResult result;
  const Outcome outcome = api_->query(connection_, sql.c_str(), &result);
  Status status = outcome == 0 ? ok_status() : Status(query_error(api_->result_error(&result)));
  api_->destroy_result(&result);
  return status;
}

std::string sql_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'')
      quoted += c;
  }
  return quoted + "'";
}

std::string sql_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    quoted += c;
    if (c == '"')
      quoted += c;
  }
  return quoted + "\"";
}

Error query_error(const char* message) {
  std::string text = message == nullptr ? "unknown reason" : message;
  text.resize(std::min(text.find('\n'), text.size()));
  // "Conversion Error: Could not convert string '...'": what follows may quote the data.
  const std::size_t kind = text.find(": ");
  if (kind != std::string::npos)
    text = text.substr(0, kind + 2) + base::confidential(text.substr(kind + 2));
  return {ErrorCode::kDamaged, "DuckDB cannot do it: " + text, ""};
}

}  // namespace duckdb
}  // namespace lacuna::columns
