// SPDX-License-Identifier: Apache-2.0
// How fast are records tabulated, and in how much memory? Writes a CSV file of random records with
// four dimensions (two with a hierarchy, about 99,000 cells), tabulates it with the three largest
// contributors of every cell, and prints one CSV row per run:
//   instance,records,cells,threads,seconds,cpu_seconds,peak_mib
// The processor time is that of all threads, which other work on the machine moves less.
// Three kinds of respondents: settled (a tenth as many as records, each always in the same cell but
// for the year), scattered (as many, their records anywhere: the worst case) and distinct (a new
// one with every record). Compare with tabulate_duckdb.py on the same file (--keep, and --reuse to
// tabulate a file that is there).
//
//   tabulate_bench [--kind settled|scattered|distinct|all] [--records N] [--threads N] [--runs N]
//                  [--file PATH] [--keep] [--reuse]
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "core/base/random.h"
#include "data/problems/microdata.h"
#include "lacuna/tabulate.h"

namespace lacuna {
namespace {

struct Setting {
  std::string kind = "all";
  std::int64_t records = 10'000'000;
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  int runs = 1;
  std::string file = "tabulate_bench.csv";
  bool keep = false;
  bool reuse = false;
};

bool write_records(const Setting& setting, const std::string& kind) {
  std::FILE* file = std::fopen(setting.file.c_str(), "w");
  if (file == nullptr)
    return false;
  std::fputs("act,reg,size,year,respondent,turnover\n", file);
  const std::int64_t respondents = std::max<std::int64_t>(1, setting.records / 10);
  base::Random random(1);
  for (std::int64_t i = 0; i < setting.records; ++i) {
    const std::int64_t who = kind == "distinct" ? i : random.between(1, respondents);
    base::Random own(static_cast<std::uint64_t>(who));
    base::Random& place = kind == "settled" ? own : random;
    const auto draw = [&](base::Random& from, std::int64_t high) {
      return static_cast<int>(from.between(1, high));
    };
    const int act = draw(place, 5) * 10 + draw(place, 6);
    const int reg = draw(place, 4) * 10 + draw(place, 5);
    const int size = draw(place, 9);
    const int year = 2000 + draw(random, 10);
    const std::int64_t cents = random.between(1, 1000) * random.between(1, 100'000);
    std::fprintf(file,
                 "%d,%d,%d,%d,R%08lld,%lld.%02lld\n",
                 act,
                 reg,
                 size,
                 year,
                 static_cast<long long>(who),
                 static_cast<long long>(cents / 100),
                 static_cast<long long>(cents % 100));
  }
  return std::fclose(file) == 0;
}

TabulateOptions bench_options() {
  TabulateOptions options;
  options.dimensions = {digit_dimension("act", "act", {1, 1}),
                        digit_dimension("reg", "reg", {1, 1}),
                        flat_dimension("size", "size"),
                        flat_dimension("year", "year")};
  options.value = "turnover";
  options.respondent = "respondent";
  options.top = 3;
  return options;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1'000'000.0;
}

// One measurement, in a process of its own so that the peak of memory is that of this run.
int measure(const Setting& setting, const std::string& kind) {
  const auto begin = std::chrono::steady_clock::now();
  const auto source = problems::open_csv_records(setting.file, {});
  if (!source) {
    std::fprintf(stderr, "%s\n", source.error().text().c_str());
    return EXIT_FAILURE;
  }
  RunContext run;
  run.threads = setting.threads;
  const auto result = tabulate(**source, bench_options(), run);
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().text().c_str());
    return EXIT_FAILURE;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("tabulate-%s,%lld,%zu,%d,%.2f,%.2f,%ld\n",
              kind.c_str(),
              static_cast<long long>(result->cells[0].records),
              result->cells.size(),
              setting.threads,
              seconds.count(),
              seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
              usage.ru_maxrss / 1024);
  return std::fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

bool measure_apart(const Setting& setting, const std::string& kind) {
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(measure(setting, kind));
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == EXIT_SUCCESS;
}

bool parse(int count, char** words, Setting& setting) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--keep" || word == "--reuse") {
      setting.keep = true;
      setting.reuse = setting.reuse || word == "--reuse";
      continue;
    }
    if (i + 1 == count)
      return false;
    const std::string value = words[++i];
    if (word == "--kind") {
      setting.kind = value;
    } else if (word == "--records") {
      setting.records = std::atoll(value.c_str());
    } else if (word == "--threads") {
      setting.threads = std::atoi(value.c_str());
    } else if (word == "--runs") {
      setting.runs = std::atoi(value.c_str());
    } else if (word == "--file") {
      setting.file = value;
    } else {
      return false;
    }
  }
  return setting.records > 0 && setting.threads > 0 && setting.runs > 0;
}

int bench_main(int count, char** words) {
  Setting setting;
  if (!parse(count, words, setting)) {
    std::fputs("usage: see the head of tabulate_bench.cpp\n", stderr);
    return EXIT_FAILURE;
  }
  std::puts("instance,records,cells,threads,seconds,cpu_seconds,peak_mib");
  std::fflush(stdout);
  for (const std::string kind : {"settled", "scattered", "distinct"}) {
    if (setting.kind != "all" && setting.kind != kind)
      continue;
    if (!setting.reuse && !write_records(setting, kind)) {
      std::fputs("the file of records cannot be written\n", stderr);
      return EXIT_FAILURE;
    }
    for (int run = 0; run < setting.runs; ++run) {
      if (!measure_apart(setting, kind))
        return EXIT_FAILURE;
    }
  }
  if (!setting.keep)
    std::remove(setting.file.c_str());
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace lacuna

int main(int count, char** words) {
  return lacuna::bench_main(count, words);
}
