#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens an address as a person with a browser would, and prints the text of the last page.

usage: browser.py [--refuse | --never | --wrong-state | --paste] [--user-code CODE] ADDRESS

Presses Allow where a page asks, and follows the redirects to the address of the client. The program can stand in
$BROWSER, with options.
"""

import argparse
import html.parser
import sys
import urllib.error
import urllib.parse
import urllib.request

LIMIT = 10
TIMEOUT = 30


class Page(html.parser.HTMLParser):
    """The text and the form of a page."""

    def __init__(self, address, text):
        """Reads a page that came from an address."""
        super().__init__()
        self.address, self.form, self.fields, self.decides, self.words = address, None, {}, False, []
        self._hidden = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        """Notes the form and its fields."""
        given = dict(attributes)
        self._hidden = tag in ("title", "style", "script")
        if tag == "form":
            action = urllib.parse.urljoin(self.address, given.get("action") or "")
            self.form = (given.get("method", "get").lower(), action)
        elif tag == "input" and given.get("name"):
            self.fields[given["name"]] = given.get("value") or ""
        elif tag == "button" and given.get("name") == "decision":
            self.decides = True

    def handle_endtag(self, tag):
        """Ends what is not shown."""
        self._hidden = False

    def handle_data(self, data):
        """Collects the text that is shown."""
        if data.strip() and not self._hidden:
            self.words.append(" ".join(data.split()))

    def submit(self, changes):
        """The address and the body of a request that sends the form."""
        method, action = self.form
        fields = urllib.parse.urlencode({**self.fields, **changes})
        return (action, fields.encode()) if method == "post" else (action.partition("?")[0] + "?" + fields, None)


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Hands redirects to the caller."""

    def redirect_request(self, *arguments):
        """Follows nothing."""
        return None


def fetch(address, body):
    """The answer to one request, whatever its status. Proxies are not used: each address is on this machine."""
    opener = urllib.request.build_opener(NoRedirects, urllib.request.ProxyHandler({}))
    try:
        return opener.open(urllib.request.Request(address, body), timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        return error


def with_wrong_state(address):
    """The address with another state."""
    parts = urllib.parse.urlsplit(address)
    fields = [(name, "wrong" if name == "state" else value)
              for name, value in urllib.parse.parse_qsl(parts.query, keep_blank_values=True)]
    return urllib.parse.urlunsplit(parts._replace(query=urllib.parse.urlencode(fields)))


def follow(options):
    """Opens pages until one neither redirects nor asks. Returns the exit status."""
    address, body, start = options.address, None, urllib.parse.urlsplit(options.address).netloc
    for _ in range(LIMIT):
        if urllib.parse.urlsplit(address).netloc != start:
            address = with_wrong_state(address) if options.wrong_state else address
            print(f"address: {address}")
            if options.paste:
                return 0
        try:
            answer = fetch(address, body)
        except OSError as error:
            print(f"This page cannot be opened: {error}")
            return 1
        with answer:
            if answer.headers.get("Location"):
                address, body = urllib.parse.urljoin(address, answer.headers["Location"]), None
                continue
            page = Page(address, answer.read().decode("utf-8", "replace"))
        if page.form and page.decides:
            address, body = page.submit({"decision": "refuse" if options.refuse else "allow"})
        elif page.form and options.user_code and "user_code" in page.fields:
            address, body = page.submit({"user_code": options.user_code})
            options.user_code = None
        else:
            print("\n".join(page.words))
            return 0 if answer.status < 400 else 1
    print("too many redirects")
    return 1


def main():
    """Reads the arguments and opens the address."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("address")
    parser.add_argument("--refuse", action="store_true", help="press Refuse")
    parser.add_argument("--never", action="store_true", help="open the page and do nothing")
    parser.add_argument("--wrong-state", action="store_true", help="bring another state to the client")
    parser.add_argument("--paste", action="store_true",
                        help="do not open the address of the client, but print it for pasting")
    parser.add_argument("--user-code", help="type this code where a page asks for one")
    options = parser.parse_args()
    if options.never:
        fetch(options.address, None).close()
        return 0
    return follow(options)


if __name__ == "__main__":
    sys.exit(main())
