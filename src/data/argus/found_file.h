// SPDX-License-Identifier: Apache-2.0
// Files as jobs of tau-ARGUS name them: with backslashes, drives and network paths that no longer
// exist, in other upper and lower case than on disk. A name is tried as it is (slashes turned),
// in the folder of the file that names it, of the job, of the data and of whoever runs the program,
// in each of them also in other upper and lower case; then where it stands if its folder moved as
// those of files before it did, or as the folders above the job did; then by its last part alone in
// the first three.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/argus/batch.h"
#include "lacuna/result.h"

namespace lacuna::argus {

class FileFinder {
 public:
  explicit FileFinder(std::string job_path);  // the folder of the job is searched first

  void add_folder_of(const std::string& path);  // searched after those before

  // The path of a file that is there. Errors: none, with what was tried; several that differ in
  // case alone. `named_in`: the path of the file that names it.
  Result<std::string> find(const Word& name, const std::string& named_in);
  // Where a file is to be written: the folder as named if it exists, else beside the job by the
  // last part, with a note.
  Result<std::string> output(const Word& name, const std::string& named_in);

  // What was found elsewhere than named, since the last call.
  std::vector<std::string> take_notes();

  // All that find() has found: no output may go there.
  const std::vector<std::string>& found() const { return found_; }

 private:
  std::vector<std::string> folders_for(const std::string& named_in) const;
  void add_note(const Word& name, const std::string& named_in, const std::string& text);

  struct Moved {  // a folder as named, and where its file was found
    std::string from, to;
  };
  struct Place {  // to look at
    std::string folder, path;
  };
  std::vector<Place> places_for(const std::string& path,
                                const std::string& last,
                                const std::string& named_in) const;
  void note_move(const std::string& named, const std::string& found);

  std::vector<std::string> folders_;
  std::vector<Moved> moved_;
  std::vector<std::string> notes_, found_;
};

}  // namespace lacuna::argus
