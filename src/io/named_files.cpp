// SPDX-License-Identifier: Apache-2.0
#include "io/named_files.h"

#include <filesystem>

#include "io/file.h"
#include "io/record_job.h"
#include "io/toml_document.h"

namespace lacuna::inline io {
namespace {

class NamedFiles {
 public:
  explicit NamedFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void take(const toml::node& node) {
    if (const toml::table* table = node.as_table()) {
      for (const auto& [key, value] : *table)
        take(value);
    } else if (const toml::array* array = node.as_array()) {
      for (const toml::node& value : *array)
        take(value);
    } else if (const auto* text = node.as_string()) {
      std::error_code trouble;  // a text that is no path
      const std::filesystem::path path = folder_ / text->get();
      if (!text->get().empty() && std::filesystem::is_regular_file(path, trouble))
        found.push_back(path.string());
    }
  }

  std::vector<std::string> found;

 private:
  std::filesystem::path folder_;
};

}  // namespace

std::vector<std::string> files_named_by(const std::string& path) {
  if (!is_job_name(path))
    return {};
  auto text = read_file(path);
  if (!text)
    return {};
  const auto document = TomlDocument::parse(*std::move(text), path);
  if (!document)
    return {};
  NamedFiles files(std::filesystem::path(path).parent_path());
  for (const auto& [key, value] : document->root()) {
    if (key.str() != "options" && key.str() != "output")
      files.take(value);
  }
  return files.found;
}

}  // namespace lacuna::inline io
