#include "ifd/report/report_page.h"

namespace ifd {
namespace {

constexpr std::string_view kPageCss = R"css(
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
main{max-width:47.5rem;margin:0 auto;padding:3.5rem 1rem 6rem}
header{position:relative;margin-bottom:3rem}
h1{font-size:clamp(1.7rem,1.3rem + 2vw,2.4rem);line-height:1.15;letter-spacing:-.015em;font-weight:700;margin:0 0 .9rem;padding-right:4.5rem;text-wrap:balance}
.lead{font-size:1.2rem;line-height:1.5;color:var(--muted);margin:0;max-width:40rem;text-wrap:pretty}
h2{font-size:1.4rem;line-height:1.25;letter-spacing:-.01em;margin:4rem 0 .8rem;padding-top:1.1rem;border-top:1px solid var(--grid)}
p,ul{margin:0 0 1.1rem;max-width:40rem}
ul{padding-left:1.2rem}
a{color:var(--accent);text-underline-offset:.15em}
nav{margin-top:1.6rem}
nav ul{list-style:none;padding:0;margin:0;display:flex;flex-wrap:wrap;gap:.3rem 1.3rem;font-size:.95rem}
#theme{position:absolute;top:.25rem;right:0;font:inherit;font-size:.8rem;line-height:1;padding:.5rem .7rem;color:var(--muted);background:none;border:1px solid var(--grid);border-radius:1rem;cursor:pointer}
#theme:hover{color:var(--ink);border-color:var(--axis)}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:2px}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--panel);padding:.1em .3em;border-radius:3px}
pre{background:var(--panel);padding:1rem 1.1rem;border-radius:4px;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5;font-size:.92rem;margin:1.2rem 0 1.8rem}
pre code{background:none;padding:0}
.key-figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:1.6rem 2rem;margin:2rem 0 2.4rem}
.key-figures div{display:flex;flex-direction:column;border-top:3px solid var(--ink);padding-top:.6rem}
.key-figures dt{font-size:.9rem;color:var(--muted);line-height:1.35}
.key-figures dd{margin:0}
.key-figures .value{order:-1;font-size:2.1rem;line-height:1.2;font-weight:650;letter-spacing:-.02em}
.note,.key-figures .note{font-size:.86rem;line-height:1.45;color:var(--muted)}
figure{margin:2.2rem 0 2.8rem}
figcaption{font-weight:650;line-height:1.35;margin-bottom:.8rem}
figure .note{margin:.6rem 0 0}
.plot{position:relative;touch-action:pan-y}
.plot>svg{display:block;width:100%;height:auto;overflow:visible}
.plot>svg.narrow{display:none}
.lines .plot{cursor:crosshair}
.hair{stroke:var(--ink);stroke-width:1;opacity:.45}
.dot{fill:var(--colour);stroke:var(--paper);stroke-width:1.5}
.tip{position:absolute;top:0;left:0;z-index:2;pointer-events:none;background:var(--paper);color:var(--ink);border:1px solid var(--axis);border-radius:4px;box-shadow:0 2px 10px rgba(0,0,0,.13);padding:.5rem .65rem;font-size:.8rem;line-height:1.5;max-width:100%}
.tip[hidden]{display:none}
.tip b{display:block;font-weight:650;margin-bottom:.15rem}
.tip table{border-collapse:collapse;width:auto}
.tip td{padding:0 0 0 .6rem;border:0;font-size:.8rem}
.tip td:first-child{padding-left:0}
.swatch{vertical-align:-.05em}
.numbers .swatch{display:block;margin:0 0 .2rem auto}
details{margin-top:.7rem;font-size:.88rem}
summary{cursor:pointer;color:var(--muted);width:max-content}
details.folded{margin:0 0 1.4rem}
details.folded summary{width:auto;font-size:.95rem}
details.folded[open] summary{margin-bottom:.8rem;color:var(--ink);font-weight:650}
details.folded table{font-size:.86rem}
.numbers .scroll{max-height:22rem;overflow:auto;margin-top:.6rem}
.scroll{overflow-x:auto;background:linear-gradient(to right,var(--paper) 40%,transparent) 0 0/2rem 100% no-repeat local,linear-gradient(to left,var(--paper) 40%,transparent) 100% 0/2rem 100% no-repeat local,linear-gradient(to right,var(--axis),transparent) 0 0/.6rem 100% no-repeat scroll,linear-gradient(to left,var(--axis),transparent) 100% 0/.6rem 100% no-repeat scroll}
table{border-collapse:collapse;width:100%;font-size:.92rem;line-height:1.4}
.numbers table{font-size:.86rem}
th,td{text-align:left;padding:.45rem .9rem .45rem 0;border-bottom:1px solid var(--grid);vertical-align:baseline}
th:last-child,td:last-child{padding-right:.2rem}
thead th{border-bottom:1.5px solid var(--ink);font-weight:600;vertical-align:bottom}
.numbers thead th{position:sticky;top:0;background:var(--paper);white-space:nowrap}
tbody th{font-weight:400;min-width:6.5rem}
.numbers tbody th{min-width:0}
table.wide{font-size:.8rem}
table.wide th,table.wide td{padding-right:.45rem}
td.number,th.number{text-align:right;white-space:nowrap}
thead th.number{white-space:normal}
thead small{display:block;font-weight:400;color:var(--muted);font-size:.82em}
.range{color:var(--muted)}
table.wide .range{display:block;font-size:.9em;margin-top:.2em}
td strong{font-weight:700;border-bottom:2px solid var(--ink)}
th button{font:inherit;font-weight:600;color:inherit;background:none;border:0;padding:0;margin:0;text-align:inherit;cursor:pointer}
th button:hover{text-decoration:underline;text-underline-offset:.2em}
th button::after{content:"";display:inline-block;width:0;overflow:visible;color:var(--muted)}
th[aria-sort=ascending] button::after{content:"\2191"}
th[aria-sort=descending] button::after{content:"\2193"}
@media (min-width:641px){
figure.table{position:relative;left:50%;transform:translateX(-50%);width:max-content;min-width:100%;max-width:min(70rem,100vw - 3rem)}
figure.table figcaption{width:0;min-width:100%}
}
@media (max-width:640px){
main{padding:2rem 1rem 4rem}
.plot>svg.wide{display:none}
.plot>svg.narrow{display:block}
.tip{position:static;box-shadow:none;margin-top:.4rem}
.tip table{width:100%}
h2{margin-top:3rem}
figure.table .scroll{margin-right:-.75rem}
table.sortable,table.sortable.wide{font-size:.715rem;line-height:1.3}
table.sortable th,table.sortable td{padding:.4rem .28rem .4rem 0}
table.sortable thead th{font-size:.9em}
table.sortable.wide thead th{white-space:nowrap}
table.sortable th:first-child{position:sticky;left:0;z-index:1;background:var(--paper)}
table.sortable tbody th{min-width:4.3rem;max-width:7rem;overflow-wrap:anywhere}
table.sortable .range{display:block;font-size:.84em;margin-top:.25em}
}
@media print{
body{font-size:10.5pt}
main{max-width:none;padding:0}
#theme,details,.tip,nav{display:none}
.plot>svg.wide{display:block}
.plot>svg.narrow{display:none}
figure,.key-figures{break-inside:avoid}
h2{break-after:avoid;margin-top:2rem}
.scroll{overflow:visible;max-height:none;background:none}
figure.table{left:0;transform:none;width:auto;max-width:none}
thead{display:table-header-group}
table{font-size:8.5pt}
table.wide{font-size:7pt}
}
)css";

constexpr std::string_view kPageScript = R"js((() => {
'use strict';
const svgNamespace = 'http://www.w3.org/2000/svg';

// Line charts: the row of the data table nearest to the pointer, as a crosshair and a box.
for (const figure of document.querySelectorAll('figure.lines')) {
  const plot = figure.querySelector('.plot');
  const tip = plot.querySelector('.tip');
  const heads = [...figure.querySelectorAll('.numbers thead th')];
  const rows = [...figure.querySelectorAll('.numbers tbody tr')];
  if (!rows.length) continue;
  const fractions = rows.map(row => Number(row.dataset.x));
  let current = -1;
  let cursor = null;

  const visible = () => [...plot.querySelectorAll(':scope > svg')].find(svg => svg.clientWidth > 0);
  const frame = svg => ({left: Number(svg.dataset.left), top: Number(svg.dataset.top),
                         width: Number(svg.dataset.width), height: Number(svg.dataset.height)});
  const element = (name, attributes) => {
    const node = document.createElementNS(svgNamespace, name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    return node;
  };
  const hide = () => {
    tip.hidden = true;
    if (cursor) cursor.remove();
    cursor = null;
    current = -1;
  };
  const show = index => {
    const svg = visible();
    if (!svg || index === current) return;
    hide();
    current = index;
    const at = frame(svg);
    const x = at.left + at.width * fractions[index];
    cursor = element('g', {});
    cursor.append(element('path', {class: 'hair', d: `M${x} ${at.top}v${at.height}`}));
    const title = document.createElement('b');
    title.textContent = `${heads[0].textContent} ${rows[index].cells[0].textContent}`.trim();
    const table = document.createElement('table');
    [...rows[index].cells].slice(1).map((cell, i) => ({cell, head: heads[i + 1]}))
      .sort((a, b) => (Number(b.cell.dataset.y ?? -1)) - (Number(a.cell.dataset.y ?? -1)))
      .forEach(({cell, head}) => {
        const swatch = head.querySelector('svg');
        const line = table.insertRow();
        line.insertCell().append(swatch.cloneNode(true));
        line.insertCell().textContent = head.textContent.trim();
        line.insertCell().textContent = cell.textContent;
        line.cells[2].className = 'number';
        if (cell.dataset.y === undefined) return;
        const dot = element('circle', {class: 'dot', r: 4.5, cx: x,
                                       cy: at.top + at.height * (1 - Number(cell.dataset.y))});
        const group = element('g', {class: swatch.querySelector('g').getAttribute('class')});
        group.append(dot);
        cursor.append(group);
      });
    svg.append(cursor);
    tip.replaceChildren(title, table);
    tip.hidden = false;
    // Beside the crosshair, on the side with more room, never beyond the chart.
    const scale = svg.clientWidth / svg.viewBox.baseVal.width;
    const pixel = x * scale;
    const right = pixel < plot.clientWidth / 2;
    const left = right ? pixel + 14 : pixel - tip.offsetWidth - 14;
    tip.style.left = `${Math.max(0, Math.min(left, plot.clientWidth - tip.offsetWidth))}px`;
    tip.style.top = `${at.top * scale + 8}px`;
  };
  const nearest = event => {
    const svg = visible();
    if (!svg) return;
    const box = svg.getBoundingClientRect();
    const at = frame(svg);
    const x = (event.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
    const fraction = (x - at.left) / at.width;
    let best = 0;
    fractions.forEach((f, i) => {
      if (Math.abs(f - fraction) < Math.abs(fractions[best] - fraction)) best = i;
    });
    show(best);
  };
  plot.addEventListener('pointermove', nearest);
  plot.addEventListener('pointerdown', nearest);
  plot.addEventListener('pointerleave', event => { if (event.pointerType === 'mouse') hide(); });
  plot.addEventListener('blur', hide);
  plot.addEventListener('keydown', event => {
    const last = rows.length - 1;
    const target = {ArrowRight: Math.min(last, current + 1), Home: 0, End: last,
                    ArrowLeft: current < 0 ? last : Math.max(0, current - 1)}[event.key];
    if (event.key === 'Escape') hide();
    if (target === undefined) return;
    event.preventDefault();
    show(target);
  });
  addEventListener('resize', hide);
}

// Tables: a header sorts, again reverses, a third time restores the order of the report.
for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.tBodies[0];
  const original = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const number = cell => parseFloat(cell.textContent.trim().replace('\u2212', '-'));
  heads.forEach((head, column) => {
    const name = head.querySelector('.head');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = name.textContent;
    name.replaceChildren(button);
    const numeric = head.classList.contains('number');
    button.addEventListener('click', () => {
      const first = numeric ? 'descending' : 'ascending';
      const second = numeric ? 'ascending' : 'descending';
      const now = head.getAttribute('aria-sort');
      const next = now === null ? first : now === first ? second : null;
      heads.forEach(other => other.removeAttribute('aria-sort'));
      if (next === null) return body.append(...original);
      head.setAttribute('aria-sort', next);
      const sign = next === 'ascending' ? 1 : -1;
      const order = (a, b) => {
        if (!numeric) return sign * a.cells[column].textContent.localeCompare(b.cells[column].textContent);
        const x = number(a.cells[column]), y = number(b.cells[column]);
        if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y);
        return sign * (x - y);
      };
      body.append(...[...original].sort(order));
    });
  });
}

const button = document.getElementById('theme');
const dark = () => (document.documentElement.dataset.theme ??
  (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
const label = () => { button.textContent = dark() ? 'Light' : 'Dark'; };
button.hidden = false;
button.addEventListener('click', () => {
  document.documentElement.dataset.theme = dark() ? 'light' : 'dark';
  label();
});
label();
})();
)js";

}  // namespace

std::string_view page_css() { return kPageCss; }
std::string_view page_script() { return kPageScript; }

}  // namespace ifd
