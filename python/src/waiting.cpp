// SPDX-License-Identifier: Apache-2.0
#include "waiting.h"

#include <cmath>
#include <set>

#include "core/platform/process.h"

namespace lacuna::python {
namespace {

constexpr std::chrono::milliseconds kPatience{100};
constexpr std::chrono::seconds kLastPatience{5};  // of a process that ends, with its runs

// The threads that wait, so that none is in the middle of it when the interpreter ends.
struct Ending {
  std::mutex mutex;
  std::condition_variable changed;
  bool has_begun = false;
  std::set<const Waiting*> waiting;
};

Ending* current_ending =
    nullptr;  // never destroyed: parked threads may look at it to the last

Ending& ending() {
  static const bool is_ready = [] {
    current_ending = new Ending;
    // A forked process has none of the threads, and perhaps a lock that nobody will give back.
    platform::in_forked_children([] { current_ending = new Ending; });
    return true;
  }();
  (void)is_ready;
  return *current_ending;
}

void enlist(const Waiting* waiting) {
  const std::scoped_lock lock(ending().mutex);
  ending().waiting.insert(waiting);
}

void strike_off(const Waiting* waiting) {
  const std::scoped_lock lock(ending().mutex);
  ending().waiting.erase(waiting);
  ending().changed.notify_all();
}

class Enlisted {
 public:
  explicit Enlisted(const Waiting* waiting) : waiting_(waiting) { enlist(waiting); }
  ~Enlisted() { strike_off(waiting_); }
  Enlisted(const Enlisted&) = delete;
  Enlisted& operator=(const Enlisted&) = delete;

 private:
  const Waiting* waiting_;
};

nb::object number_or_none(double number) {
  return std::isnan(number) ? nb::none() : nb::object(nb::float_(number));
}

nb::dict as_dict(const session::News& news) {
  const Progress& progress = news.progress;
  nb::dict out;
  out["phase"] = nb::str(news.phase.c_str(), news.phase.size());
  out["share"] = progress.share;
  out["seconds"] = progress.seconds;
  out["seconds_left"] = number_or_none(progress.seconds_left);
  out["incumbent"] = number_or_none(progress.incumbent);
  out["bound"] = number_or_none(progress.bound);
  return out;
}

}  // namespace

void end_runs() {
  const nb::gil_scoped_release released;
  std::unique_lock lock(ending().mutex);
  ending().has_begun = true;
  ending().changed.wait_for(lock, kLastPatience, [] { return ending().waiting.empty(); });
}

void Waiting::park_at_the_end() {
  {
    const std::scoped_lock lock(ending().mutex);
    if (!ending().has_begun)
      return;
  }
  watch.stop();
  watch.wait_until_done();
  strike_off(this);
  for (;;)
    std::this_thread::sleep_for(std::chrono::hours(1));
}

void Waiting::wait() {
  const Enlisted enlisted(this);
  for (;;) {
    {
      const nb::gil_scoped_release released;
      const bool is_done = watch.is_done_within(kPatience);
      park_at_the_end();
      if (is_done)
        return;
    }
    look_for_signals();
    tell_progress();
  }
}

void Waiting::stop_by(nb::python_error error) {
  watch.stop();
  if (error.matches(PyExc_KeyboardInterrupt))
    interrupted = true;
  else if (!trouble)
    trouble.emplace(std::move(error));
}

void Waiting::look_for_signals() {
  if (PyErr_CheckSignals() != 0)
    stop_by(nb::python_error());
}

void Waiting::tell_progress() {
  const std::optional<session::News> news = watch.take_news();
  if (!news || watch.is_stopped())
    return;
  try {
    on_progress_(as_dict(*news));
  } catch (nb::python_error& error) {
    stop_by(std::move(error));
  }
}

}  // namespace lacuna::python
