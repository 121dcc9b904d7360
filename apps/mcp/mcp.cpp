// SPDX-License-Identifier: Apache-2.0
#include "apps/mcp/mcp.h"

#include <filesystem>

#include "app/load/run_policy.h"
#include "apps/mcp/server.h"
#include "data/files/confinement.h"
#include "data/spec/spec_text.h"

namespace lacuna::mcp {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

Error refused(const std::string& message, const std::string& where) {
  return {ErrorCode::kFileMissing, message, where};
}

Result<Place> place_of(const McpJob& job) {
  std::error_code error;
  const fs::path root = fs::canonical(job.input.empty() ? "." : job.input, error);
  if (error || !fs::is_directory(root, error))
    return refused("there is no such folder", job.input);
  Place place{root.string(), {}};
  for (const std::string& name : job.published) {
    const fs::path real = fs::canonical(root / name, error);
    const fs::path relative = real.lexically_relative(root);
    if (error || relative.empty() || *relative.begin() == "..")
      return refused("there is no such file or folder below " + job.input, "--published " + name);
    place.published.push_back(real.string());
  }
  return place;
}

Status check_policy(const std::string& policy) {
  if (policy.empty())
    return ok_status();
  load::Inputs inputs;
  inputs.choices.policy = policy;
  const spec::ReadSpec none{{}, spec::SpecPlaces(), false};
  LACUNA_RETURN_IF_ERROR(load::policy_of(none, "", inputs));
  return ok_status();
}

}  // namespace

Status run_mcp(const McpJob& job, std::istream& in, std::ostream& out) {
  LACUNA_TRY(const Place place, place_of(job));
  LACUNA_RETURN_IF_ERROR(check_policy(job.policy));
  // A policy may be a file anywhere, which the owner names from where the program was started.
  std::error_code error;
  const bool is_file = fs::is_regular_file(job.policy, error);
  const std::string policy = is_file ? fs::canonical(job.policy, error).string() : job.policy;
  std::vector<std::string> readable{place.root};
  if (is_file)
    readable.push_back(policy);
  fs::current_path(place.root, error);
  if (error)
    return refused("this folder cannot be entered", job.input);
  const files::Confinement confined({
      .read_below = readable,
      .write_below = {place.root},
      .unpacked_megabytes = static_cast<std::uint64_t>(job.unpack_limit),
      .remedy = "unpack it, or have lacuna mcp started with a larger --unpack-limit",
  });
  Tools tools(place, policy, job.read_only);
  Server server(tools, out);
  server.run(in, static_cast<std::size_t>(job.line_limit) * kMegabyte);
  return ok_status();
}

}  // namespace lacuna::mcp
