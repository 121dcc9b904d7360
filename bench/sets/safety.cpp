// SPDX-License-Identifier: Apache-2.0
// Three layers of processes: this one counts and solves nothing; one per block of tables, which
// asks the second verifier for all of them at once; and one per table, so that a crash is that
// table's.
#include "bench/sets/safety.h"

#include <fmt/core.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

#include "bench/sets/process.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"

namespace lacuna::bench {
namespace {

constexpr std::int64_t kBlock = 25;          // tables
constexpr std::chrono::seconds kTable{300};  // a table that takes longer hangs
constexpr std::chrono::seconds kLongest{kTable * kBlock};

struct Block {
  std::int64_t first = 0, count = 0;
};

std::string folder_of(const files::TemporaryFolder& folder, std::int64_t number) {
  return folder.file(std::to_string(number));
}

SafetyOutcome table_apart(const SafetySetup& setup, std::int64_t number, const std::string& place) {
  std::filesystem::create_directories(place);
  ChildLimits limits;
  limits.longest = kTable;
  const ChildResult child =
      run_apart([&] { return pack(test_table(setup, number, place)); }, limits);
  if (child.finished)
    return unpack_outcome(child.output);
  SafetyOutcome outcome;
  const auto command = files::read_file(command_file(place));
  outcome.failures.push_back(
      {number, "crash", child.trouble, command ? command->substr(0, command->find('\n')) : ""});
  return outcome;
}

// In a process of its own. What a table that failed has left is copied to the folder of the bench.
SafetyOutcome test_block(const SafetySetup& setup, const Block& block, const std::string& keep) {
  const files::TemporaryFolder folder("safety_" + std::to_string(block.first));
  std::vector<SafetyOutcome> tables;
  std::vector<CertifiedPair*> pairs;
  for (std::int64_t i = 0; i < block.count; ++i)
    tables.push_back(table_apart(setup, block.first + i, folder_of(folder, block.first + i)));
  for (SafetyOutcome& table : tables) {
    for (RunPair& each : table.pairs)
      pairs.push_back(&each.pair);
  }
  SafetyOutcome whole;
  if (const Status asked = ask_verifier(setup.verifier, folder.file("pairs"), pairs); !asked)
    whole.failures.push_back({block.first, "crash", asked.error().text(), ""});
  for (std::int64_t i = 0; i < block.count; ++i) {
    const std::int64_t number = block.first + i;
    SafetyOutcome& table = tables[static_cast<std::size_t>(i)];
    conclude(number, table);
    merge(table, whole);
    std::error_code ignored;  // the failure is reported whether or not its files can be kept
    if (!keep.empty() && !table.failures.empty())
      std::filesystem::copy(folder_of(folder, number),
                            keep + "/failed-" + std::to_string(number),
                            std::filesystem::copy_options::recursive |
                                std::filesystem::copy_options::overwrite_existing,
                            ignored);
  }
  return whole;
}

// Hands out blocks to as many processes as there are threads to wait for them.
class Blocks {
 public:
  Blocks(const SafetySetup& setup, Block all, std::string keep, const RunContext& run)
      : setup_(setup), all_(all), keep_(std::move(keep)), run_(run), next_(all.first) {}

  SafetyOutcome work() {
    std::vector<std::jthread> workers;
    for (int t = 0; t < std::max(1, run_.threads); ++t)
      workers.emplace_back([this] { take_blocks(); });
    SafetyOutcome whole;
    std::int64_t done = 0;
    while (done < all_.count) {
      std::unique_lock lock(guard_);
      news_.wait(lock, [&] { return !ready_.empty(); });
      const auto [block, outcome] = std::move(ready_.front());
      ready_.pop_front();
      lock.unlock();
      merge(outcome, whole);
      done += block.count;
      report(done, outcome);
    }
    std::stable_sort(whole.failures.begin(),
                     whole.failures.end(),
                     [](const auto& a, const auto& b) { return a.table < b.table; });
    return whole;
  }

 private:
  void report(std::int64_t done, const SafetyOutcome& outcome) const {
    if (run_.on_progress)
      run_.on_progress(
          {"tables", static_cast<double>(done) / static_cast<double>(all_.count), 0, 0});
    if (!run_.log)
      return;
    for (const SafetyFailure& each : outcome.failures)
      run_.log(fmt::format("table {}: {}: {}", each.table, each.kind, each.text));
  }

  void take_blocks() {
    for (;;) {
      Block block;
      {
        const std::scoped_lock lock(guard_);
        block = {next_, std::min(kBlock, all_.first + all_.count - next_)};
        next_ += block.count;
      }
      if (block.count == 0)
        return;
      SafetyOutcome outcome = block_apart(block);
      const std::scoped_lock lock(guard_);
      ready_.emplace_back(block, std::move(outcome));
      news_.notify_one();
    }
  }

  SafetyOutcome block_apart(const Block& block) const {
    SafetyOutcome outcome;
    if (run_.stop.stop_requested())
      return outcome;
    ChildLimits limits;
    limits.longest = kLongest;
    limits.stop = run_.stop;
    const ChildResult child =
        run_apart([&] { return pack(test_block(setup_, block, keep_)); }, limits);
    if (child.finished)
      return unpack_outcome(child.output);
    if (!run_.stop.stop_requested())
      outcome.failures.push_back({block.first, "crash", "the bench: " + child.trouble, ""});
    return outcome;
  }

  const SafetySetup& setup_;
  Block all_;
  std::string keep_;
  const RunContext& run_;
  std::mutex guard_;
  std::condition_variable news_;
  std::int64_t next_;
  std::deque<std::pair<Block, SafetyOutcome>> ready_;
};

Status check(const BenchJob& job) {
  if (job.tables.size() > 1 || (job.tables.size() == 1 && job.tables.front() < 1))
    return Error{
        ErrorCode::kOptionValue, "safety takes one number of tables, at least 1", "--tables"};
  for (const std::string& path : {job.program, job.verifier}) {
    if (!std::filesystem::exists(path))
      return Error{ErrorCode::kFileMissing,
                   "the bench of safety needs this program and scripts/verify_certificate.py, and "
                   "one of them is not there (LACUNA_VERIFIER names another place)",
                   path};
  }
  return ok_status();
}

}  // namespace

Result<job::JobOutput> bench_safety(const BenchJob& job, const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(check(job));
  std::error_code trouble;
  if (!job.output.empty())
    std::filesystem::create_directories(job.output, trouble);
  if (trouble)
    return Error{
        ErrorCode::kFileUnwritable, "the folder cannot be made: " + trouble.message(), job.output};
  const SafetySetup setup{run.seed, job.program, job.verifier};
  const std::int64_t tables = job.tables.empty() ? kSafetyTables : job.tables.front();
  const SafetyOutcome outcome = Blocks(setup, {job.first, tables}, job.output, run).work();
  if (!job.output.empty())
    LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.output + "/summary.md",
                                                        safety_page(outcome, job, run.seed)));
  if (run.stop.stop_requested())
    return job::JobOutput{job::ExitCode::kNoResult, safety_text(outcome, run.seed), "stopped"};
  return job::JobOutput{safety_code(outcome),
                        job.json ? safety_json(outcome, run.seed) : safety_text(outcome, run.seed)};
}

}  // namespace lacuna::bench
