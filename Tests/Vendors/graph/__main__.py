# SPDX-License-Identifier: Apache-2.0
"""Runs the double: `python3 Tests/Vendors/graph [--port N] [--lifeline]`."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from common.server import main  # noqa: E402
from graph.vendor import Graph  # noqa: E402

if __name__ == "__main__":
    main(Graph(), "A double of Microsoft Graph v1.0's calendars.")
