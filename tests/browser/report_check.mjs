// Opens a report in a real browser and checks what only a browser can tell.
//   node report_check.mjs REPORT.html [SCREENSHOT_FOLDER]
// Needs playwright-core and Debian's chromium; './run browser' installs both.
import {createRequire} from 'node:module';
import {mkdirSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [path, folder] = process.argv.slice(2);
if (!path) {
  console.error('usage: node report_check.mjs REPORT.html [SCREENSHOT_FOLDER]');
  process.exit(2);
}
// Where node_modules lies; the name of the file does not matter.
const modules = resolve(process.env.IFD_NODE_MODULES ?? '.', 'modules.js');
const {chromium} = createRequire(modules)('playwright-core');
const address = pathToFileURL(resolve(path)).href;
const problems = [];
const check = (holds, problem) => { if (!holds) problems.push(problem); };

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox']});

async function open(options) {
  const context = await browser.newContext({offline: true, ...options});
  const page = await context.newPage();
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) problems.push('console: ' + message.text());
  });
  page.on('pageerror', error => problems.push('script: ' + error.message));
  page.on('request', request => {
    check(request.url().startsWith('file:') || request.url().startsWith('data:'),
          'asks for ' + request.url());
  });
  await page.goto(address);
  return page;
}

async function picture(page, name, options = {}) {
  if (!folder) return;
  mkdirSync(folder, {recursive: true});
  await page.screenshot({path: join(folder, name + '.png'), fullPage: true, ...options});
}

// Every chart that is shown has a size and something drawn in it.
async function check_charts(page, look) {
  const charts = await page.evaluate(() => [...document.querySelectorAll('figure.chart')].map(figure => {
    const shown = [...figure.querySelectorAll('.plot > svg')].filter(svg => svg.clientWidth > 0);
    const box = shown[0]?.getBoundingClientRect();
    const marks = shown[0] ? [...shown[0].querySelectorAll('path, rect, circle, line, polygon')]
        .filter(mark => { const b = mark.getBoundingClientRect(); return b.width + b.height > 0; }) : [];
    return {title: figure.querySelector('figcaption')?.textContent, shown: shown.length,
            width: box?.width ?? 0, height: box?.height ?? 0, marks: marks.length};
  }));
  for (const chart of charts) {
    const where = `${look}: chart '${chart.title}'`;
    check(chart.shown === 1, `${where} is shown ${chart.shown} times`);
    check(chart.width > 100 && chart.height > 40, `${where} is ${chart.width} x ${chart.height}`);
    check(chart.marks > 3, `${where} has ${chart.marks} marks`);
  }
  return charts.length;
}

// Text stands out from what is behind it: 4.5 to 1 (WCAG AA).
async function check_contrast(page, look) {
  const weak = await page.evaluate(() => {
    const parse = text => (text.match(/[\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
        .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
    const behind = element => {
      for (let e = element; e; e = e.parentElement) {
        const colour = parse(getComputedStyle(e).backgroundColor);
        if (colour.length === 3 || (colour.length === 4 && colour[3] > 0)) return colour;
      }
      return [255, 255, 255];
    };
    const bad = new Set();
    for (const element of document.querySelectorAll('p, li, th, td, h1, h2, figcaption, code, dt, dd, svg text')) {
      if (!element.textContent.trim() || !element.getClientRects().length) continue;
      const style = getComputedStyle(element);
      const a = light(parse(element instanceof SVGElement ? style.fill : style.color));
      const b = light(behind(element));
      const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
      if (ratio < 4.5) bad.add(`${element.tagName} '${element.textContent.trim().slice(0, 30)}' ${ratio.toFixed(2)}`);
    }
    return [...bad].slice(0, 5);
  });
  for (const text of weak) problems.push(`${look}: contrast below 4.5: ${text}`);
}

async function check_width(page, look) {
  const [content, window] = await page.evaluate(
    () => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  check(content <= window, `${look}: the page is ${content} wide in a window of ${window}`);
}

// On a desk a table of few columns is seen whole; on a phone the names of the rows stay in view.
async function check_tables(page, look) {
  const tables = await page.evaluate(() => [...document.querySelectorAll('figure.table .scroll')].map(box => {
    const name = box.querySelector('tbody th');
    box.scrollLeft = box.scrollWidth;
    const hidden = name ? box.getBoundingClientRect().left - name.getBoundingClientRect().left : 0;
    box.scrollLeft = 0;
    return {title: box.getAttribute('aria-label'), columns: box.querySelectorAll('thead th').length,
            width: box.scrollWidth, room: box.clientWidth, hidden};
  }));
  for (const table of tables) {
    const where = `${look}: table '${table.title}'`;
    if (look === 'phone') {
      check(table.hidden <= 1, `${where} hides the names of its rows`);
    } else {
      check(table.columns > 6 || table.width <= table.room, `${where} is ${table.width} wide in ${table.room}`);
    }
  }
}

// A click on a header sorts by that column; the third restores the order.
async function check_sorting(page) {
  const tables = page.locator('table.sortable');
  const count = await tables.count();
  for (let i = 0; i < count; ++i) {
    const head = tables.nth(i).locator('thead th.number button').first();
    if (await head.count() === 0) continue;
    const column = () => tables.nth(i).evaluate(table => {
      const at = [...table.tHead.rows[0].cells].findIndex(cell => cell.classList.contains('number'));
      return [...table.tBodies[0].rows].map(row => row.cells[at].textContent);
    });
    const numbers = texts => texts.map(text => parseFloat(text.replace('\u2212', '-'))).filter(x => !isNaN(x));
    const before = await column();
    await head.click();
    const down = numbers(await column());
    check(down.every((x, k) => k === 0 || down[k - 1] >= x), `table ${i + 1} does not sort down`);
    await head.click();
    const up = numbers(await column());
    check(up.every((x, k) => k === 0 || up[k - 1] <= x), `table ${i + 1} does not sort up`);
    await head.click();
    check(JSON.stringify(await column()) === JSON.stringify(before), `table ${i + 1} does not restore its order`);
  }
  return count;
}

const desk = await open({viewport: {width: 1280, height: 900}, colorScheme: 'light'});
await picture(desk, 'light');
// Folded tables are checked like the others.
await desk.evaluate(() => document.querySelectorAll('details.folded').forEach(fold => { fold.open = true; }));
const charts = await check_charts(desk, 'light');
await check_contrast(desk, 'light');
await check_width(desk, 'light');
await check_tables(desk, 'light');
const tables = await check_sorting(desk);
const tip = desk.locator('figure.lines .plot').first();
if (await tip.count()) {
  await tip.hover();
  check(await desk.locator('figure.lines .tip').first().isVisible(), 'no values under the pointer');
}
if (folder) await desk.pdf({path: join(folder, 'print.pdf'), format: 'A4', margin: {top: '15mm', bottom: '15mm', left: '15mm', right: '15mm'}});

const night = await open({viewport: {width: 1280, height: 900}, colorScheme: 'dark'});
await check_charts(night, 'dark');
await check_contrast(night, 'dark');
await picture(night, 'dark');

const phone = await open({viewport: {width: 390, height: 844}, deviceScaleFactor: 2, isMobile: true, hasTouch: true});
await check_charts(phone, 'phone');
await check_width(phone, 'phone');
await check_tables(phone, 'phone');
await picture(phone, 'phone');

await browser.close();
for (const problem of [...new Set(problems)]) console.error('report: ' + problem);
console.log(`${charts} charts, ${tables} tables, ${new Set(problems).size} problems`);
process.exit(problems.length ? 1 : 0);
