// SPDX-License-Identifier: Apache-2.0
// Handles of lacuna.h that free themselves, and small tables as specs and streams.
#pragma once

#include <gtest/gtest.h>
#include <lacuna.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/columns/arrow_c_writer.h"
#include "data/columns/output_table.h"

namespace lacuna {

struct FreeHandle {
  void operator()(lacuna_error* handle) const { lacuna_error_free(handle); }
  void operator()(lacuna_inputs* handle) const { lacuna_inputs_free(handle); }
  void operator()(lacuna_run* handle) const { lacuna_run_free(handle); }
  void operator()(lacuna_problem* handle) const { lacuna_problem_free(handle); }
  void operator()(lacuna_release* handle) const { lacuna_release_free(handle); }
  void operator()(lacuna_audit* handle) const { lacuna_audit_free(handle); }
  void operator()(lacuna_inference* handle) const { lacuna_inference_free(handle); }
  void operator()(char* text) const { lacuna_text_free(text); }
};
template <class Handle>
using Owned = std::unique_ptr<Handle, FreeHandle>;

// A call whose last two arguments are where its result and its error go.
template <class Handle>
struct Called {
  Owned<Handle> value;
  Owned<lacuna_error> error;
  lacuna_status status = LACUNA_OK;

  std::string message() const { return lacuna_error_message(error.get()); }
};
template <class Handle, class Function, class... Arguments>
Called<Handle> call(Function function, Arguments... arguments) {
  Handle* value = nullptr;
  lacuna_error* error = nullptr;
  const lacuna_status status = function(arguments..., &value, &error);
  EXPECT_EQ(status == LACUNA_OK, error == nullptr);
  EXPECT_EQ(status, lacuna_error_status(error));
  EXPECT_EQ(status == LACUNA_OK, value != nullptr);
  return {Owned<Handle>(value), Owned<lacuna_error>(error), status};
}

inline constexpr const char* kSpec = R"({"input": {"table": {"frame": "sizes"}},
 "columns": {"value": "value", "status": "status"},
 "dimension": [{"name": "region", "total": "All"}, {"name": "size", "total": "All"}]})";
// The cells in the order in which releases list them.
inline constexpr const char* kWithheld =
    "region;size;value;state\nAll;All;100;published\nAll;a;40;published\nAll;b;60;published\n"
    "N;All;30;published\nN;a;;withheld\nN;b;;withheld\n"
    "S;All;70;published\nS;a;;withheld\nS;b;;withheld\n";

inline columns::OutputTable sizes(const std::string& first_status,
                                  const std::string& first_value = "10") {
  columns::OutputTable table;
  const auto add = [&](const char* name, std::vector<std::string> texts) {
    table.columns.emplace_back();
    table.columns.back().name = name;
    table.columns.back().texts = std::move(texts);
  };
  add("region", {"N", "N", "N", "S", "S", "S", "All", "All", "All"});
  add("size", {"a", "b", "All", "a", "b", "All", "a", "b", "All"});
  add("value", {first_value, "20", "30", "30", "40", "70", "40", "60", "100"});
  add("status", {first_status, "s", "s", "s", "s", "s", "s", "s", "s"});
  return table;
}

inline Owned<lacuna_inputs> inputs_with(const columns::OutputTable& table) {
  Called<lacuna_inputs> made = call<lacuna_inputs>(lacuna_inputs_new);
  ArrowArrayStream stream;
  columns::export_stream(table, stream);
  EXPECT_EQ(lacuna_inputs_add_stream(made.value.get(), "sizes", &stream, nullptr), LACUNA_OK);
  EXPECT_EQ(stream.release, nullptr);
  return std::move(made.value);
}

inline Called<lacuna_problem> read_sizes(const lacuna_inputs* inputs, const char* spec = kSpec) {
  return call<lacuna_problem>(lacuna_problem_read_spec,
                              spec,
                              std::int32_t{LACUNA_JSON},
                              "sizes.json",
                              inputs,
                              static_cast<lacuna_run*>(nullptr));
}

inline Owned<lacuna_problem> sizes_problem(const std::string& first_status = "u") {
  Called<lacuna_problem> read = read_sizes(inputs_with(sizes(first_status)).get());
  EXPECT_EQ(read.status, LACUNA_OK) << read.message();
  return std::move(read.value);
}

inline Called<lacuna_release> protect(const lacuna_problem* problem,
                                      const char* options = nullptr) {
  return call<lacuna_release>(lacuna_problem_protect,
                              problem,
                              options,
                              static_cast<const lacuna_inputs*>(nullptr),
                              static_cast<lacuna_run*>(nullptr));
}

inline Called<char> published_csv(const lacuna_release* release, const char* options = nullptr) {
  const auto function = [&](char** bytes, lacuna_error** error) {
    return lacuna_release_published_file(release, ".csv", options, bytes, nullptr, error);
  };
  return call<char>(function);
}

}  // namespace lacuna
