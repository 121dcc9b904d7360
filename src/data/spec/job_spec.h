// SPDX-License-Identifier: Apache-2.0
// A JobSpec from the keys of a text or an object, and back, by the list of keys that each part of
// it states (lacuna/job_spec.h). One reader and one writer for all of its forms.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "data/spec/value.h"
#include "lacuna/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::spec {

// Where each key of a job stands, by its path: "input.decimals", "dimension[1].tree". A path that
// is not given has the place of what it would stand in.
class SpecPlaces {
 public:
  explicit SpecPlaces(std::string filename = "") : filename_(std::move(filename)) {}

  void add(const std::string& path, std::string value, std::string key);
  const std::string& filename() const { return filename_; }
  bool has(const std::string& path) const { return places_.contains(path); }
  std::string where(std::string path) const;      // of the value
  std::string where_key(std::string path) const;  // of the key
  // An error of what stands at the path.
  Error error(const std::string& path,
              std::string message,
              ErrorCode code = ErrorCode::kJobValue) const;
  Error moved(Error error, const std::string& path) const;  // to what stands at the path

 private:
  struct Place {
    std::string value, key;
  };
  std::string place(std::string path, std::string Place::*which) const;
  std::string filename_;
  std::map<std::string, Place> places_;
};

struct ReadSpec {
  JobSpec job;
  SpecPlaces places;
  bool over_records = false;  // by the keys of the text, even if nothing stands at them
};

// Errors: keys that are not there, with the nearest, and values of another kind, by their place.
Result<ReadSpec> read_spec(const SpecValue& value, const std::string& filename);

// What is not at its default. read_spec() of it gives the same job.
SpecValue write_spec(const JobSpec& job);

}  // namespace lacuna::spec
