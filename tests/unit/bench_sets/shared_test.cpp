// SPDX-License-Identifier: Apache-2.0
// The list of best known results beside the instances of a folder.
#include <gtest/gtest.h>

#include "app/generate/generate.h"
#include "bench/sets/sets.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"
#include "data/jobfile/problem_file.h"

namespace lacuna::bench {
namespace {

std::string run_shared(const files::TemporaryFolder& folder) {
  BenchJob job;
  job.set = "shared";
  job.instances = folder.file("");
  const auto output = run_job(job, {});
  return output ? output->text : output.error().text();
}

TEST(BenchShared, ListedResultsStandBesideOurs) {
  const files::TemporaryFolder folder("shared_test");
  ASSERT_TRUE(jobfile::write_problem(generation::generate({}).value(), folder.file("small.jj")));
  ASSERT_TRUE(files::write_file_atomically(
      folder.file("best_known.csv"),
      "instance,best_by,csp_status,csp_objective\nsmall,\"a, b\",proven,1\nabsent,,open,2\n"));
  const std::string text = run_shared(folder);
  EXPECT_NE(text.find("| small |"), std::string::npos) << text;
  EXPECT_NE(text.find("| proven | 1 |"), std::string::npos) << text;
  EXPECT_EQ(text.find("absent"), std::string::npos) << text;
}

TEST(BenchShared, AListThatCannotBeReadIsAnError) {
  const files::TemporaryFolder folder("shared_test");
  ASSERT_TRUE(files::write_file_atomically(folder.file("best_known.csv"), "instance,a\nsmall\n"));
  EXPECT_NE(run_shared(folder).find("best_known.csv:2:1: the row has 1 fields"), std::string::npos)
      << run_shared(folder);
  ASSERT_TRUE(files::write_file_atomically(folder.file("best_known.csv"), "name,a\nsmall,1\n"));
  EXPECT_NE(run_shared(folder).find("there is no column 'instance'"), std::string::npos);
}

}  // namespace
}  // namespace lacuna::bench
