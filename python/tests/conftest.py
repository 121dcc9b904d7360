# SPDX-License-Identifier: Apache-2.0
"""What holds for all tests: Ctrl-C is heard, also where they were started in the background, where
a shell lets what it starts ignore it."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
