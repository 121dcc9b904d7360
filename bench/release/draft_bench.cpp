// SPDX-License-Identifier: Apache-2.0
// What a draft of many cells takes: seconds to withhold them in the order of the cells and in a
// drawn order, to state intervals in a drawn order, to ask for the state of every cell, to go
// through all entries, to copy the draft and to publish every cell again; and the bytes of memory
// that a cell takes, as asked of the allocator. One CSV row per kind of draft.
//
//   draft_bench [cells] [seed]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <numeric>
#include <utility>

#include "core/base/random.h"
#include "lacuna/draft.h"

namespace {

std::size_t bytes_now = 0;
constexpr std::size_t kHead = 16;  // keeps the size of a block, and its alignment

}  // namespace

void* operator new(std::size_t size) {
  auto* block = static_cast<std::size_t*>(std::malloc(size + kHead));
  if (block == nullptr)
    throw std::bad_alloc();
  *block = size;
  bytes_now += size;
  return reinterpret_cast<char*>(block) + kHead;
}
void operator delete(void* place) noexcept {
  if (place == nullptr)
    return;
  auto* block = reinterpret_cast<std::size_t*>(static_cast<char*>(place) - kHead);
  bytes_now -= *block;
  std::free(block);
}
void operator delete(void* place, std::size_t) noexcept {
  operator delete(place);
}

namespace lacuna {
namespace {

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<CellId> cells_of(std::int32_t number) {
  std::vector<CellId> cells;
  for (std::int32_t c = 0; c < number; ++c)
    cells.push_back(CellId{c});
  return cells;
}

void shuffle(std::vector<CellId>& cells, std::uint64_t seed) {
  base::Random random(seed);
  for (std::size_t i = cells.size(); i > 1; --i)
    std::swap(cells[i - 1],
              cells[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i) - 1))]);
}

void measure(const char* name, const std::vector<CellId>& cells, const auto& state) {
  const std::size_t before = bytes_now;
  Draft draft;
  const double made = seconds_of([&] {
    for (const CellId cell : cells)
      state(draft, cell);
  });
  const std::size_t bytes = bytes_now - before;
  std::int64_t seen = 0;
  const double asked = seconds_of([&] {
    for (const CellId cell : cells)
      seen += draft.state(cell) != StatementKind::kExact ? 1 : 0;
  });
  const double walked = seconds_of([&] {
    for (const CellEntry& entry : draft.each())
      seen += entry.cell.value >= 0 ? 1 : 0;
  });
  Draft other;
  const double copied = seconds_of([&] { other = draft; });
  const double undone = seconds_of([&] {
    for (const CellId cell : cells)
      draft.publish_exact(cell);
  });
  if (seen != 2 * std::ssize(cells))
    std::abort();
  std::printf("%s,%zu,%.1f,%.4f,%.4f,%.4f,%.4f,%.4f\n",
              name,
              cells.size(),
              static_cast<double>(bytes) / static_cast<double>(cells.size()),
              made,
              asked,
              walked,
              copied,
              undone);
}

}  // namespace
}  // namespace lacuna

int main(int argc, char** argv) {
  using namespace lacuna;
  const auto number = static_cast<std::int32_t>(argc > 1 ? std::atol(argv[1]) : 1'000'000);
  const auto seed = static_cast<std::uint64_t>(argc > 2 ? std::atol(argv[2]) : 1);
  std::vector<CellId> cells = cells_of(number);
  std::puts("draft,cells,bytes_per_cell,made,asked,walked,copied,undone");
  const auto withhold = [](Draft& draft, CellId cell) { draft.withhold(cell); };
  const auto interval = [](Draft& draft, CellId cell) { draft.publish_interval(cell, {0, 9}); };
  measure("withheld in order", cells, withhold);
  measure("intervals in order", cells, interval);
  shuffle(cells, seed);
  measure("withheld in drawn order", cells, withhold);
  measure("intervals in drawn order", cells, interval);
  return 0;
}
