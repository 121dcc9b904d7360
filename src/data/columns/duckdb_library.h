// SPDX-License-Identifier: Apache-2.0
// The C interface of DuckDB, by which Parquet is read and written: the functions used here, found
// in libduckdb at run time. Declared after its documentation; the program is not linked with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lacuna/result.h"

namespace lacuna::columns {
namespace duckdb {

using Database = struct DatabaseTag*;
using Connection = struct ConnectionTag*;
using Config = struct ConfigTag*;
using Statement = struct StatementTag*;
using LogicalType = struct LogicalTypeTag*;
using Chunk = struct ChunkTag*;
using Vector = struct VectorTag*;
using Appender = struct AppenderTag*;
using Rows = std::uint64_t;
using Outcome = int;  // 0: done

struct QueryResult {  // six words that belong to the library
  Rows deprecated_column_count = 0;
  Rows deprecated_row_count = 0;
  Rows deprecated_rows_changed = 0;
  void* deprecated_columns = nullptr;
  char* deprecated_error = nullptr;
  void* internal = nullptr;
};

// Numbers of types that are used.
enum class TypeId : int {
  kBoolean = 1,
  kTinyint = 2,
  kSmallint = 3,
  kInteger = 4,
  kBigint = 5,
  kUtinyint = 6,
  kUsmallint = 7,
  kUinteger = 8,
  kUbigint = 9,
  kFloat = 10,
  kDouble = 11,
  kDate = 13,
  kVarchar = 17,
  kBlob = 18,
  kDecimal = 19,
  kList = 24,
  kStruct = 25,
  kMap = 26,
  kUnion = 28,
  kArray = 33,
};

struct Api {
  Outcome (*create_config)(Config*) = nullptr;
  Outcome (*set_config)(Config, const char*, const char*) = nullptr;
  void (*destroy_config)(Config*) = nullptr;
  Outcome (*open_ext)(const char*, Database*, Config, char**) = nullptr;
  void (*close)(Database*) = nullptr;
  Outcome (*connect)(Database, Connection*) = nullptr;
  void (*disconnect)(Connection*) = nullptr;
  void (*free)(void*) = nullptr;
  const char* (*library_version)() = nullptr;
  Outcome (*query)(Connection, const char*, QueryResult*) = nullptr;
  void (*destroy_result)(QueryResult*) = nullptr;
  const char* (*result_error)(QueryResult*) = nullptr;
  Rows (*column_count)(QueryResult*) = nullptr;
  const char* (*column_name)(QueryResult*, Rows) = nullptr;
  LogicalType (*column_logical_type)(QueryResult*, Rows) = nullptr;
  Outcome (*prepare)(Connection, const char*, Statement*) = nullptr;
  const char* (*prepare_error)(Statement) = nullptr;
  void (*destroy_prepare)(Statement*) = nullptr;
  Outcome (*execute_prepared_streaming)(Statement, QueryResult*) = nullptr;
  Chunk (*fetch_chunk)(QueryResult) = nullptr;
  Chunk (*create_data_chunk)(LogicalType*, Rows) = nullptr;
  void (*destroy_data_chunk)(Chunk*) = nullptr;
  void (*data_chunk_reset)(Chunk) = nullptr;
  Rows (*data_chunk_get_size)(Chunk) = nullptr;
  void (*data_chunk_set_size)(Chunk, Rows) = nullptr;
  Vector (*data_chunk_get_vector)(Chunk, Rows) = nullptr;
  void* (*vector_get_data)(Vector) = nullptr;
  std::uint64_t* (*vector_get_validity)(Vector) = nullptr;
  void (*vector_ensure_validity_writable)(Vector) = nullptr;
  void (*vector_assign_string_element_len)(Vector, Rows, const char*, Rows) = nullptr;
  Rows (*vector_size)() = nullptr;
  LogicalType (*create_logical_type)(int) = nullptr;
  LogicalType (*create_decimal_type)(std::uint8_t, std::uint8_t) = nullptr;
  void (*destroy_logical_type)(LogicalType*) = nullptr;
  int (*get_type_id)(LogicalType) = nullptr;
  std::uint8_t (*decimal_scale)(LogicalType) = nullptr;
  int (*decimal_internal_type)(LogicalType) = nullptr;
  Outcome (*appender_create)(Connection, const char*, const char*, Appender*) = nullptr;
  Outcome (*append_data_chunk)(Appender, Chunk) = nullptr;
  Outcome (*appender_destroy)(Appender*) = nullptr;
  std::string path;  // of the library
};

// The library, looked for once: the file that LACUNA_DUCKDB names, else libduckdb.so in the
// project's cache folder, where scripts/setup --with-duckdb puts it, else wherever the system's
// loader finds it. Errors name the remedy.
Result<const Api*> find_library();

// A database in memory that loads no extension, writes no file by itself and asks no network.
class Session {
 public:
  // `limits`: memory, and a folder for what does not fit it.
  struct Limits {
    std::string memory;     // such as 6GB; empty: as the library likes
    std::string temporary;  // empty: none
  };
  static Result<Session> open(int threads);
  static Result<Session> open(int threads, const Limits& limits);
  Session(Session&& other) noexcept;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  Session& operator=(Session&&) = delete;
  ~Session();

  const Api& api() const { return *api_; }
  Connection connection() const { return connection_; }
  // Runs a statement whose rows do not matter.
  Status run(const std::string& sql) const;

 private:
  explicit Session(const Api& api) : api_(&api) {}
  const Api* api_;
  Database database_ = nullptr;
  Connection connection_ = nullptr;
};

// 'text' and "name" as SQL writes them.
std::string sql_text(std::string_view text);
std::string sql_name(std::string_view name);
// The first line of the library's message, as an error about a file.
Error query_error(const char* message);

}  // namespace duckdb
}  // namespace lacuna::columns
