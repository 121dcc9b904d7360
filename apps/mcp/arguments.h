// SPDX-License-Identifier: Apache-2.0
// What an assistant gives with a call: names of files, names of cells, and options. The options are
// those of the command line, by the same lists (lacuna/fields.h); a tool has those that say how
// something is done. None says what is asked of a table: whoever may move a threshold can find out
// by its verdicts what it is compared with.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/options.h"
#include "apps/mcp/json.h"
#include "lacuna/fields.h"
#include "lacuna/result.h"

namespace lacuna::mcp {

enum class ArgumentKind : std::uint8_t { kFile, kFiles, kNewFile, kCells, kOption };

struct ArgumentInfo {
  std::string name;  // as in the JSON: time_limit
  ArgumentKind kind = ArgumentKind::kOption;
  bool needed = false;
  std::string help;
  OptionInfo option{};  // of kOption
};

// Those of `known` that are named here, in this order.
std::vector<ArgumentInfo> options_among(const std::vector<OptionInfo>& known,
                                        std::initializer_list<std::string_view> names);

Json schema_of(const std::vector<ArgumentInfo>& arguments);

// The folder, which is the working folder of the process, and what may be named of it.
struct Place {
  std::string root;                    // behind all links
  std::vector<std::string> published;  // files and folders in it that everybody may read, likewise

  // Errors: no plain name below the folder, or no file there.
  Status check_file(const std::string& name) const;
  // Errors: likewise, or something of that name is there already.
  Status check_new(const std::string& name) const;
  bool is_published(const std::string& name) const;
};

class Arguments {
 public:
  // Errors: one that the tool has not, one that is missing, a type that is not its own, a file that
  // may not be named.
  static Result<Arguments> read(const Json& given,
                                const std::vector<ArgumentInfo>& known,
                                const Place& place);

  std::string text(std::string_view name) const;  // empty: not given
  std::vector<std::string> texts(std::string_view name) const;
  // Those options that are also among these.
  session::GivenOptions options(const std::vector<OptionInfo>& known) const;
  session::GivenOptions options() const { return options_; }

 private:
  session::GivenOptions given_, options_;
};

}  // namespace lacuna::mcp
