// SPDX-License-Identifier: Apache-2.0
// As precompiled.h, for the programs of tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "precompiled.h"
