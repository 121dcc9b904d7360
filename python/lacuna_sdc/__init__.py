# SPDX-License-Identifier: Apache-2.0
"""Lacuna makes statistical tables safe to publish."""

from ._core import version as _version

__version__ = _version()
__all__ = ["__version__"]
