# SPDX-License-Identifier: Apache-2.0
"""The pages that the user sees."""

import html

from exchange import page_answer

FRAME = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>
<body><h1>{title}</h1>
{content}
</body></html>
"""
BUTTONS = """<button name="decision" value="allow">Allow</button>
<button name="decision" value="refuse">Refuse</button>"""


def page(title, content, status=200):
    """A page with a heading."""
    return page_answer(FRAME.format(title=html.escape(title), content=content), status)


def message(title, text, status=200):
    """A page with one paragraph."""
    return page(title, f"<p>{html.escape(text)}</p>", status)


def scopes_list(scope):
    """A list of the scopes."""
    return "<ul>" + "".join(f"<li>{html.escape(one)}</li>" for one in scope.split()) + "</ul>"


def consent(client, scope, action):
    """The page that asks whether the client may have the scopes."""
    return page("Allow access?", f"<p>{html.escape(client)} asks for:</p>{scopes_list(scope)}\n"
                f'<form method="post" action="{html.escape(action)}">\n{BUTTONS}\n</form>')


def waiting(client):
    """A page that leads nowhere."""
    return message("Waiting", f"The user has not decided about {client}.")


def user_code_form(action, text="Enter the code that your device shows."):
    """The page that asks for a user code (RFC 8628 §3.3)."""
    return page("Connect a device", f"<p>{html.escape(text)}</p>\n"
                f'<form method="get" action="{html.escape(action)}">\n<input name="user_code">\n'
                "<button>Continue</button>\n</form>")


def device_consent(device, action):
    """The page that asks whether the device may have the scopes."""
    return page("Allow access?", f"<p>{html.escape(device.client_id)} on a device that shows "
                f"{html.escape(device.user_code)} asks for:</p>{scopes_list(device.scope)}\n"
                f'<form method="post" action="{html.escape(action)}">\n'
                f'<input type="hidden" name="user_code" value="{html.escape(device.user_code)}">\n{BUTTONS}\n</form>')
