// SPDX-License-Identifier: Apache-2.0
// What is said about the table in a file without writing a job: the same keys as [input] and
// [columns] have, as options; and which published rules apply to it, as the key `policy` says.
// With a job they go before what it says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/fields.h"
#include "lacuna/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::load {

inline constexpr FieldInfo kPolicyField{
    .name = "policy",
    .help =
        "published rules to apply where nothing else is said: a name that `lacuna policies` "
        "lists, or a file (docs/policies.md)",
    .absent = "none",
    .shown_as = "POLICY",
    .in_jobs = false};

struct TableChoices {
  std::string policy;              // a name, or a file
  std::string value, status;       // columns
  std::vector<std::string> total;  // "DIMENSION=CODE"
  std::optional<SpecTotals> totals;
  std::vector<std::string> wide, sheet;
  std::optional<std::int32_t> skip;
  std::string rows;
  std::vector<std::string> only;   // "COLUMN=CODE"
  std::vector<std::string> means;  // "SIGN=MEANING"
  bool operator==(const TableChoices&) const = default;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(kPolicyField, self.policy);
    visit(FieldInfo{.name = "value",
                    .help = "column with the values of the table",
                    .absent = "recognised by names and sums",
                    .shown_as = "COLUMN",
                    .in_jobs = false},
          self.value);
    visit(FieldInfo{.name = "status",
                    .help = "column that says which cells are confidential",
                    .absent = "recognised if its name and words leave no doubt",
                    .shown_as = "COLUMN",
                    .in_jobs = false},
          self.status);
    visit(FieldInfo{.name = "total",
                    .help = "the code that is the total of a dimension: DIMENSION=CODE",
                    .absent = "recognised by the sums",
                    .shown_as = "CODE",
                    .in_jobs = false},
          self.total);
    visit(FieldInfo{.name = "totals",
                    .help = "totals: take those given, compute missing ones, or recompute all",
                    .absent = "given",
                    .shown_as = "WORD",
                    .in_jobs = false},
          self.totals);
    shape_fields(self, visit);
  }

  // Whether anything is said of how the table is read.
  bool any() const;
  // The choices as a job that says nothing else. Errors: a text without its sign of equality, a
  // meaning that is not known.
  Result<JobSpec> spec() const;
  // The same on top of what a job says. Errors: it is over records; a dimension that it has not.
  Status add_to(JobSpec& job) const;

 private:
  template <class Self, class Visit>
  static void shape_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "wide",
                    .help = "name of the dimension whose codes stand in the heading, one column "
                            "per code; one name per row if the heading has several",
                    .absent = "recognised by names and sums",
                    .shown_as = "NAME",
                    .in_jobs = false},
          self.wide);
    visit(FieldInfo{.name = "sheet",
                    .help = "sheet of a workbook",
                    .absent = "the one that holds a table",
                    .shown_as = "NAME",
                    .in_jobs = false},
          self.sheet);
    visit(FieldInfo{.name = "skip",
                    .help = "number of rows above the heading of the table",
                    .least = 0,
                    .most = 1e6,
                    .absent = "all rows of titles",
                    .shown_as = "NUMBER",
                    .in_jobs = false},
          self.skip);
    visit(FieldInfo{.name = "rows",
                    .help = "rows of the file that hold the cells, such as 16-22",
                    .absent = "all rows below the heading, without footnotes",
                    .shown_as = "ROWS",
                    .in_jobs = false},
          self.rows);
    visit(FieldInfo{.name = "only",
                    .help = "read only the rows with this code: COLUMN=CODE; AT* keeps all codes "
                            "that begin with AT",
                    .shown_as = "CODE",
                    .in_jobs = false},
          self.only);
    visit(
        FieldInfo{.name = "means",
                  .help = "what a sign or flag of the file means: SIGN=withheld, absent, zero, or "
                          "a word for the status of a cell; may be given several times",
                  .shown_as = "SIGN",
                  .in_jobs = false},
        self.means);
  }
};

}  // namespace lacuna::load
