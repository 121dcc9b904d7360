// SPDX-License-Identifier: Apache-2.0
// All of Lacuna: tables and records in, sensitive cells, protection by any method, audit, files,
// reports. docs/library.md leads through it.
#pragma once

#include "lacuna/apriori.h"
#include "lacuna/audit.h"
#include "lacuna/cross.h"
#include "lacuna/dimension.h"
#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/fields.h"
#include "lacuna/files.h"
#include "lacuna/generate.h"
#include "lacuna/lp.h"
#include "lacuna/method.h"
#include "lacuna/problem.h"
#include "lacuna/protect.h"
#include "lacuna/records.h"
#include "lacuna/report.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"
#include "lacuna/sensitivity.h"
#include "lacuna/table.h"
#include "lacuna/tabulate.h"
#include "lacuna/tabulate_options.h"
#include "lacuna/tabulation.h"
#include "lacuna/units.h"
#include "lacuna/version.h"
