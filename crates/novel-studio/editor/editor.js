// The editor of a chapter. The form's text field is the truth: the editor takes its text from there and
// writes every change back; without script the field is the editor. Prose only: no highlighting, no
// brackets. Nothing is marked, counted or saved while an input method composes.
import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { goToNextChunk, goToPreviousChunk, unifiedMergeView } from '@codemirror/merge';
import { closeSearchPanel, findNext, findPrevious, openSearchPanel, search } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { createRemarks, dropRemarks, goToRemark, readRemarks, remarkExtension } from './remarks.js';

// Composing through Chrome's EditContext has had defects; the old way has none known.
EditorView.EDIT_CONTEXT = false;

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const field = $('textarea[data-editor]');
const form = field.form;
const words = JSON.parse(field.dataset.words);
const original = $('[data-original]');
const toggle = $('[data-plain]');
const PLAIN = 'novel editor plain';

let view;
let composing = false;
// Whether the list of checks is another one than the editor shows.
let renewed = true;
let saved = field.value;
const isComposing = () => composing || (view?.compositionStarted ?? false);
const isDirty = () => field.value !== saved;

// The text as it is, into the form.
const write = () => { if (view) field.value = view.state.doc.toString(); };

const count = (text) => (text.match(/[\u3400-\u9fff]|[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [])
  .reduce((sum, word) => sum + (/[\u3400-\u9fff]/.test(word) && word.length > 1 ? word.length : 1), 0);

// What follows a change, once nothing is composed.
const settle = () => {
  if (isComposing()) return;
  write();
  const gauge = $('[data-count]');
  if (gauge) gauge.textContent = count(field.value).toLocaleString('en') + gauge.dataset.count;
  if (!view || original) return;
  if (renewed) createRemarks(view); else readRemarks(view);
  renewed = false;
};
let frame = 0;
const settleSoon = () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(settle); };

const control = (type, action) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn small';
  button.textContent = words[type === 'accept' ? 'mine' : 'theirs'];
  button.addEventListener('click', action);
  return button;
};

// The two texts of a conflict in one: what differs can be taken or kept, piece by piece.
const merge = () => [
  unifiedMergeView({ original: original.value, mergeControls: control, syntaxHighlightDeletions: false }),
  keymap.of([{ key: 'F8', run: goToNextChunk, shift: goToPreviousChunk }]),
];
const checks = () => [
  remarkExtension(),
  keymap.of([{ key: 'F8', run: goToRemark(1, words), shift: goToRemark(-1, words) }]),
];

const leave = (editor) => { if (!closeSearchPanel(editor)) editor.contentDOM.blur(); return true; };

const mount = () => {
  const at = field.selectionEnd === field.value.length ? 0 : field.selectionStart;
  view = new EditorView({
    parent: field.parentElement,
    state: EditorState.create({
      doc: field.value,
      selection: { anchor: at },
      extensions: [
        EditorView.cspNonce.of(field.dataset.nonce),
        EditorView.lineWrapping,
        EditorView.editorAttributes.of({ class: field.className }),
        EditorView.contentAttributes.of({ 'aria-label': words.label, lang: field.lang }),
        // Clear of the bars above and below; two texts scroll in a frame of their own.
        original ? [] : EditorView.scrollMargins.of(() => ({ top: 128, bottom: 96 })),
        EditorState.phrases.of(words),
        history(),
        search({ top: true }),
        original ? merge() : checks(),
        keymap.of([
          { key: 'Mod-f', run: openSearchPanel, scope: 'editor search-panel' },
          { key: 'F3', run: findNext, shift: findPrevious, scope: 'editor search-panel' },
          { key: 'Escape', run: leave, scope: 'editor search-panel' },
          ...historyKeymap,
          ...standardKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isComposing()) write();
          if (update.docChanged || update.geometryChanged) settleSoon();
        }),
      ],
    }),
  });
  field.hidden = true;
  renewed = true;
};

const unmount = () => {
  if (!view) return;
  write();
  const { anchor } = view.state.selection.main;
  view.destroy();
  view = undefined;
  field.hidden = false;
  field.setSelectionRange(anchor, anchor);
};

// The plain field is one key away, and stays chosen.
const choose = (plain) => {
  if (plain) unmount(); else mount();
  if (plain && !original) dropRemarks();
  toggle?.setAttribute('aria-pressed', String(plain));
  settle();
};
const flip = () => {
  const plain = view !== undefined;
  if (plain) localStorage.setItem(PLAIN, '1'); else localStorage.removeItem(PLAIN);
  choose(plain);
  (view ?? field).focus();
};

const say = (state, why = '') => {
  for (const one of $$('[data-said]')) one.hidden = one.dataset.said !== state;
  const place = $(`[data-said="${state}"] [data-why]`);
  if (place) place.textContent = why;
};

// The checks of the saved text, as the server draws them. A request for a document, not text that is
// parsed here: Trusted Types hold.
const renew = () => new Promise((done) => {
  const request = new XMLHttpRequest();
  request.responseType = 'document';
  request.onload = () => {
    const fresh = request.response && $('.gutter', request.response);
    if (request.status === 200 && fresh) $('.gutter').replaceChildren(...document.importNode(fresh, true).children);
    done();
  };
  request.onerror = done;
  request.open('GET', form.action);
  request.send();
});

// One save after the other: each begins with the hash the last one was told.
let last = Promise.resolve();
const save = () => { last = last.then(send, send); return last; };
const send = async () => {
  write();
  const text = field.value;
  let answer;
  try {
    answer = await fetch(`${form.action}?quiet=1`, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  } catch {
    say('refused', words.gone);
    return false;
  }
  // Another save came first: the page with both texts is the answer to the form.
  if (answer.status === 409) { saved = field.value; form.submit(); return false; }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) { say('refused', [told.message, told.hint].filter(Boolean).join(' ')); return false; }
  form.elements.base.value = told.hash;
  saved = text;
  say(told.edited ? 'saved' : 'same');
  await renew();
  renewed = true;
  settle();
  return true;
};

field.addEventListener('compositionstart', () => { composing = true; });
field.addEventListener('compositionend', () => { composing = false; settleSoon(); });
field.addEventListener('input', settleSoon);
document.addEventListener('compositionend', settleSoon);
toggle?.addEventListener('click', flip);
addEventListener('beforeunload', (event) => { if (isDirty()) event.preventDefault(); });
addEventListener('keydown', (event) => {
  if (event.isComposing || event.keyCode === 229) return;
  if ((event.ctrlKey || event.metaKey) && event.key === 's') {
    event.preventDefault();
    if (!isComposing()) form.requestSubmit();
  }
  if (event.key === 'F2' && toggle) { event.preventDefault(); flip(); }
  if (event.key === 'Escape' && event.target === field) field.blur();
});

// Before the forms are sent: the text goes into its field; it is saved without leaving the page, and
// what was not saved is saved before it is adopted.
document.addEventListener('submit', (event) => {
  if (isComposing()) { event.preventDefault(); event.stopPropagation(); return; }
  write();
  if (original) { saved = field.value; return; }
  if (event.target === form) { event.preventDefault(); event.stopPropagation(); save(); return; }
  if (event.target.id === 'adopt' && isDirty()) {
    event.preventDefault();
    event.stopPropagation();
    const adopt = async () => { if (isDirty() && await save()) await adopt(); else if (!isDirty()) event.target.requestSubmit(); };
    adopt();
  }
}, true);

choose(localStorage.getItem(PLAIN) !== null);
document.fonts?.ready.then(settleSoon);
