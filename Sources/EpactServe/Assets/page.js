// SPDX-License-Identifier: Apache-2.0
// Keys for the places, and the state of a running sync. Every page works without this script.
"use strict";
(() => {
  const places = { t: "/", w: "/week", m: "/month", a: "/agenda", n: "/new" };
  // The time between two looks at a running sync, in milliseconds.
  const pause = 2000;

  /** Whether a key is a part of what somebody writes. */
  const isTyping = (target) =>
    target instanceof Element && target.closest("input, textarea, select") !== null;

  /** Moves the focus to a field, and returns whether the page has it. */
  const focus = (selector) => {
    const field = document.querySelector(selector);
    field?.focus();
    return field !== null;
  };

  /** Moves the focus to the next or the previous item, and returns whether there is one. */
  const step = (by) => {
    const links = [...document.querySelectorAll("#main a[href^='/item/']")];
    const now = links.indexOf(document.activeElement);
    const first = by > 0 ? 0 : links.length - 1;
    const link = links[now < 0 ? first : Math.min(Math.max(now + by, 0), links.length - 1)];
    link?.focus();
    return link !== undefined;
  };

  const press = (key) => {
    switch (key) {
      case "j": return step(1);
      case "k": return step(-1);
      case "/": return focus("form.search input");
      case "n": if (focus("form.quick input:not([type=hidden])")) return true;
    }
    if (!Object.hasOwn(places, key)) return false;
    location.assign(places[key]);
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") event.target.blur();
    } else if (press(event.key)) {
      event.preventDefault();
    }
  });

  /** Shows the page anew while it says that something runs, unless somebody is using a part of it. */
  const repaint = async () => {
    const main = document.getElementById("main");
    if (!("repaints" in main.dataset)) return;
    try {
      if (!main.contains(document.activeElement)) {
        const answer = await fetch(location.href);
        const text = answer.ok ? await answer.text() : "";
        const next = new DOMParser().parseFromString(text, "text/html").getElementById("main");
        if (next) main.replaceWith(next);
      }
    } catch {
      // The server does not answer now.
    }
    setTimeout(repaint, pause);
  };
  setTimeout(repaint, pause);
})();
