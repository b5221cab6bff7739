# SPDX-License-Identifier: Apache-2.0
"""Runs a double of Google Calendar's REST API v3 on 127.0.0.1.

usage: double.py [--port PORT] [--lifeline]

Needs the packages google-api-python-client (for its discovery document), python-dateutil and tzdata.
Prints `ready PORT`. The API is below /calendar/v3/, batches go to /batch/calendar/v3; the token
`ACCOUNT` or `ACCOUNT.SCOPE+SCOPE` names an account. For tests there are the control addresses of
common/control.py, and POST /-/ACCOUNT/events, /purge, /calendars and GET /-/ACCOUNT/state of
service.py.
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

from common.server import main  # noqa: E402
from service import Google  # noqa: E402

if __name__ == "__main__":
    main(Google(), "Double of Google Calendar's REST API v3.")
