// SPDX-License-Identifier: Apache-2.0
// The sections of a job that say what is sensitive and for whom: [[rule]], [levels], [weights],
// [bounds], [attackers]. They stay texts here, under the names of SensitivityOptions::fields: what
// they mean is for sensitivity/ to say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/job_file.h"
#include "io/toml_document.h"
#include "lacuna/result.h"

namespace lacuna::inline io {

class RuleReader {
 public:
  explicit RuleReader(const TomlDocument& document) : document_(document) {}

  Status read_rules(bool has_requests);  // who has asked for protection is known
  Status read_levels();
  Status read_weights();
  Status read_bounds();
  Status read_attackers();
  std::vector<JobOption> take() && { return std::move(rules_); }

 private:
  struct KeyOption;
  struct RuleType;
  static const std::vector<RuleType>& rule_types();
  Status set(const toml::node& node, std::string_view option, std::string value);
  void add_pair(const toml::node& node, std::string_view option, const std::string& pair);
  Status read_keys(const toml::table& table, std::span<const KeyOption> keys);
  Status read_plain_section(const char* name, std::span<const KeyOption> keys);
  Result<const RuleType*> rule_type(const toml::table& rule) const;
  Status read_rule(const toml::table& rule, const RuleType& type);

  const TomlDocument& document_;
  std::vector<JobOption> rules_;
  bool has_requests_ = false;
};

}  // namespace lacuna::inline io
