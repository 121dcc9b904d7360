// SPDX-License-Identifier: Apache-2.0
// Something that is done from time to time while work goes on, such as saving it.
#pragma once

#include <chrono>

namespace lacuna::base {

class Throttle {
 public:
  explicit Throttle(double seconds_between) : seconds_between_(seconds_between) {}

  bool is_due() const {
    const auto since = std::chrono::steady_clock::now() - last_;
    return std::chrono::duration<double>(since).count() >= seconds_between_;
  }
  void done() { last_ = std::chrono::steady_clock::now(); }

 private:
  double seconds_between_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace lacuna::base
