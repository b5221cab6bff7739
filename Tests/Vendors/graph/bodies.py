# SPDX-License-Identifier: Apache-2.0
"""Bodies of events in text and in HTML (docs api/event-get.md, Prefer: outlook.body-content-type)."""

import html
import re

HEAD = '<html>\r\n<head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\r\n</head>\r\n<body>\r\n'
TAIL = "\r\n</body>\r\n</html>\r\n"


def text_to_html(text):
    """HTML that shows a text; runs of spaces and kinds of line ends are not kept."""
    lines = re.split(r"\r\n|\r|\n", text)
    return (
        HEAD
        + '<div class="PlainText">'
        + "<br>\r\n".join(html.escape(line, False) for line in lines)
        + "</div>"
        + TAIL
    )


def html_to_text(source):
    """The text of HTML."""
    inner = re.search(r"(?is)<body[^>]*>(.*)</body>", source)
    text = inner.group(1) if inner else source
    text = re.sub(r"(?is)<(script|style)[^>]*>.*?</\1>", "", text)
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"(?i)\s*<br\s*/?>\s*|\s*</(p|div|tr|li|h\d)>\s*", "\r\n", text)
    return html.unescape(re.sub(r"<[^>]*>", "", text)).strip()


def stored(body, as_html):
    """The body as it is kept; `as_html` for quirk `stores-html`."""
    kind, content = body.get("contentType", "text"), body.get("content") or ""
    if kind == "html":
        if content and not re.search(r"(?i)<body", content):
            content = HEAD + content + TAIL
        return {"contentType": "html", "content": content}
    if as_html:
        return {"contentType": "html", "content": text_to_html(content) if content else ""}
    return {"contentType": "text", "content": content}


def shown(body, kind):
    """A kept body as text or as HTML."""
    content = body["content"]
    if body["contentType"] != kind and content:
        content = text_to_html(content) if kind == "html" else html_to_text(content)
    return {"contentType": kind, "content": content}


def preview(body):
    """The first 255 characters of the text."""
    return shown(body, "text")["content"][:255]
