// SPDX-License-Identifier: Apache-2.0
// The writer of releases does not take a Draft: what is written has been audited. Its first
// parameter is read off its declaration, so that the case holds whatever else the writer takes.
// expect: error: static.assert.*only an audited release is written
#include <type_traits>

#include "data/publish/release_file.h"
#include "lacuna/audit.h"

template <class First, class... Rest>
First first_parameter(lacuna::Status (*)(First, Rest...));
using Writes = decltype(first_parameter(&lacuna::publish::write_release));

static_assert(std::is_convertible_v<const lacuna::AuditedRelease&, Writes>);
#ifdef LACUNA_FORBIDDEN
static_assert(std::is_convertible_v<const lacuna::Draft&, Writes>,
              "only an audited release is written");
#endif
