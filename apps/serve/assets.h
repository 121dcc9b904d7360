// SPDX-License-Identifier: Apache-2.0
// The files of web/ and examples/, which the program carries (cmake/LacunaServeAssets.cmake).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lacuna::serve {

struct Asset {
  std::string_view name;  // "/app.js", "/examples/sales.csv"
  std::string_view text;
};
std::span<const Asset> assets();

std::string media_type(std::string_view name);

}  // namespace lacuna::serve
