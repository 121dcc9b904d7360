// SPDX-License-Identifier: Apache-2.0
#include "core/base/progress_meter.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/work.h"

namespace lacuna::base {
namespace {

constexpr auto kBetween = std::chrono::milliseconds(100);
constexpr std::int64_t kLookAfter = 100'000;  // touches, so that beats seldom read the clock
constexpr double kFirstEstimate = 0.01;       // before this share nobody knows how long it takes

double seconds(ProgressMeter::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

// Methods that have nothing yet say so by NaN, infinity or a cost of 0.
bool is_found(double cost) {
  return std::isfinite(cost) && cost != 0;
}

double within_one(double share) {
  return std::isnan(share) ? 0 : std::clamp(share, 0.0, 1.0);
}

}  // namespace

ProgressMeter::ProgressMeter(Sink sink, Clock::time_point deadline)
    : sink_(std::move(sink)),
      start_(Clock::now()),
      deadline_(deadline),
      teller_(std::this_thread::get_id()),
      looked_(touches_so_far()),
      next_(start_),
      stage_touches_(touches_so_far()),
      stage_start_(start_) {}

void ProgressMeter::begin(const Stage& stage) {
  const std::scoped_lock lock(guard_);
  if (begun_)  // the last one has ended, whatever it has left undone
    last_.share = std::max(last_.share, stage_.until);
  begun_ = true;
  from_ = last_.share;
  stage_ = stage;
  stage_touches_ = touches_of_all();
  stage_start_ = Clock::now();
  last_.fraction = 0;
}

double ProgressMeter::done_of_stage(Clock::time_point now) const {
  double done = 0;
  if (stage_.work != kNoWorkLimit && stage_.work > 0)
    done = static_cast<double>(touches_of_all() - stage_touches_) /
           (static_cast<double>(stage_.work) * static_cast<double>(kTouchesPerUnit));
  if (stage_.deadline != Clock::time_point::max())
    done = std::max(done, seconds(now - stage_start_) / seconds(stage_.deadline - stage_start_));
  if (stage_.work == kNoWorkLimit && stage_.deadline == Clock::time_point::max())
    done = last_.fraction;
  return within_one(done);
}

void ProgressMeter::report(const Progress& news) {
  {
    const std::scoped_lock lock(guard_);
    phase_ = news.phase;
    urgent_ = urgent_ || told_.insert(phase_).second;
    last_.fraction = within_one(news.fraction);
    if (is_found(news.incumbent))
      last_.incumbent = news.incumbent;
    if (std::isfinite(news.bound))
      last_.bound = news.bound;
    if (is_found(news.incumbent) && std::isnan(last_.first_seconds)) {
      last_.first_seconds = seconds(Clock::now() - start_);
      urgent_ = true;
    }
  }
  if (std::this_thread::get_id() == teller_)
    tell(Clock::now());
}

bool ProgressMeter::is_time_to_look() const {
  return std::this_thread::get_id() == teller_ && !telling_ &&
         std::abs(touches_so_far() - looked_) >= kLookAfter;
}

void ProgressMeter::beat() {
  if (!is_time_to_look())
    return;
  looked_ = touches_so_far();
  tell(Clock::now());
}

void ProgressMeter::tell(Clock::time_point now) {
  Progress news;
  std::string phase;
  {
    const std::scoped_lock lock(guard_);
    if (telling_ || (now < next_ && !urgent_))
      return;
    urgent_ = false;
    const double share = from_ + (stage_.until - from_) * done_of_stage(now);
    last_.share = std::max(last_.share, within_one(share));
    last_.seconds = seconds(now - start_);
    last_.seconds_left = last_.share < kFirstEstimate
                             ? Progress::kNone
                             : last_.seconds * (1 - last_.share) / last_.share;
    if (deadline_ != Clock::time_point::max()) {
      const double left = std::max(0.0, seconds(deadline_ - now));
      last_.seconds_left =
          std::isnan(last_.seconds_left) ? left : std::min(last_.seconds_left, left);
    }
    news = last_;
    phase = phase_;
  }
  news.phase = phase;
  next_ = now + kBetween;
  telling_ = true;  // the sink may look whether to stop
  sink_(news);
  telling_ = false;
}

}  // namespace lacuna::base

namespace lacuna {

void RunContext::beat() const {
  meter->beat();
}

RunContext with_progress(RunContext run) {
  if (!run.on_progress || run.meter)
    return run;
  run.meter = std::make_shared<base::ProgressMeter>(std::move(run.on_progress), run.deadline);
  run.on_progress = [meter = run.meter](const Progress& news) { meter->report(news); };
  return run;
}

}  // namespace lacuna
