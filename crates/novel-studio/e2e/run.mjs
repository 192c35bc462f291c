// Browser tests of the Studio: journeys by keyboard, script off, axe, widths, input methods, no request
// that leaves loopback. `node run.mjs NOVEL [SHOTS]`; NOVEL is the binary, SHOTS a directory for pictures.
import { chromium } from 'playwright-core';
import { spawn, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync, existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createRequire } from 'node:module';

const [, , binary, shots] = process.argv;
// Books are made in other directories.
const novel = resolve(binary);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const chrome = { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] };

let failures = 0;
const check = (is, what) => { if (!is) { failures += 1; console.error(`FAILED ${what}`); } };
const step = async (name, work) => {
  const begin = Date.now();
  try { await work(); } catch (error) { check(false, `${name}: ${error.message.split('\n').slice(0, 4).join(' | ')}`); }
  console.log(`${name} (${Date.now() - begin} ms)`);
};

// Two books: one waits for a revision and has a hand edit, the other is Chinese.
const home = mkdtempSync(join(tmpdir(), 'novel-studio-'));
const cli = (directory, ...args) => execFileSync(novel, ['--json', ...args], { cwd: directory, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
const books = join(home, 'projects');
cli(home, 'demo', '--language', 'en', '--chapters', '0', 'projects/fare');
const fare = join(books, 'fare');
const contract = join(fare, 'volumes/vol-01/chapter-contracts/chapter-006.json');
const planned = JSON.parse(readFileSync(contract, 'utf8'));
planned.postconditions.state_changes.Petra = { ...planned.postconditions.state_changes.Petra, status: 'dead' };
writeFileSync(contract, `${JSON.stringify(planned, null, 2)}\n`);
const outline = join(fare, 'volumes/vol-01/outline.md');
writeFileSync(outline, readFileSync(outline, 'utf8').replace('Petra: location=the ledger room, emotional_state=fear', 'Petra: location=the ledger room, emotional_state=fear, status=dead'));
const config = join(fare, 'novel.toml');
writeFileSync(config, `revision_policy = "manual_confirm"\n${readFileSync(config, 'utf8')}`);
try { cli(fare, 'run', '--to', '12'); } catch { /* It stops where the author must decide. */ }
cli(home, 'demo', '--language', 'zh', 'projects/chao');

const serve = async (cwd) => {
  // A home of its own: a key that is typed is kept there.
  const child = spawn(novel, ['studio', '--no-open', '--lang', 'en'], { cwd, env: { ...process.env, HOME: home }, stdio: ['ignore', 'ignore', 'pipe'] });
  let heard = '';
  const link = await new Promise((found) => child.stderr.on('data', (data) => {
    heard += data;
    const match = heard.match(/http:\/\/127\.0\.0\.1:\d+\/in#[0-9a-f]{64}/);
    if (match) found(match[0]);
  }));
  return { child, link, base: link.split('/in')[0], next: () => heard.match(/http:\S+\/in#[0-9a-f]{64}/g).at(-1) };
};

const studio = await serve(home);
const browser = await chromium.launch(chrome);
const outside = [];
const broken = [];
// Colours that are on their way to others cannot be measured: no transitions.
const open = async (options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.on('request', (request) => { if (!/^(http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) outside.push(request.url()); });
  page.on('console', (message) => { if (/Content Security Policy|TrustedHTML|Trusted Type/i.test(message.text())) broken.push(message.text()); });
  page.on('pageerror', (error) => broken.push(error.message));
  return page;
};
const page = await open();
// A run that was started earlier holds the book while it writes.
const free = async (book) => {
  while (existsSync(join(books, book, '.novel.lock'))) await new Promise((next) => { setTimeout(next, 50); });
};

await step('the link signs in once and leaves the address', async () => {
  await page.goto(studio.link);
  await page.waitForURL((url) => !url.pathname.startsWith('/in'));
  check(!page.url().includes('#'), 'the code is gone from the address');
  const other = await open();
  await other.goto(studio.link);
  await other.waitForSelector('[role=alert]');
  await other.context().close();
});
// A page that renews itself may be a moment ahead of the test.
const go = (path) => page.goto(studio.base + path).catch(() => page.goto(studio.base + path));
const log = () => JSON.parse(cli(fare, 'log')).data.operations;

await step('journey: start, decide, undo', async () => {
  await go('/b/fare');
  await page.keyboard.press('Enter');
  await page.waitForURL(/decisions/);
  check(await page.locator('del').count() > 0 || await page.locator('.finding').count() > 0, 'evidence is shown');
  const before = log()[0].operation;
  await page.keyboard.press('r');
  await page.waitForURL(/after=/);
  const done = log()[0];
  check(done.operation > before && done.kind === 'review', `keeping the text is one operation (${done.kind})`);
  await page.keyboard.press('u');
  await page.waitForURL(/history/);
  check(log().some((operation) => operation.operation === done.operation && operation.undone), 'it is undone');
});

await step('journey: search', async () => {
  await go('/b/fare');
  await page.keyboard.press('/');
  await page.waitForURL(/search/);
  await page.waitForSelector('#q:focus');
  await page.keyboard.type('ledger');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.hits mark');
});

await step('journey: edit with an input method, save, adopt', async () => {
  await go('/b/chao/chapters/2');
  await page.keyboard.press('e');
  await page.waitForURL(/edit/);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+End');
  const file = () => readFileSync(join(books, 'chao/chapters/chapter-002.md'), 'utf8');
  const written = () => page.locator('#text').inputValue();
  const before = file();
  const sent = [];
  page.on('request', (request) => { if (request.method() === 'POST') sent.push(request.url()); });
  const devtools = await page.context().newCDPSession(page);
  const gauge = await page.locator('[data-count]').textContent();
  for (const text of ['n', "ni'h", "ni'hao"]) await devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  check((await page.locator('.cm-content').textContent()).includes("ni'hao"), 'the composing text is shown');
  await page.keyboard.press('Control+s');
  await page.evaluate(() => document.querySelector('#editor').requestSubmit());
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  check(sent.length === 0 && file() === before, `no save while composing: ${sent}`);
  check(await page.locator('[data-count]').textContent() === gauge, 'nothing is counted while composing');
  check(await written() === before, 'what is composed is not yet in the form');
  await devtools.send('Input.insertText', { text: '“你好。”' });
  await page.waitForFunction(() => document.querySelector('#text').value.includes('“你好。”'));
  // Full-width punctuation as input methods give it, each in a composition of its own.
  for (const mark of ['，', '！', '——', '……', '《', '》']) {
    await devtools.send('Input.imeSetComposition', { text: mark, selectionStart: mark.length, selectionEnd: mark.length });
    await devtools.send('Input.insertText', { text: mark });
  }
  // Enter that ends a composition belongs to the input method.
  await devtools.send('Input.imeSetComposition', { text: 'wu', selectionStart: 2, selectionEnd: 2 });
  await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Process', code: 'Enter', windowsVirtualKeyCode: 229 });
  await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 });
  await devtools.send('Input.insertText', { text: '雾' });
  // A composition that is given up leaves nothing.
  await devtools.send('Input.imeSetComposition', { text: 'gang', selectionStart: 4, selectionEnd: 4 });
  await devtools.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
  await page.waitForFunction(() => document.querySelector('#text').value.trimEnd().endsWith('雾'));
  const composed = `${before}“你好。”，！——……《》雾`;
  check(await written() === composed, `the text in the form: ${JSON.stringify((await written()).slice(-40))}`);
  check(sent.length === 0, 'nothing was sent by composing');
  // Keys of the pages do nothing in the text.
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.keyboard.press('?');
  check(page.url().endsWith('/edit') && await written() === `${composed}gd?`, 'single keys are text');
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Backspace');
  await page.keyboard.press('Control+z');
  check(await written() !== composed, 'undo takes something back');
  await page.keyboard.press('Control+y');
  check(await written() === composed, 'redo brings it again');
  await page.keyboard.press('Control+s');
  await page.waitForSelector('[data-said=saved]:not([hidden])');
  check(file() === `${composed}\n`, 'the composed text is saved as it was typed');
  check(await page.evaluate(() => document.activeElement.classList.contains('cm-content')), 'a save leaves the place in the text');
  // What is not saved yet is saved before it is adopted; all by keys.
  await page.keyboard.insertText('灯亮了。');
  await page.keyboard.press('Escape');
  await page.locator('button[form=adopt]').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/chapters\/2(\?|$)/);
  check(readFileSync(join(books, 'chao/chapters/chapter_002.json'), 'utf8').includes('《》雾灯亮了。'), 'adopted');
});

await step('find and replace, the plain field, the size of the scripts', async () => {
  const scripts = async (path) => {
    await go(path);
    const sources = await page.locator('script[src]').evaluateAll((all) => all.map((one) => one.getAttribute('src')));
    const bodies = await Promise.all(sources.map(async (source) => gzipSync(Buffer.from(await (await page.request.get(studio.base + source)).body()), { level: 9 }).length));
    return bodies.reduce((sum, size) => sum + size, 0) / 1024;
  };
  const [plainPage, editPage] = [await scripts('/b/chao/chapters/2'), await scripts('/b/chao/chapters/2/edit')];
  console.log(`  scripts: ${plainPage.toFixed(1)} KB, with the editor ${editPage.toFixed(1)} KB (gzip)`);
  check(plainPage <= 12 && editPage <= 135, `scripts are ${plainPage} and ${editPage} KB`);
  const sheets = await page.evaluate(() => getComputedStyle(document.querySelector('.cm-scroller')).display);
  check(sheets.includes('flex'), `the styles of the editor are let in: ${sheets}`);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+f');
  await page.waitForSelector('.cm-search input[name=search]:focus');
  await page.keyboard.insertText('灯亮了');
  // A key that comes up makes the panel read its field, as at the end of any composition.
  await page.keyboard.press('Shift');
  await page.keyboard.press('Enter');
  check(await page.locator('.cm-searchMatch-selected').count() === 1, 'a match is shown');
  await page.keyboard.press('Escape');
  check(await page.locator('.cm-search').count() === 0, 'Escape closes the search');
  await page.keyboard.press('F2');
  check(await page.locator('#text').isVisible() && await page.locator('.cm-editor').count() === 0, 'F2 gives the plain field');
  await page.locator('#text').press('Control+End');
  await page.keyboard.insertText('平');
  await page.reload({ waitUntil: 'load' }).catch(() => {});
  await page.waitForSelector('[data-plain][aria-pressed=true]');
  check(!(await page.locator('#text').inputValue()).includes('灯亮了。平'), 'the page comes anew');
  await page.keyboard.press('F2');
  await page.waitForSelector('.cm-content:focus');
});

await step('two tabs, one chapter: nothing is lost', async () => {
  await go('/b/chao/chapters/1/edit');
  const second = await page.context().newPage();
  await second.goto(`${studio.base}/b/chao/chapters/1/edit`);
  const add = async (tab, words) => {
    await tab.locator('.cm-content').focus();
    await tab.keyboard.press('Control+End');
    await tab.keyboard.insertText(words);
    await tab.keyboard.press('Control+s');
  };
  await add(page, '甲改。');
  await page.waitForSelector('[data-said=saved]:not([hidden])');
  await add(second, '乙改。');
  await second.waitForSelector('.threeway');
  check((await second.locator('#text').inputValue()).includes('乙改。'), 'the second text is in the form');
  const file = () => readFileSync(join(books, 'chao/chapters/chapter-001.md'), 'utf8');
  check(file().includes('甲改。') && !file().includes('乙改。'), 'the first save stands');
  await second.locator('.cm-content').focus();
  await second.keyboard.press('F8');
  await second.waitForSelector('.cm-deletedChunk');
  for (const theme of ['light', 'dark']) {
    await second.evaluate((name) => { document.documentElement.className = name; }, theme);
    await second.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    const colours = await second.evaluate(() => ['.cm-deletedChunk button', '.acts a.btn'].map((place) => { const { color, backgroundColor } = getComputedStyle(document.querySelector(place)); return `${color} on ${backgroundColor}`; }));
    check(colours[0].split(' on ')[0] === colours[1].split(' on ')[0], `the buttons of a difference can be read, ${theme}: ${colours}`);
    const found = await second.evaluate(`${axe}; axe.run(document, { resultTypes: ['violations'] })`);
    for (const violation of found.violations) check(false, `axe on the conflict, ${theme}: ${violation.id} ${violation.nodes.slice(0, 2).map((node) => node.html.slice(0, 120)).join(' || ')}`);
    if (shots) await second.screenshot({ path: join(shots, `conflict-${theme}.png`), fullPage: true });
  }
  // By keys: to what differs, keep mine, then the text of both.
  await second.locator('.cm-deletedChunk button').first().focus();
  await second.keyboard.press('Enter');
  check(await second.locator('.cm-deletedChunk').count() === 0, 'the difference is settled');
  check((await second.locator('#text').inputValue()).includes('乙改。'), 'mine is kept');
  await second.locator('.cm-content').focus();
  await second.keyboard.press('Control+End');
  await second.keyboard.insertText('甲改。');
  await second.keyboard.press('Control+s');
  await second.waitForURL(/edit$/);
  await second.waitForSelector('[data-said=saved]:not([hidden])');
  check(file().includes('乙改。甲改。'), 'the joined text is saved');
  await second.close();
});

// A model server of our own: it answers the question of the set-up.
const heard = [];
const provider = createServer((request, answer) => {
  heard.push(request.headers.authorization);
  request.resume();
  request.on('end', () => {
    answer.setHeader('content-type', 'text/event-stream');
    for (const piece of ['{"ready": true, ', '"word": "rain"}']) answer.write(`data: ${JSON.stringify({ model: 'stub', choices: [{ index: 0, delta: { content: piece } }] })}\n\n`);
    answer.write(`data: ${JSON.stringify({ model: 'stub', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 40, completion_tokens: 9 } })}\n\n`);
    answer.end('data: [DONE]\n\n');
  });
});
await new Promise((ready) => provider.listen(0, '127.0.0.1', ready));

await step('journey: set up a model, change a setting, undo', async () => {
  const before = readFileSync(join(books, 'chao/novel.toml'), 'utf8');
  await go('/b/chao/settings');
  await page.keyboard.press('m');
  await page.waitForURL(/model$/);
  await page.keyboard.press('n');
  await page.keyboard.press('End');
  await page.keyboard.press('Tab');
  await page.keyboard.type('stub');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type(`http://127.0.0.1:${provider.address().port}/v1`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Tab');
  await page.keyboard.type('sk-typed-in-the-browser');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.badge.ok');
  check(heard.at(-1) === 'Bearer sk-typed-in-the-browser', `the server was asked with the key: ${heard}`);
  check(!(await page.content()).includes('sk-typed'), 'the key is not on the page');
  const written = readFileSync(join(books, 'chao/novel.toml'), 'utf8');
  check(written.includes('key_file') && !written.includes('sk-typed'), 'novel.toml names the file of the key');
  if (shots) await page.screenshot({ path: join(shots, 'model-done.png') });
  await page.keyboard.press('u');
  await page.waitForURL(/history/);
  check(readFileSync(join(books, 'chao/novel.toml'), 'utf8') === before, 'the set-up is undone');
  await go('/b/chao/settings');
  await page.keyboard.press('n');
  await page.keyboard.type('plan.chapters');
  await page.keyboard.press('Tab');
  await page.keyboard.type('24');
  await page.keyboard.press('Enter');
  await page.waitForURL(/after=/);
  check(readFileSync(join(books, 'chao/novel.toml'), 'utf8').includes('24'), 'the setting is changed');
  await page.keyboard.press('u');
  await page.waitForURL(/history/);
});

await step('journey: plan the rest anew, approve the plan', async () => {
  await go('/b/chao/board');
  await page.keyboard.press('n');
  await page.waitForSelector('#replan-note:focus');
  await page.keyboard.insertText('多写一点雨');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/runs\/\d+/);
  await page.waitForFunction(() => !document.querySelector('[data-run]'), undefined, { timeout: 30000 });
  await page.waitForSelector('a[href$="/decisions"].primary');
  await page.keyboard.press('Enter');
  await page.waitForURL(/decisions/);
  await go('/b/chao/board');
  await page.keyboard.press('p');
  await page.waitForURL(/plan=waiting/);
  if (shots) await page.screenshot({ path: join(shots, 'plan-waits.png'), fullPage: true });
  await page.keyboard.press('a');
  await page.waitForURL(/after=/);
  const newest = JSON.parse(cli(join(books, 'chao'), 'log')).data.operations[0];
  check(newest.kind === 'commit-volume', `approving is one operation (${newest.kind})`);
});

await step('journey: edit the outline on the board, approve it', async () => {
  await go('/b/chao/board');
  await page.keyboard.press('e');
  await page.waitForURL(/outline$/);
  await page.keyboard.press('n');
  await page.waitForSelector('#outline:focus');
  const text = await page.locator('#outline').inputValue();
  const last = text.lastIndexOf('- **Conflict**: ') + '- **Conflict**: '.length;
  await page.locator('#outline').evaluate((field, at) => field.setSelectionRange(at, at), last);
  await page.keyboard.insertText('雨夜里，');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/plan=waiting/);
  const outline = () => readFileSync(join(books, 'chao/volumes/vol-01/outline.md'), 'utf8');
  check(!outline().includes('雨夜里，'), 'a plan waits before it is in the book');
  await page.keyboard.press('a');
  await page.waitForURL((url) => !url.search.includes('plan=waiting') && url.search.includes('after='));
  check(outline().includes('- **Conflict**: 雨夜里，'), 'the outline is the plan');
});

await step('checks stand beside their lines and follow the text', async () => {
  await go('/b/fare/decisions');
  const chapter = (await page.locator('a[href*="item=revision-"]').first().getAttribute('href')).match(/revision-(\d+)/)[1];
  await go(`/b/fare/chapters/${chapter}/edit`);
  await page.waitForSelector('.gutter.placed .check.wait');
  await page.locator('.cm-content').focus();
  // F8 goes to the first check, marks it in the list and reads it out.
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('F8');
  await page.waitForSelector('.gutter .check.at');
  const spoken = await page.locator('.cm-announced').textContent();
  check(/^Line \d+: \S+/.test(spoken), `a check is read out: ${spoken}`);
  const selected = await page.evaluate(() => getSelection().toString());
  check(selected === await page.locator('.gutter .check.at').getAttribute('data-quote'), `its words are selected: ${selected}`);
  const settled = () => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))); }));
  await page.locator('.gutter .check.wait [data-jump]').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.cm-remark.wait');
  await settled();
  const tops = () => page.evaluate(() => ['.gutter .check.wait', '.cm-remark.wait', '.cm-checks .badge.wait'].map((place) => document.querySelector(place)?.getBoundingClientRect().top));
  const [remark, words, mark] = await tops();
  check(Math.abs(remark - words) < 40, `a remark stands beside its line: ${remark} and ${words}`);
  check(mark <= words + 4, `its mark is in the gutter: ${mark}`);
  if (shots) {
    await page.locator('.gutter .check.wait').first().scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(shots, 'gutter.png') });
  }
  const line = async () => Number((await page.locator('.gutter .check.wait [data-line]').first().textContent()).match(/\d+/)[0]);
  const before = await line();
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('one\ntwo\nthree\n');
  await page.waitForFunction((old) => Number(document.querySelector('.gutter .check.wait [data-line]').textContent.match(/\d+/)[0]) === old + 3, before);
  // The words are selected and overwritten: the check says that they are gone.
  await page.locator('.gutter .check.wait [data-jump]').first().focus();
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('…');
  await page.waitForSelector('.gutter .check.wait .gone:not([hidden])');
  // The plain field has the list as it is without script; the editor places it again.
  await page.keyboard.press('Control+z');
  await page.waitForSelector('.gutter .check.wait .gone', { state: 'hidden' });
  await page.keyboard.press('F2');
  check(await page.locator('.gutter.placed').count() === 0 && !await page.locator('.gutter [data-jump]').first().isVisible(), 'the plain field has a plain list');
  await page.keyboard.press('F2');
  await page.waitForSelector('.gutter.placed .check.wait [data-jump]:not([hidden])');
  // Narrow: the list is below, the check is told where the caret is.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('.gutter .check.wait [data-jump]').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.cm-tooltip.cm-tip');
  check(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth) <= 0, 'the edit page does not scroll sideways at 390');
  if (shots) await page.screenshot({ path: join(shots, 'gutter-phone.png') });
  await page.setViewportSize({ width: 1280, height: 800 });
  page.once('dialog', (dialog) => dialog.accept());
  await go('/b/fare');
});

await step('journey: start a run, watch it, it outlives the server', async () => {
  await go('/b/chao/runs');
  await page.keyboard.press('Enter');
  await page.waitForURL(/runs\/\d+/);
  await page.waitForSelector('.events li');
});

await step('journey: plan, threads, reports, codex by keys', async () => {
  await go('/b/fare');
  for (const [key, place] of [['b', /board/], ['c', /codex/], ['t', /threads/], ['r', /reports/], ['k', /checks/], ['h', /history/], ['s', /settings/], ['n', /chapters/], ['u', /runs/], ['w', /decisions/], ['d', /fare$/]]) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.waitForURL(place);
  }
  await page.keyboard.press('?');
  check(await page.locator('#keys').isVisible(), 'the keys are shown');
  await page.keyboard.press('Escape');
  await go('/b/fare/codex/ilse?as-of=6');
  await page.keyboard.press(']');
  await page.waitForURL(/as-of=7/);
});

await step('journey: waive a finding', async () => {
  await go('/b/fare/checks?range=all');
  const reason = page.locator('.waive input[name=reason]').first();
  if (await reason.count()) {
    const count = await page.locator('.waive').count();
    await reason.focus();
    await page.keyboard.type('a memory');
    await page.keyboard.press('Enter');
    await page.waitForURL(/checks/);
    await page.waitForFunction((before) => document.querySelectorAll('.waive').length < before, count);
    await page.locator('.waived button').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction((before) => document.querySelectorAll('.waive').length === before, count);
  } else { check(false, 'there is a finding to waive'); }
});

await step('script off: read, decide, undo', async () => {
  const plain = await open({ javaScriptEnabled: false });
  const link = new URL(studio.next());
  await plain.goto(`${studio.base}/in`);
  await plain.locator('#code').fill(link.hash.slice(1));
  await plain.locator('button').click();
  await plain.waitForURL(/\/$/);
  await plain.goto(`${studio.base}/b/fare/chapters/1`);
  check(await plain.locator('.prose p').count() > 10, 'a chapter can be read');
  await plain.goto(`${studio.base}/b/fare/decisions`);
  const chapter = (await plain.locator('a[href*="item=revision-"]').first().getAttribute('href')).match(/revision-(\d+)/)[1];
  await plain.goto(`${studio.base}/b/fare/chapters/${chapter}/edit`);
  check(await plain.locator('.gutter .check [data-line]').first().isVisible(), 'the checks are a list with lines');
  // The form alone edits and saves.
  await free('chao');
  await plain.goto(`${studio.base}/b/chao/chapters/1/edit`);
  const text = await plain.locator('#text').inputValue();
  await plain.locator('#text').fill(`${text.trimEnd()}\n\n无脚本。\n`);
  await Promise.all([plain.waitForNavigation(), plain.locator('[data-save]').click()]);
  check(readFileSync(join(books, 'chao/chapters/chapter-001.md'), 'utf8').endsWith('\n\n无脚本。\n'), 'the plain form saves');
  await plain.goto(`${studio.base}/b/fare/decisions`);
  await plain.locator('button[value=reject]').click();
  await plain.waitForURL(/after=/);
  await plain.locator('.undo button').click();
  await plain.waitForURL(/history/);
  await plain.goto(`${studio.base}/b/fare?lang=zh`);
  check(await plain.locator('html[lang=zh-CN]').count() === 1, 'the language changes');
  await plain.context().close();
});

const pages = (book, person) => ['/', `/b/${book}`, `/b/${book}/decisions`, `/b/${book}/chapters`, `/b/${book}/chapters/2`, `/b/${book}/chapters/2/edit`, `/b/${book}/chapters/2/diff`, `/b/${book}/chapters/2/packet`, `/b/${book}/chapters/2/history`, `/b/${book}/board`, `/b/${book}/outline`, `/b/${book}/codex`, `/b/${book}/codex/${person}`, `/b/${book}/threads`, `/b/${book}/checks`, `/b/${book}/runs`, `/b/${book}/runs/1`, `/b/${book}/reports`, `/b/${book}/history`, `/b/${book}/search?q=a`, `/b/${book}/settings`, `/b/${book}/model`];
const person = readdirSync(join(books, 'chao/characters/active')).find((name) => name.endsWith('.json')).replace('.json', '');

await step('axe on every page, both languages, both themes, 1280 and 390; no sideways scrolling', async () => {
  const bare = await open({ bypassCSP: true });
  await bare.context().addCookies(await page.context().cookies());
  for (const [lang, book, who] of [['en', 'fare', 'ilse'], ['zh', 'chao', person]]) {
    for (const path of pages(book, who)) {
      for (const theme of ['light', 'dark']) {
        const mark = path.includes('?') ? '&' : '?';
        const answer = await bare.goto(`${studio.base}${path}${mark}lang=${lang}&theme=${theme}`);
        check(answer.status() === 200, `${path} answers ${answer.status()}`);
        await bare.evaluate(axe);
        for (const [width, height] of [[1280, 800], [390, 844]]) {
          await bare.setViewportSize({ width, height });
          const over = await bare.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          check(over <= 0, `${path} ${lang} is ${over} px too wide at ${width}`);
          const found = await bare.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
          for (const violation of found.violations) {
            check(false, `axe ${path} ${lang} ${theme} ${width}: ${violation.id} ${violation.nodes.slice(0, 2).map((node) => node.html.slice(0, 120)).join(' || ')}`);
          }
          const shown = theme === 'light' ? 1280 : 390;
          if (shots && width === shown) await bare.screenshot({ path: join(shots, `${book}${path.replace(/[^a-z0-9]+/g, '-')}-${theme}.png`) });
        }
      }
    }
  }
  await bare.context().close();
});

await step('a page of another origin can read and start nothing', async () => {
  const before = log()[0].operation;
  const evil = createServer((_, answer) => { answer.setHeader('content-type', 'text/html'); answer.end('<form method=post></form>'); });
  await new Promise((ready) => evil.listen(0, '127.0.0.1', ready));
  const foreign = await page.context().newPage();
  await foreign.goto(`http://127.0.0.1:${evil.address().port}/`);
  const read = await foreign.evaluate(async (base) => {
    const tries = [() => fetch(`${base}/b/fare`, { credentials: 'include' }).then((answer) => answer.text()), () => fetch(`${base}/b/fare/undo`, { method: 'POST', credentials: 'include', body: new URLSearchParams({ operation: '1' }) }).then((answer) => answer.text())];
    return Promise.all(tries.map((attempt) => attempt().then(() => 'read', () => 'refused')));
  }, studio.base);
  check(read.every((result) => result === 'refused'), `fetches from another origin: ${read}`);
  await foreign.evaluate((base) => { const form = document.querySelector('form'); form.action = `${base}/b/fare/undo`; form.submit(); }, studio.base);
  await foreign.waitForLoadState();
  check(log()[0].operation === before, 'nothing was done');
  evil.close();
  await foreign.close();
});

await step('a run outlives kill -9 of the server, and a new server shows it without a gap', async () => {
  const ran = JSON.parse(cli(join(books, 'chao'), 'runs')).data.runs[0];
  check(ran.chapters.length > 0 || ran.state !== 'running', `the run of the first server: ${ran.state}`);
  studio.child.kill('SIGKILL');
  const again = await serve(home);
  const fresh = await open();
  await fresh.goto(again.link);
  await fresh.waitForURL((url) => !url.pathname.startsWith('/in'));
  await fresh.goto(`${again.base}/b/chao/runs/${ran.run}`);
  const numbers = await fresh.evaluate(async (path) => {
    const seen = [];
    const source = new EventSource(path);
    await new Promise((done) => { source.onmessage = (message) => { seen.push(Number(message.lastEventId)); }; setTimeout(done, 700); });
    source.close();
    return seen;
  }, `/b/chao/runs/${ran.run}/events?after=0`);
  check(numbers.length > 0 && numbers.every((number, index) => number === index + 1), `event numbers ${numbers.slice(0, 5)}… of ${numbers.length}`);
  again.child.kill('SIGINT');
});

check(outside.length === 0, `requests that leave loopback: ${outside}`);
check(broken.length === 0, `errors of scripts or policies: ${broken.slice(0, 3)}`);
await browser.close();
provider.close();
studio.child.kill('SIGKILL');
if (existsSync(home)) console.log(failures ? `${failures} failed` : 'all passed');
process.exit(failures ? 1 : 0);
