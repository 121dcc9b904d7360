// SPDX-License-Identifier: Apache-2.0
// The dimensions that the codes of all readers give together, and the code of each dimension that a
// reader's key means.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/tabulate/code_reader.h"
#include "lacuna/dimension.h"
#include "lacuna/result.h"
#include "lacuna/tabulate_options.h"

namespace lacuna::tabulation {

class LeafCodes {
 public:
  // The readers must outlive it.
  static Result<LeafCodes> make(std::vector<const CodeReader*> readers,
                                const TabulateOptions& options);

  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  // What was read otherwise than it stands there.
  const std::vector<std::string>& notes() const { return notes_; }
  std::int32_t code(std::size_t reader, KeyTable::Key key, std::size_t dimension) const {
    return codes_[dimension][reader][readers_[reader]->text_of_key(key, dimension)];
  }

 private:
  Status add_dimension(const DimensionSpec& spec, std::size_t d);
  Status note_cut(const DimensionSpec& spec, const std::vector<std::string>& texts);
  Status map_texts(const DimensionSpec& spec, std::size_t d, const Dimension& dimension);

  std::vector<const CodeReader*> readers_;
  std::vector<Dimension> dimensions_;
  std::vector<std::string> notes_;
  std::vector<std::vector<std::vector<std::int32_t>>> codes_;  // dimension, reader, text
};

}  // namespace lacuna::tabulation
