# SPDX-License-Identifier: Apache-2.0
"""``python -m lacuna_sdc`` is the command ``lacuna``."""

import sys

from ._command import main

sys.exit(main())
