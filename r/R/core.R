# SPDX-License-Identifier: Apache-2.0
# Calls of the core. What the core refuses comes back as a list of class "lacuna_refusal" and is
# raised here, so that no error ever jumps over C++.

version_of_core <- function() .Call(C_version)
