"""Changes to SimCord's page for the local table: it loses no press, its times keep running, it fits a phone.

SimCord's page is made for looking at tests: a press during an update is ignored, and "in 3 hours" is counted from the
last refresh. Here such a press waits until the page is ready, unless it is the second of a double click, and times
are counted by the table's clock. Commands have the names that they have in the client's language. On a phone's width,
one extra button pushed the page's header out of sight, and a command's long description the arrow that sends it; here
both have room. Scripts and styles are patched as they are served; SimCord is pinned exactly, and a test notices if they
have changed.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from simcord.preview import _commands, _server

_WAITING = """
  const waiting = [];
  let waitingTimer = null;
  let pressed = null;
  const pressOf = (kind, extra) => JSON.stringify([kind, extra]);
  function later(kind, extra, metadata) {
    // The same button twice: by the time the second press could be carried out, another may stand there.
    if (pressOf(kind, extra) === pressed) return;
    waiting.push([kind, extra, metadata]);
    waitingTimer ??= setInterval(() => {
      if (context.closed) waiting.length = 0;
      if (!waiting.length) { clearInterval(waitingTimer); waitingTimer = null; return; }
      if (!admissionBlocked()) dispatch(...waiting.shift());
    }, 100);
  }
"""

_FOLLOWING = """
const tableTimes = new Map();
const tableNow = () => (VIRTUAL + (Date.now() - REAL) * SPEED) / 1000;
function relativeTime(unix, locale) {
  const seconds = unix - tableNow();
  const size = Math.abs(seconds);
  const [unit, amount] = size < 60 ? ["second", seconds] : size < 3600 ? ["minute", seconds / 60]
    : size < 86400 ? ["hour", seconds / 3600] : ["day", seconds / 86400];
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(amount), unit);
}
setInterval(() => {
  for (const [element, [unix, locale, seen]] of tableTimes) {
    if (seen && !element.isConnected) { tableTimes.delete(element); continue; }
    tableTimes.set(element, [unix, locale, seen || element.isConnected]);
    const told = relativeTime(unix, locale);
    if (element.textContent !== told) element.textContent = told;
  }
}, 500);
"""

_NARROW = """
@media (max-width: 760px) {
  .preview-shell { --toolbar-height: 124px; }
  #action-status { flex: 1 1 0; min-width: 0; }
  .channel-composer { grid-template-columns: minmax(0, 1fr); }
}
"""
_HEAD = "  .preview-shell { --toolbar-height: 112px; }\n"

_BLOCKED = "if (pageAction(kind)) pageIntent(kind, extra); return; }"
_REFRESHING = (
    "if (!pageAction(kind) && awaitingRevision !== null && awaitingRevision > context.publishedRevision) return;"
)
_DISPATCH = "  /** @param {string} kind @param {ActionBody} [extra] @param {ActionMetadata | null} [metadata] */\n"
_PERFORM = "    beforePage(kind, extra);\n    void perform(kind, extra, null, metadata);\n"
_OPTION_LABELS = (
    ('node("span", "command-pill-label", option.name)', "option.name", "option.label || option.name"),
    ("({ name: option.name, value: option.name,", "name: option.name", "name: option.label || option.name"),
)
_TIME = "  if (valid) time.dateTime = date.toISOString();\n"


class Changed(Exception):
    """SimCord's page is not the version this was written for."""


def patch(path: str, text: str, *, speed: float, virtual: float, real: float) -> str:
    """Return a script or style of the page as the local table serves it; other files unchanged.

    `speed`: how many times faster time passes at the table than outside; `virtual` and `real`: the time at the table
    and outside, in milliseconds since 1970, at the same moment. Raises `Changed`.
    """
    if path == "/actions.js":
        text = _with(
            text,
            _BLOCKED,
            "if (pageAction(kind)) pageIntent(kind, extra); else later(kind, extra, metadata); return; }",
        )
        text = _with(text, _REFRESHING, _REFRESHING.replace(" return;", " { later(kind, extra, metadata); return; }"))
        text = _with(text, _PERFORM, "    pressed = pressOf(kind, extra);\n" + _PERFORM)
        return _with(text, _DISPATCH, _WAITING + _DISPATCH)
    if path == "/commands.js":
        for where, before, after in _OPTION_LABELS:
            text = _with(text, where, where.replace(before, after, 1))
        return text
    if path == "/text.js":
        follow = '  if (valid && style === "R") tableTimes.set(time, [unix, options.locale || "en-US", false]);\n'
        clock = _FOLLOWING.replace("VIRTUAL", str(virtual)).replace("REAL", str(real)).replace("SPEED", str(speed))
        return _with(text, _TIME, _TIME + follow) + clock
    if path == "/preview.css":
        return _with(text, _HEAD, _HEAD) + _NARROW
    return text


def _with(text: str, before: str, after: str) -> str:
    if before not in text:
        raise Changed(before)
    return text.replace(before, after, 1)


_authorized = _commands._authorized_catalog


def name_commands(locale: str) -> None:
    """Call commands, options and choices from now on what a client in this locale calls them; SimCord does not."""

    def told(node: Mapping[str, Any], field: str = "name") -> str:
        return str((node.get(f"{field}_localizations") or {}).get(locale) or node.get(field, ""))

    def translated(entry: dict[str, Any], command: Mapping[str, Any]) -> dict[str, Any]:
        words, node = [told(command)], command
        for word in entry["path"][1:]:
            node = next(option for option in node["options"] if option["name"] == word)
            words.append(told(node))
        own = {option["name"]: option for option in node.get("options") or ()}
        options = [
            {
                **option,
                "label": told(own[option["name"]]),
                "description": told(own[option["name"]], "description"),
                "choices": [
                    {**choice, "name": told(known)}
                    for choice, known in zip(option["choices"], own[option["name"]].get("choices") or (), strict=True)
                ],
            }
            for option in entry["options"]
        ]
        return {**entry, "invocation": " ".join(words), "description": told(node, "description"), "options": options}

    def in_language(preview: Any, page: Any) -> dict[str, Any]:
        catalog = _authorized(preview, page)
        backend = preview.env.backend
        known = {
            str(command["id"]): command
            for command in backend.visible_commands(user_id=page.viewer.id, channel_id=page.channel_id)
        }
        return {**catalog, "entries": [translated(entry, known[entry["commandId"]]) for entry in catalog["entries"]]}

    _commands._authorized_catalog = in_language


def mend(speed: float, now: Callable[[], datetime.datetime]) -> None:
    """Serve the patched page from now on. `now`: the time at the table."""
    server: Any = _server.PreviewServer
    serve: Callable[[Any, Any], Awaitable[Any]] = getattr(server, "_plain", server._static)
    server._plain = serve

    async def static(self: Any, request: Any) -> Any:
        response = await serve(self, request)
        if request.path.endswith((".js", ".css")):
            real, virtual = time.time() * 1000, now().timestamp() * 1000
            response.text = patch(request.path, response.text, speed=speed, virtual=virtual, real=real)
        return response

    server._static = static
