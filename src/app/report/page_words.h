// SPDX-License-Identifier: Apache-2.0
// The first screen of a page in plain words, for readers who know nothing of methods: what was
// asked, what is withheld, why it is safe (assurance.h), what it cost. The public words are made of
// published facts alone: they do not even tell how many cells are sensitive.
#pragma once

#include <string>
#include <vector>

#include "lacuna/report.h"

namespace lacuna::report {

struct Card {
  std::string heading;
  std::string figure;              // large
  std::vector<std::string> words;  // sentences below it
  std::string mark;                // a class of its frame; empty: none
};

std::vector<Card> office_words(const Problem& problem,
                               const Draft& draft,
                               const AuditReport& report,
                               const OfficePage& page);
std::vector<Card> public_words(const AuditedRelease& release, const PublicPage& page);

std::string cards_html(const std::vector<Card>& cards);

// A line per table of a job with several: its name, its cells, and how many of them are not
// published as they are; for the office how many are sensitive. Empty for a single table.
std::string tables_html(const Table& table,
                        const Draft& draft,
                        const std::vector<LinkedTable>& tables,
                        bool office);

// "1 cell", "1,234 cells".
std::string counted(std::int64_t number, const std::string& one, const std::string& many);

}  // namespace lacuna::report
