// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/files.h"

#include <gmock/gmock.h>

#include <fstream>

#include "data/files/file.h"
#include "data/files/temporary_folder.h"

namespace lacuna::serve {
namespace {

namespace fs = std::filesystem;

class FilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_.file("root/sub"));
    write("outside.csv", "secret");
    write("root/a.csv", "a");
    write("root/sub/b.toml", "b");
    write("root/.hidden", "h");
    fs::create_symlink(folder_.file("outside.csv"), folder_.file("root/link.csv"));
    fs::create_symlink("a.csv", folder_.file("root/alias.csv"));
    auto opened = Files::open(folder_.file("root"));
    ASSERT_TRUE(opened);
    files_ = std::move(opened).value();
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.file(name)) << text;
  }

  files::TemporaryFolder folder_{"serve_files"};
  std::unique_ptr<Files> files_;
};

TEST_F(FilesTest, ReachesWhatIsBelowAndNothingElse) {
  EXPECT_TRUE(files_->path_of("a.csv"));
  EXPECT_TRUE(files_->path_of("alias.csv"));
  EXPECT_TRUE(files_->path_of("sub/b.toml"));
  EXPECT_TRUE(files_->path_of("example:sales.toml"));
  for (const char* name : {"../outside.csv",
                           "sub/../../outside.csv",
                           "link.csv",
                           ".hidden",
                           "",
                           "/etc/passwd",
                           "sub",
                           "nosuch.csv",
                           "upload:1/a.csv",
                           "example:../uploads/1/a.csv",
                           "./a.csv"})
    EXPECT_FALSE(files_->path_of(name)) << name;
}

TEST_F(FilesTest, KeepsUploadsApartAndRemovesThem) {
  const auto first = files_->keep("t.csv", 0, "one");
  const auto second = files_->keep("t.csv", 0, "two");
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  EXPECT_EQ(*files::read_file(*files_->path_of(*first)), "one");
  const auto beside = files_->keep("t.toml", 1, "job");
  ASSERT_TRUE(beside);
  EXPECT_EQ(*beside, "upload:1/t.toml");
  for (const char* name : {"../x", "a/b", ".x", "", "/x"})
    EXPECT_FALSE(files_->keep(name, 0, "x")) << name;
  EXPECT_FALSE(files_->keep("x", 99, "x"));
  const std::string path = *files_->path_of(*first);
  files_.reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(FilesTest, AnUploadGoesWithWhoeverReadsIt) {
  const std::string name = files_->keep("t.csv", 0, "one").value();
  Lease table = files_->lease(name), run = files_->lease(name);
  ASSERT_TRUE(table && run);
  files_->opened(name);
  files_->closed(name, false);
  table.reset();
  EXPECT_TRUE(files_->path_of(name)) << "a run reads it";
  run.reset();
  EXPECT_FALSE(files_->path_of(name));
  EXPECT_FALSE(files_->keep("u.csv", 1, "beside")) << "there is no such upload any more";
  EXPECT_FALSE(files_->lease("a.csv"));
}

TEST_F(FilesTest, ARefusedUploadStaysForTheFormAlone) {
  const std::string first = files_->keep("t.csv", 0, "one").value();
  const std::string second = files_->keep("t.csv", 0, "two").value();
  files_->refused(first, false);
  EXPECT_FALSE(files_->path_of(first)) << "there is nothing to correct";
  files_->refused(second, true);
  EXPECT_TRUE(files_->path_of(second));
  files_->closed(second, true);  // what the form has read to show it
  EXPECT_TRUE(files_->path_of(second));
  files_->opened("a.csv");
  EXPECT_FALSE(files_->path_of(second));
}

TEST_F(FilesTest, PackedUploadsStayAsTheyAre) {
  const std::string packed = files::pack_gzip("text").value();
  EXPECT_EQ(*files::read_file(*files_->path_of(*files_->keep("t.csv.gz", 0, packed))), "text");
}

TEST_F(FilesTest, NamesCannotDeceive) {
  for (const char* name : {"a\nb.csv", "a\x1b.csv", "\u202Evsc.exe", "a\u2066.csv", "a\xFF.csv"}) {
    EXPECT_FALSE(files_->keep(name, 0, "x")) << name;
    EXPECT_FALSE(files_->check_new(name)) << name;
  }
  EXPECT_TRUE(files_->keep("\u00E9\u6771.csv", 0, "x"));
}

TEST_F(FilesTest, WritesBelowTheFolderOnly) {
  EXPECT_TRUE(files_->write("sub/new.csv", "x", false).value());
  EXPECT_FALSE(files_->write("a.csv", "x", false).value());
  EXPECT_TRUE(files_->write("a.csv", "x", true).value());
  fs::create_symlink(folder_.file("dangled.csv"), folder_.file("root/dangling.csv"));
  for (const char* name : {"../new.csv",
                           "nosuch/new.csv",
                           "link.csv",
                           "alias.csv",
                           "dangling.csv",
                           "sub",
                           "sub/",
                           "upload:1/x.csv",
                           "example:sales.toml",
                           "/tmp/x.csv"}) {
    EXPECT_FALSE(files_->check_new(name)) << name;
    EXPECT_FALSE(files_->write(name, "x", true)) << name;
  }
  EXPECT_FALSE(fs::exists(folder_.file("dangled.csv")));
}

TEST_F(FilesTest, ListsWithoutWhatIsHiddenOrOutside) {
  const auto list = files_->list("");
  ASSERT_TRUE(list);
  std::vector<std::string> names;
  for (const FolderEntry& entry : *list)
    names.push_back(entry.name);
  EXPECT_THAT(names, ::testing::ElementsAre("sub", "a.csv", "alias.csv"));
  EXPECT_FALSE(files_->list(".."));
}

TEST_F(FilesTest, LooksAtWhatJobsName) {
  const std::string job = folder_.file("root/job.toml");
  EXPECT_TRUE(files_->check_named("table = \"a.csv\"", job));
  EXPECT_TRUE(files_->check_named("table = \"nosuch.csv\" # 1/2", job));
  EXPECT_FALSE(files_->check_named("table = \"../outside.csv\"", job));
  EXPECT_FALSE(files_->check_named("table = '" + folder_.file("outside.csv") + "'", job));
  EXPECT_FALSE(files_->check_named("table = \"link.csv\"", job));
  EXPECT_FALSE(files_->check_named("<OPENTABLEDATA> ..\\outside.csv", job));
}

}  // namespace
}  // namespace lacuna::serve
