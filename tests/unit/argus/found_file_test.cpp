// SPDX-License-Identifier: Apache-2.0
#include "data/argus/found_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "data/files/temporary_folder.h"

namespace lacuna::argus {
namespace {

class FoundFile : public ::testing::Test {
 protected:
  void make(const std::string& name) {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name)) << "x";
  }
  std::string path(const std::string& name) const { return folder_.file(name); }
  std::string root() const {
    const std::string file = path("x");
    return file.substr(0, file.size() - 2);
  }
  // The path without the folder of the test, or the error.
  std::string shown(const Result<std::string>& result) const {
    std::string text = result ? *result : result.error().text();
    for (std::size_t at = 0; (at = text.find(root(), at)) != std::string::npos;)
      text.replace(at, root().size(), "ROOT");
    return text;
  }
  std::string find(FileFinder& finder, const std::string& name) const {
    return shown(finder.find({name, {3, 7}}, path("job/j.arb")));
  }
  std::string output(FileFinder& finder, const std::string& name) const {
    return shown(finder.output({name, {3, 7}}, path("job/j.arb")));
  }
  std::string notes(FileFinder& finder) const {
    std::string all;
    for (const std::string& note : finder.take_notes())
      all += (all.empty() ? "" : "\n") + note;
    return shown(Result<std::string>(all));
  }

  files::TemporaryFolder folder_{"found_file"};
};

TEST_F(FoundFile, BesideTheJobAndTheData) {
  make("job/a.asc");
  make("job/sub/b.asc");
  make("data/c.hrc");
  FileFinder finder(path("job/j.arb"));
  EXPECT_EQ(find(finder, "a.asc"), "ROOT/job/a.asc");
  EXPECT_EQ(find(finder, "sub\\b.asc"), "ROOT/job/sub/b.asc");
  EXPECT_EQ(find(finder, "..\\data/c.hrc"), "ROOT/job/../data/c.hrc");
  EXPECT_EQ(find(finder, path("data/c.hrc")), "ROOT/data/c.hrc");
  EXPECT_EQ(find(finder, "c.hrc"),
            "ROOT/job/j.arb:3:7: the file 'c.hrc' is not there, nor in 'ROOT/job'");
  finder.add_folder_of(path("data/x.asc"));
  EXPECT_EQ(find(finder, "c.hrc"), "ROOT/data/c.hrc");
  EXPECT_EQ(notes(finder), "");
}

TEST_F(FoundFile, OtherUpperAndLowerCase) {
  make("job/Sub Folder/Age.hrc");
  make("job/Twice.txt");
  make("job/tWice.txt");
  FileFinder finder(path("job/j.arb"));
  EXPECT_EQ(find(finder, "SUB folder\\age.Hrc"), "ROOT/job/Sub Folder/Age.hrc");
  EXPECT_EQ(notes(finder),
            "ROOT/job/j.arb:3:7: 'SUB folder\\age.Hrc' is read from 'ROOT/job/Sub Folder/Age.hrc'");
  EXPECT_EQ(find(finder, "Twice.txt"), "ROOT/job/Twice.txt");
  EXPECT_EQ(
      find(finder, "TWICE.TXT"),
      "ROOT/job/j.arb:3:7: 'TWICE.TXT' could be 'ROOT/job/Twice.txt' or 'ROOT/job/tWice.txt': "
      "write the name as it is on disk");
  EXPECT_EQ(notes(finder), "");
}

TEST_F(FoundFile, PathsThatNoLongerExist) {
  make("job/Example1.CSV");
  FileFinder finder(path("job/j.arb"));
  for (const char* const name : {"\\\\SCB\\Net apps\\Example1.csv",
                                 "C:\\data\\example1.csv",
                                 "D:Example1.csv",
                                 "gone/EXAMPLE1.CSV",
                                 "/gone/Example1.csv"}) {
    EXPECT_EQ(find(finder, name), "ROOT/job/Example1.CSV") << name;
    EXPECT_EQ(
        notes(finder),
        "ROOT/job/j.arb:3:7: '" + std::string(name) + "' is read from 'ROOT/job/Example1.CSV'");
  }
  find(finder, "gone/EXAMPLE1.CSV");
  find(finder, "gone/EXAMPLE1.CSV");
  EXPECT_EQ(finder.take_notes().size(), 1U);
  EXPECT_EQ(find(finder, "C:\\data\\"), "ROOT/job/j.arb:3:7: expected the name of a file");
  EXPECT_EQ(find(finder, "  "), "ROOT/job/j.arb:3:7: expected the name of a file");
  make("job/folder/x");
  EXPECT_EQ(find(finder, "folder"),
            "ROOT/job/j.arb:3:7: the file 'folder' is not there, nor in 'ROOT/job'");
}

TEST_F(FoundFile, FoldersThatMovedTogether) {
  make("job/ex2.tab");
  make("hrc/Act.hrc");
  make("job/sub/b.hrc");
  make("job/out/x");
  FileFinder finder(path("job/j.arb"));
  EXPECT_EQ(find(finder, "Z:\\old\\hrc\\act.hrc").substr(0, 19), "ROOT/job/j.arb:3:7:");
  EXPECT_EQ(find(finder, "Z:\\old\\ex2\\ex2.tab"), "ROOT/job/ex2.tab");
  EXPECT_EQ(find(finder, "z:\\old\\hrc\\act.hrc"), "ROOT/hrc/Act.hrc");
  EXPECT_EQ(find(finder, "Z:/old/ex2/sub/b.hrc"), "ROOT/job/sub/b.hrc");
  EXPECT_EQ(finder.take_notes().size(), 3U);
  EXPECT_EQ(output(finder, "Z:\\old\\ex2\\out\\o.csv"), "ROOT/job/out/o.csv");
  EXPECT_EQ(output(finder, "Z:\\old\\none\\o.csv"), "ROOT/job/o.csv");
  EXPECT_EQ(finder.take_notes().size(), 2U);
}

TEST_F(FoundFile, Outputs) {
  make("job/Out/x");
  make("elsewhere/x");
  FileFinder finder(path("job/j.arb"));
  EXPECT_EQ(output(finder, "a.csv"), "ROOT/job/a.csv");
  EXPECT_EQ(output(finder, "out\\a.csv"), "ROOT/job/Out/a.csv");
  EXPECT_EQ(output(finder, path("elsewhere/a.csv")), "ROOT/elsewhere/a.csv");
  EXPECT_EQ(notes(finder), "");
  EXPECT_EQ(output(finder, "\\\\SCB\\Net apps\\a.csv"), "ROOT/job/a.csv");
  EXPECT_EQ(notes(finder),
            "ROOT/job/j.arb:3:7: '\\\\SCB\\Net apps\\a.csv' is written to 'ROOT/job/a.csv'");
  EXPECT_EQ(output(finder, "C:\\x\\"),
            "ROOT/job/j.arb:3:7: expected the name of a file to write, not 'C:\\x\\'");
  EXPECT_EQ(output(finder, "Out"), "ROOT/job/j.arb:3:7: 'ROOT/job/Out' is a folder");
}

}  // namespace
}  // namespace lacuna::argus
