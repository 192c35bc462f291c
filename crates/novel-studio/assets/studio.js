// Only what the pages do not need: theme, copying, keys, fresh pages, a run as it writes. Everything works with script off. Text goes in by textContent alone: Trusted Types hold.
const root = document.documentElement;
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const keysOn = document.body.dataset.keys === 'on';

// A page comes anew only where nobody is on the way elsewhere: a reload would stop them.
let leaving = false;
addEventListener('beforeunload', () => { leaving = true; });
addEventListener('pageshow', () => { leaving = false; });
const anew = (may) => { if (!leaving && may()) location.reload(); };

// Theme: kept in a cookie, so that the next page comes in it.
$('[data-theme]')?.addEventListener('click', (event) => {
  event.preventDefault();
  const system = matchMedia('(prefers-color-scheme: dark)').matches;
  const dark = root.classList.contains('dark') || (!root.classList.contains('light') && system);
  root.classList.remove('light', 'dark');
  root.classList.add(dark ? 'light' : 'dark');
  document.cookie = `novel_theme=${dark ? 'light' : 'dark'}; SameSite=Strict; Path=/; Max-Age=31536000`;
});

// Copying a command.
for (const button of $$('[data-copy]')) {
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', () => navigator.clipboard.writeText(button.dataset.copy));
}

// A choice that shows itself at once; the button for it is there without script.
for (const field of $$('[data-submit]')) {
  const output = $(`output[for="${field.id}"]`);
  if (field.type === 'range' && output) {
    const words = output.textContent.split(/\d+/);
    field.addEventListener('input', () => { output.textContent = words.join(field.value); });
  }
  field.addEventListener('change', () => field.form.requestSubmit());
}

// A form that was sent says so and is not sent twice.
for (const form of $$('form[method=post]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = '1';
    event.submitter?.setAttribute('aria-busy', 'true');
  });
}
addEventListener('pageshow', () => { for (const form of $$('form[data-sent]')) delete form.dataset.sent; });

// Keys. Never while typing or composing, never with a modifier, and Enter belongs to what has the focus.
let g = 0;
const typing = (target) => target.closest?.('input, textarea, select, [contenteditable], dialog');
addEventListener('keydown', (event) => {
  if (event.isComposing || event.keyCode === 229) return;
  if (!keysOn || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (event.key === '?') { event.preventDefault(); $('#keys')?.showModal(); return; }
  if (Date.now() - g < 1200) {
    g = 0;
    const to = $(`[data-go="${CSS.escape(event.key)}"]`);
    if (to) { event.preventDefault(); location.href = to.href; return; }
  }
  if (event.key === 'g') { g = Date.now(); return; }
  if (event.key === '/') { const to = $('[data-go="/"]'); if (to) { event.preventDefault(); location.href = to.href; } return; }
  if (event.key === 'Enter' && event.target !== document.body) return;
  const step = { ArrowDown: '[data-next]', ArrowUp: '[data-previous]' }[event.key];
  if (step && $(step)) { event.preventDefault(); $(step).click(); return; }
  if (event.key === 't' && $('.fig details')) {
    const open = !$('.fig details').open;
    for (const table of $$('.fig details')) table.open = open;
    return;
  }
  const range = $('.asof input[type=range]');
  if (range && (event.key === '[' || event.key === ']')) {
    range.value = String(Number(range.value) + (event.key === ']' ? 1 : -1));
    range.form.requestSubmit();
    return;
  }
  const field = $(`[data-focus="${CSS.escape(event.key)}"]`);
  if (field) { event.preventDefault(); field.focus(); return; }
  const act = $(`[data-key="${CSS.escape(event.key)}"]`);
  if (act) { event.preventDefault(); act.click(); }
});

// A menu closes with Escape and when the focus leaves it.
for (const menu of $$('details.more')) {
  menu.addEventListener('keydown', (event) => { if (event.key === 'Escape') { menu.open = false; menu.firstElementChild.focus(); } });
  menu.addEventListener('focusout', (event) => { if (!menu.contains(event.relatedTarget)) menu.open = false; });
}

// A run as it writes: one stream, numbered; after a break it goes on behind the last number it has.
const run = $('[data-run]');
if (run) {
  const text = $('[data-stream]');
  const follow = $('[data-follow]');
  const count = $('[data-count-events]');
  let last = Number(run.dataset.after);
  let source;
  let row;
  const list = $('[data-events]');
  const show = (number) => {
    const item = document.createElement('li');
    const span = (kind, words) => { const part = document.createElement('span'); part.className = kind; part.textContent = words; return part; };
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('class', `mark m-${row.mark}`);
    svg.setAttribute('aria-hidden', 'true');
    const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    use.setAttribute('href', `#m-${row.mark}`);
    svg.append(use);
    item.append(span('num faint', `#${number}`), span('num faint clock', row.clock), svg, span('', row.text), span('num muted', row.end));
    list.prepend(item);
    row = undefined;
  };
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(`${run.dataset.run}?after=${last}`);
    source.addEventListener('row', (message) => { row = JSON.parse(message.data); });
    source.onmessage = (message) => {
      const event = JSON.parse(message.data);
      if (event.n <= last) { row = undefined; return; }
      last = event.n;
      if (row) show(last);
      count.textContent = String(last);
      if (event.type === 'text') {
        text.textContent += event.text;
        if (follow.checked) text.scrollIntoView({ block: 'end' });
      } else if (event.type !== 'call.progress' && !$('textarea:focus')) {
        // Everything else changes the page as a whole; the server draws it.
        open.timer ??= setTimeout(() => { open.timer = undefined; anew(() => !$('textarea:focus')); }, 1000);
      }
    };
  };
  const shut = () => { source?.close(); source = undefined; };
  document.addEventListener('visibilitychange', () => (document.hidden ? shut() : open()));
  addEventListener('pagehide', shut);
  open();
}

// The book changes under the page: a page that holds nothing of the visitor's comes anew.
const busy = () => $('textarea:focus, input:focus, select:focus, dialog[open], details[open]') || getSelection()?.type === 'Range';
const live = document.body.dataset.live;
let stream;
const listen = () => {
  if (!live || $('[data-run]') || stream) return;
  stream = new EventSource(live);
  stream.addEventListener('changed', () => {
    clearTimeout(listen.timer);
    listen.timer = setTimeout(() => anew(() => !busy() && !$('textarea[data-editor]')), 400);
  });
};
const hush = () => { stream?.close(); stream = undefined; };
document.addEventListener('visibilitychange', () => (document.hidden ? hush() : listen()));
addEventListener('pagehide', hush);
listen();
