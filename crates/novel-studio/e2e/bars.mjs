// Measures the bars of docs/studio.md. `node bars.mjs NOVEL DIRECTORY [ROUNDS]`; DIRECTORY holds `projects`
// with the books to be measured. Prints a line per page; writes nothing into the books but a run of `--run BOOK`.
import { chromium } from 'playwright-core';
import { spawn } from 'node:child_process';
import { openSync, readSync, readFileSync, readdirSync, fstatSync, existsSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';

const [, , binary, directory, rounds = '30', runIn] = process.argv;
const novel = resolve(binary);
const books = readdirSync(join(directory, 'projects'));
const child = spawn(novel, ['studio', '--no-open', '--lang', 'zh'], { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
const link = await new Promise((found) => {
  let heard = '';
  child.stderr.on('data', (data) => {
    heard += data;
    const match = heard.match(/http:\/\/127\.0\.0\.1:\d+\/in#[0-9a-f]{64}/);
    if (match) found(match[0]);
  });
});
const base = link.split('/in')[0];
const memory = () => Math.round(Number(readFileSync(`/proc/${child.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 102.4) / 10;
// Time on a processor, in ms: a busy machine does not lengthen it.
const used = () => { const parts = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' '); return (Number(parts[11]) + Number(parts[12])) * 10; };
const share = (times, part) => times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.ceil(times.length * part) - 1)];
const ms = (time) => `${time.toFixed(1)} ms`;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu'] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();
console.log(`idle ${memory()} MB`);
await page.goto(link);
await page.waitForURL((url) => !url.pathname.startsWith('/in'));
const cookie = (await context.cookies()).map((one) => `${one.name}=${one.value}`).join('; ');

const ask = (path) => new Promise((done, failed) => {
  const begin = process.hrtime.bigint();
  request(base + path, { headers: { cookie } }, (answer) => {
    let bytes = 0;
    answer.on('data', (data) => { bytes += data.length; });
    answer.on('end', () => done({ time: Number(process.hrtime.bigint() - begin) / 1e6, bytes, status: answer.statusCode }));
  }).on('error', failed).end();
});

for (const book of books) {
  const cast = join(directory, 'projects', book, 'characters/active');
  const person = existsSync(cast) ? readdirSync(cast).find((name) => name.endsWith('.json')) : undefined;
  const places = ['', '/decisions', '/chapters', '/chapters?volume=1', '/chapters/2', '/chapters/2/edit', '/chapters/2/diff', '/chapters/2/packet', '/chapters/2/history', '/board', '/codex', ...(person ? [`/codex/${person.replace('.json', '')}`] : []), '/threads', '/checks', '/runs', '/reports', '/history', '/search?q=%E9%9B%A8', '/settings', '/model'];
  console.log(`${book}: first page ${ms((await ask(`/b/${book}`)).time)}`);
  const all = [];
  for (const place of places) {
    const times = [];
    const before = used();
    let last;
    for (let round = 0; round < Number(rounds); round += 1) { last = await ask(`/b/${book}${place}`); times.push(last.time); }
    all.push(...times);
    console.log(`  ${place || '/'} ${last.status} processor ${ms((used() - before) / times.length)}, median ${ms(share(times, 0.5))}, p95 ${ms(share(times, 0.95))}, ${(last.bytes / 1024).toFixed(0)} KB`);
  }
  console.log(`  all pages p95 ${ms(share(all, 0.95))}; memory ${memory()} MB`);
  const paints = [];
  for (let round = 0; round < 9; round += 1) {
    await page.goto(`${base}/b/${book}/chapters`);
    paints.push(await page.evaluate(() => new Promise((done) => {
      const seen = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
      const look = () => (seen() ? done(seen()) : requestAnimationFrame(look));
      look();
    })));
  }
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  console.log(`  Chapters: first contentful paint median ${ms(share(paints, 0.5))}, most ${ms(share(paints, 1))}, ${nodes} nodes`);
}

// From a line in the log to the page: the log is looked at every millisecond or two, the page notes its own clock.
if (runIn) {
  await page.goto(`${base}/b/${runIn}/runs`);
  await page.evaluate(() => document.querySelector('form[action$="/runs"]').requestSubmit());
  await page.waitForURL(/runs\/\d+/);
  const run = page.url().match(/runs\/(\d+)/)[1];
  const log = openSync(join(directory, 'projects', runIn, `logs/runs/${run.padStart(4, '0')}.jsonl`), 'r');
  const written = [];
  let at = 0;
  const look = () => {
    const { size } = fstatSync(log);
    if (size > at) {
      const bytes = Buffer.alloc(size - at);
      readSync(log, bytes, 0, bytes.length, at);
      at = size;
      const now = Date.now();
      for (const byte of bytes) if (byte === 10) written.push(now);
    }
  };
  const timer = setInterval(look, 1);
  const seen = new Map();
  await page.exposeFunction('told', (number, time) => { if (!seen.has(number)) seen.set(number, time); });
  await page.addInitScript(() => addEventListener('DOMContentLoaded', () => {
    const count = document.querySelector('[data-count-events]');
    if (!count) return;
    window.told(Number(count.textContent), Date.now());
    new MutationObserver(() => window.told(Number(count.textContent), Date.now())).observe(count, { childList: true, characterData: true, subtree: true });
  }));
  await page.reload();
  await new Promise((done) => { setTimeout(done, 15000); });
  clearInterval(timer);
  const numbers = [...seen.keys()].sort((one, other) => one - other);
  const lags = [];
  for (let event = 2; event <= written.length; event += 1) {
    const shown = numbers.find((number) => number >= event);
    const when = shown === undefined ? undefined : seen.get(shown);
    if (when !== undefined && when >= written[event - 1]) lags.push(when - written[event - 1]);
  }
  console.log(`event to page: ${lags.length} events, median ${ms(share(lags, 0.5))}, p95 ${ms(share(lags, 0.95))}, most ${ms(share(lags, 1))}; memory ${memory()} MB`);
}
await browser.close();
child.kill('SIGINT');
