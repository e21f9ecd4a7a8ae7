"""What a notebook shows: tables that take their colours from the page, in light and in dark."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence
from typing import Any

# Rows of routes that are shown; the rest is counted.
_SHOWN = 10
# Experts that are named one by one.
_NAMED = 12

# Text and lines have the page's own colour, so that nothing has to know whether it is dark. The blue
# of the bars (Okabe and Ito's) stands out from white and from black.
_STYLE = """<style scoped>
.ifd { font-variant-numeric: tabular-nums; max-width: 60em; overflow-x: auto }
.ifd table { border-collapse: collapse; margin: .5em 0; color: inherit; background: none }
.ifd th, .ifd td { padding: .15em .8em .15em 0; text-align: left; border: 0; color: inherit; background: none }
.ifd thead th { border-bottom: 1px solid currentColor; font-weight: 600 }
.ifd .n { text-align: right; white-space: nowrap }
.ifd .share { display: inline-block; width: 5em; padding-right: .3em; border-radius: 2px }
.ifd .quiet { opacity: .7 }
.ifd svg { display: block }
.ifd img { max-width: 100% }
.ifd p { margin: .4em 0 }
</style>"""

_BLUE = "#0072b2"


def _text(value: Any) -> str:
    """Escaped, and without what would turn the reading order around or is no character at all."""
    shown = "".join(c if c.isprintable() or c == " " else "\ufffd" for c in str(value))
    return html.escape(shown)


def _number(value: Any, digits: int = 3) -> str:
    """With a true minus sign; never minus zero; a dash for what is not there."""
    if value is None or value != value:
        return "–"
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], numeric: Iterable[int] = ()) -> str:
    """Cells are markup already: see _text and _number."""
    right = set(numeric)

    def cells(tag: str, values: Sequence[str]) -> str:
        return "".join(f'<{tag} class="n">{value}</{tag}>' if j in right else f"<{tag}>{value}</{tag}>"
                       for j, value in enumerate(values))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', columns)}</tr></thead><tbody>{body}</tbody></table>"


def _block(*parts: str) -> str:
    return f'<div class="ifd">{_STYLE}{"".join(parts)}</div>'


def _interval_bar(low: float, mean: float, high: float) -> str:
    """From 0 to 1: a bar where the accuracy lies, a mark at its mean."""
    width = 120
    return (f'<svg width="{width}" height="14" role="img" aria-label="{low:.2f} to {high:.2f}">'
            f'<line x1="0" y1="7" x2="{width}" y2="7" stroke="currentColor" stroke-opacity=".25"/>'
            f'<rect x="{low * width:.1f}" y="3" width="{(high - low) * width:.1f}" height="8" fill="{_BLUE}" fill-opacity=".55"/>'
            f'<line x1="{mean * width:.1f}" y1="1" x2="{mean * width:.1f}" y2="13" stroke="currentColor" stroke-width="2"/></svg>')


def _share(value: float) -> str:
    """A number from 0 to 1 on a bar of that length."""
    return f'<span class="share" style="background:linear-gradient(to right,{_BLUE}59 {100 * value:.0f}%,transparent 0)">{_number(value, 2)}</span>'


def profile(shown: Any) -> str:
    """One expert: accuracy per class with its interval."""
    intervals = shown.interval(0.9)
    rows = [[_text(name), _number(mean), f"{_number(low)} to {_number(high)}", _interval_bar(low, mean, high), str(int(count))]
            for name, mean, (low, high), count in zip(shown.classes, shown.mean, intervals, shown.answers())]
    duty = "" if shown.on_duty else ", off duty"
    title = f"<p><b>{_text(shown.name)}</b>{duty}: mean accuracy {_number(shown.average)}</p>"
    return _block(title, _table(["class", "accuracy", "90 % interval", "", "answers"], rows, numeric=(1, 2, 4)))


def staff(shown: Any) -> str:
    """Experts by classes: how right everyone is where."""
    names = list(shown.names)
    rows = []
    for name in names[:_NAMED]:
        known = shown[name]
        rows.append([_text(name), *map(_share, known.mean), str(int(sum(known.answers())))])
    classes = [_text(name) for name in shown.classes]
    more = f'<p class="quiet">and {len(names) - _NAMED} more</p>' if len(names) > _NAMED else ""
    table = _table(["expert", *classes, "answers"], rows, numeric=range(1, len(classes) + 2))
    return _block(f"<p>{len(names)} experts: expected accuracy per class</p>", table, more)


def routes(shown: Any) -> str:
    """Who takes how many, then the first rows."""
    total = len(shown)
    loads = [(name, int((shown.expert == j).sum())) for j, name in enumerate(shown.expert_names)]
    busy = sorted((load for load in loads if load[1]), key=lambda load: -load[1])
    kept = total - sum(count for _, count in loads)
    said = [f"the model {kept}"] + [f"{_text(name)} {count}" for name, count in busy[:_NAMED]]
    if len(busy) > _NAMED:
        said.append(f"{len(busy) - _NAMED} others {sum(count for _, count in busy[_NAMED:])}")
    threshold = "" if shown.threshold is None else f"; from a margin of {_number(shown.threshold, 4)} on, an expert is asked"
    share = "" if total == 0 else f" ({100 * (total - kept) / total:.1f} % deferred)"
    cases, labels = list(shown.cases[:_SHOWN]), list(shown.label[:_SHOWN])
    rows = []
    for i, case in enumerate(cases):
        expert = int(shown.expert[i])
        who = '<span class="quiet">the model</span>' if expert < 0 else f"<b>{_text(shown.expert_names[expert])}</b>"
        rows.append([_text(case), who, _text(shown.classes[int(labels[i])]), _number(shown.margin[i], 4)])
    more = f'<p class="quiet">and {total - len(rows)} more</p>' if total > len(rows) else ""
    return _block(f"<p>{total} cases: {', '.join(said)}{share}{threshold}</p>",
                  _table(["case", "who answers", "the model says", "margin"], rows, numeric=(3,)), more)


def evaluation(shown: Any) -> str:
    """Verdict, curve, table. The curve is the report's; as an image its styles cannot reach the page."""
    said = "".join(f"<p>{_text(sentence)}</p>" for sentence in shown.verdict)
    encoded = base64.b64encode(shown.svg().encode()).decode()
    costs = shown.cost_unit is not None
    measure = "Cost per case" if costs else "Accuracy"
    picture = f'<img alt="{measure} of model and experts together, at every budget" src="data:image/svg+xml;base64,{encoded}">'
    means, differences = shown.mean_cost if costs else shown.aursac, shown.differences
    rows = []
    for name in shown.policies:
        difference = differences.get(name)
        rows.append([_text(name), _number(means[name], 4), _difference(difference)])
    return _block(said, picture, _table(["policy", "mean cost" if costs else "AURSAC", "difference to the first"], rows, numeric=(1, 2)))


def _difference(told: Any) -> str:
    """An estimate with its interval, or a number, or nothing."""
    if told is None:
        return "–"
    if isinstance(told, dict):
        return f"{_number(told['value'], 4)} ({_number(told['low'], 4)} to {_number(told['high'], 4)})"
    return _number(told, 4)


def explanation(shown: Any) -> str:
    """The words, then everybody's margin."""
    said = "".join(f"<p>{_text(sentence)}</p>" for sentence in shown.sentences)
    flips = "".join(f"<li>{_text(flip)}</li>" for flip in shown.flips)
    ranked = sorted(zip(shown.experts, shown.margins, shown.on_duty), key=lambda row: -row[1])[:_NAMED]
    rows = [[_text(name), _number(margin, 4), "" if here else "off duty"] for name, margin, here in ranked]
    return _block(f"<p><b>{_text(shown.headline)}</b></p>", said, f"<ul>{flips}</ul>" if flips else "",
                  _table(["expert", "margin", ""], rows, numeric=(1,)))
