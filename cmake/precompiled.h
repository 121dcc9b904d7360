// SPDX-License-Identifier: Apache-2.0
// The headers of others that nearly every file includes, for lacuna_precompiled() of
// LacunaTargets.cmake: the compiler reads them once instead of once per group. Every file still names
// what it uses; builds without LACUNA_UNITY do not have this one.
#pragma once

#include <fmt/core.h>
#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
