# SPDX-License-Identifier: Apache-2.0
"""The server and the browser: what a person at a machine has."""

import base64
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]


class Failure(Exception):
    """An expectation that a page did not meet."""


class Server:
    """A running `epact-serve` for a home folder."""

    def __init__(self, program, home, locale="en_GB.UTF-8"):
        environment = {
            "HOME": str(home), "PATH": os.environ.get("PATH", ""), "LC_ALL": locale,
            "TZ": "Europe/Berlin"}
        self.process = subprocess.Popen(
            [program, "--port", "0"], env=environment, cwd=home, text=True,
            stdout=subprocess.PIPE)
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            raise Failure(f"{program} did not start")
        parts = urllib.parse.urlsplit(self.address)
        self.origin = f"{parts.scheme}://{parts.netloc}"

    def stop(self):
        self.process.terminate()
        if self.process.wait(10) not in (0, -15):
            raise Failure(f"the server ended with {self.process.returncode}")


class Browser:
    """Chromium without a window."""

    def __init__(self, server, javascript=True):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--force-color-profile=srgb", "--no-first-run",
            "--disable-background-networking", "--window-size=1280,900"]:
            options.add_argument(argument)
        if not javascript:
            options.add_experimental_option(
                "prefs", {"profile.managed_default_content_settings.javascript": 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        # The driver is named, because Selenium would download one.
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.server = server
        # A page with a script shows whether scripts run.
        self.driver.get("data:text/html,<title>off</title><script>document.title='on'</script>")
        if self.driver.title != ("on" if javascript else "off"):
            raise Failure(f"scripts are {self.driver.title}")
        self.driver.get(server.address)
        if "key=" in self.driver.current_url:
            raise Failure("the address with the key stays in the browser's history")

    def quit(self):
        self.driver.quit()

    # Places

    def go(self, path):
        self.driver.get(self.server.origin + path)

    @property
    def path(self):
        return self.driver.current_url.removeprefix(self.server.origin)

    def places(self):
        """The addresses of the bar."""
        self.go("/")
        links = self.driver.find_elements(By.CSS_SELECTOR, "nav a")
        return [link.get_attribute("href").removeprefix(self.server.origin) for link in links]

    # What is seen, and what is done

    def find(self, selector):
        try:
            return self.driver.find_element(By.CSS_SELECTOR, selector)
        except NoSuchElementException:
            raise Failure(f"{self.path}: there is no {selector} in {self.text()!r}") from None

    def text(self, selector="main"):
        return self.find(selector).text

    def key(self, key):
        """Presses a key where the focus is."""
        self.driver.switch_to.active_element.send_keys(key)

    def focused(self, attribute):
        """An attribute of the element with the focus."""
        return self.driver.switch_to.active_element.get_attribute(attribute) or ""

    def expect(self, words, selector="main"):
        if words not in self.text(selector):
            raise Failure(f"{self.path}: expected {words!r}, found {self.text(selector)!r}")

    def expect_not(self, words, selector="main"):
        if words in self.text(selector):
            raise Failure(f"{self.path}: {words!r} is still there")

    def leave(self, action):
        """Does what leads to another page, and waits for it."""
        page = self.driver.find_element(By.TAG_NAME, "html")

        def is_gone(_):
            try:
                page.is_enabled()
            except WebDriverException:
                # Stale, or between two pages.
                return True
            return False

        action()
        WebDriverWait(self.driver, 10, 0.02).until(is_gone)

    def write(self, selector, text):
        field = self.find(selector)
        field.clear()
        field.send_keys(text)

    def choose(self, selector, value):
        Select(self.find(selector)).select_by_value(value)

    def choose_text(self, selector, text):
        Select(self.find(selector)).select_by_visible_text(text)

    def press(self, words, selector="main"):
        """Presses the button with a text."""
        for button in self.find(selector).find_elements(By.TAG_NAME, "button"):
            if button.text == words:
                self.leave(button.click)
                return
        raise Failure(f"{self.path}: there is no button {words!r}")

    def follow(self, words, selector="main"):
        """Follows the first link with a text."""
        for link in self.find(selector).find_elements(By.TAG_NAME, "a"):
            if words in link.text:
                self.leave(link.click)
                return
        raise Failure(f"{self.path}: there is no link {words!r}")

    # Checks of any page

    def check_log(self):
        """Fails if the page wrote to the console, as for a refused style or script."""
        lines = [entry["message"] for entry in self.driver.get_log("browser")]
        if lines:
            raise Failure(f"{self.path}: console: {lines[:3]}")

    def media(self, scheme):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-reduced-motion", "value": "reduce"}, {"name": "prefers-color-scheme", "value": scheme}]})

    def width(self, width, height=900):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def check_width(self, width):
        """Fails if a page is wider than the window, so that it scrolls sideways."""
        found = self.driver.execute_script("""
            const page = document.documentElement, wide = [];
            for (const e of document.querySelectorAll('main *, header *')) {
              if (e.closest('.week, .scroll, nav') || e.matches('.skip')) continue;
              const r = e.getBoundingClientRect();
              if (r.width > 0 && (r.right > page.clientWidth + 1 || r.left < -1))
                wide.push(e.tagName + '.' + e.className);
            }
            return page.scrollWidth > page.clientWidth || wide.length ?
              [page.scrollWidth].concat(wide.slice(0, 5)) : null""")
        if found:
            raise Failure(f"{self.path} at {width} px: too wide: {found}")

    def check_isolation(self, mark, names, attributes):
        """Fails if a page has an element, an attribute or a text that its templates do not allow."""
        found = self.driver.execute_script("""
            const [mark, names, attributes] = arguments, found = [];
            for (const e of document.querySelectorAll('*')) {
              if (!names.includes(e.localName)) found.push('<' + e.localName + '>');
              for (const a of e.attributes) {
                if (!attributes.includes(a.name)) found.push(a.name + ' of ' + e.localName);
                if (['href', 'action', 'src'].includes(a.name)
                    && !/^(\\/|#main$|data:,$)(?!\\/)/.test(a.value)) found.push(a.value);
              }
            }
            const texts = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
            for (let n = texts.nextNode(); n; n = texts.nextNode()) {
              if (n.nodeType == Node.COMMENT_NODE) found.push('a comment');
              if (n.nodeType == Node.TEXT_NODE && n.data.includes(mark)
                  && !n.parentElement.closest('bdi, title, option, textarea'))
                found.push(n.parentElement.localName + ': ' + n.data.slice(0, 80));
            }
            return found.slice(0, 5)""", mark, names, attributes)
        if found:
            raise Failure(f"{self.path}: not of its template: {found}")

    def check_access(self, axe, what):
        """Fails if axe finds a violation."""
        self.driver.execute_script(axe)
        result = self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            axe.run(document, {runOnly: arguments[0], resultTypes: ['violations']})
              .then(r => done(r.violations.map(v => v.id + ': ' + v.help + ' '
                + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' ' + n.failureSummary)
                  .join(' | '))), e => done([String(e)]))""", AXE_RULES)
        if result:
            raise Failure(f"{self.path} {what}: " + "\n  ".join(result))

    def picture(self, path, width):
        """Takes a picture of the whole page."""
        self.width(width)
        height = self.driver.execute_script("return document.documentElement.scrollHeight")
        # A window as high as the page: in a page from right to left, a picture beyond the window is shifted.
        self.width(width, min(max(height, 600), 4000))
        result = self.driver.execute_cdp_cmd("Page.captureScreenshot", {})
        pathlib.Path(path).write_bytes(base64.b64decode(result["data"]))


def template_names(folder):
    """The names of the elements and of the attributes in the templates of a folder."""
    text = "".join(path.read_text() for path in pathlib.Path(folder).glob("*.mustache"))
    text = re.sub(r"\{\{.*?\}\}+", "", text)
    tags = re.findall(r"<([a-z0-9]+)((?:\s+[a-z-]+(?:=\"[^\"]*\")?)*)\s*>", text)
    # A browser adds the body of a table.
    names = sorted({name for name, _ in tags} | {"tbody"})
    attributes = {name for _, tag in tags for name in re.findall(r"([a-z-]+)(?:=|\s|$)", re.sub(r'"[^"]*"', '"', tag))}
    return names, sorted(attributes)


def find_axe(folders):
    """The script of axe-core out of the wheel of axe-playwright-python."""
    for folder in list(folders) + sys.path:
        path = pathlib.Path(folder) / "axe_playwright_python" / "axe.min.js"
        if path.is_file():
            return path.read_text()
    raise Failure("axe-playwright-python is not installed: .ci/setup --browser")
