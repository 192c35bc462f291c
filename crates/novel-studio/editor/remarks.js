// Checks in the gutter. Each remark is an item of the list the server made; a mark in the gutter and an
// underline show its place, the item stands beside its line where the page is wide, and F8 goes from one
// to the next and reads it out.
import { RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutter, showTooltip } from '@codemirror/view';

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const beside = matchMedia('(min-width: 70.01rem)');

class Mark extends GutterMarker {
  constructor(kind, text) { super(); this.kind = kind; this.text = text; }
  eq(other) { return other.kind === this.kind && other.text === this.text; }
  toDOM() {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    use.setAttribute('href', `#m-${this.kind}`);
    svg.setAttribute('class', `mark m-${this.kind}`);
    svg.append(use);
    const mark = document.createElement('span');
    mark.className = `badge ${this.kind}`;
    mark.title = this.text;
    mark.append(svg);
    return mark;
  }
}

// Where each remark is: `from` and `to` in the text, or nothing where its words are gone.
const setRemarks = StateEffect.define();
const field = StateField.define({
  create: () => [],
  update(remarks, change) {
    for (const effect of change.effects) if (effect.is(setRemarks)) return effect.value;
    if (!change.docChanged) return remarks;
    const moved = ({ from, to }) => ({ from: change.changes.mapPos(from, 1), to: change.changes.mapPos(to, -1) });
    return remarks.map((remark) => (remark.range ? { ...remark, range: moved(remark.range) } : remark));
  },
  provide: (own) => [
    EditorView.decorations.compute([own], (state) => Decoration.set(
      state.field(own).filter(({ range }) => range && range.to > range.from)
        .map(({ range, kind }) => Decoration.mark({ class: `cm-remark ${kind}` }).range(range.from, range.to)), true)),
    showTooltip.computeN([own, 'selection'], (state) => (beside.matches ? [] : [tip(state, state.field(own))])),
  ],
});

const textOf = (item) => [...item.querySelectorAll('.badge, [data-text]')].map((part) => part.textContent.trim()).join(': ');

const touched = (state, remarks) => {
  const { from, to } = state.selection.main;
  return remarks.find(({ range }) => range && from <= range.to && to >= range.from);
};
const tip = (state, remarks) => {
  const remark = touched(state, remarks);
  if (!remark) return null;
  const create = () => {
    const dom = document.createElement('div');
    dom.className = `cm-tip ${remark.kind}`;
    dom.textContent = textOf(remark.item);
    return { dom };
  };
  return { pos: remark.range.from, above: true, create };
};

const marks = (view) => {
  const { doc } = view.state;
  const firsts = new Map();
  for (const { range, kind, item } of view.state.field(field)) {
    if (!range) continue;
    const at = doc.lineAt(range.from).from;
    const known = firsts.get(at);
    firsts.set(at, { kind: known?.kind === 'wait' ? 'wait' : kind, text: [known?.text, textOf(item)].filter(Boolean).join('\n') });
  }
  return RangeSet.of([...firsts].map(([at, { kind, text }]) => new Mark(kind, text).range(at)), true);
};

const select = (view, remark) => {
  const { from, to } = remark.range;
  view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  view.focus();
};

// Goes to the next remark or the one before, and says it.
export const goToRemark = (step, words) => (view) => {
  const { from } = view.state.selection.main;
  const placed = view.state.field(field).filter(({ range }) => range).toSorted((one, other) => one.range.from - other.range.from);
  const next = step > 0
    ? placed.find(({ range }) => range.from > from) ?? placed[0]
    : placed.findLast(({ range }) => range.from < from) ?? placed.at(-1);
  if (!next) { view.dispatch({ effects: EditorView.announce.of(words.clean) }); return true; }
  select(view, next);
  const line = view.state.doc.lineAt(next.range.from).number;
  view.dispatch({ effects: EditorView.announce.of(`${words.line.replace('$', line)} ${textOf(next.item)}`) });
  return true;
};

export const remarkExtension = () => [
  field,
  gutter({
    class: 'cm-checks',
    markers: marks,
    domEventHandlers: {
      mousedown(view, block) {
        const remark = view.state.field(field).find(({ range }) => range && range.from >= block.from && range.from <= block.to);
        if (remark) select(view, remark);
        return Boolean(remark);
      },
    },
  }),
  EditorView.updateListener.of((update) => {
    if (!update.selectionSet && !update.docChanged) return;
    const now = touched(update.state, update.state.field(field));
    for (const { item } of update.state.field(field)) item.classList.toggle('at', item === now?.item);
  }),
];

const found = (text, quote, old) => {
  const is = (at) => at >= 0 && text.startsWith(quote, at);
  const from = is(old ?? -1) ? old : text.indexOf(quote);
  return from < 0 ? undefined : { from, to: from + quote.length };
};

// Takes the remarks from the list on the page.
export const createRemarks = (view) => {
  const text = view.state.doc.toString();
  const remarks = $$('.gutter [data-quote]').map((item) => ({ item, kind: item.dataset.kind, quote: item.dataset.quote, range: found(text, item.dataset.quote) }));
  view.dispatch({ effects: setRemarks.of(remarks) });
  for (const remark of remarks) {
    const jump = $('[data-jump]', remark.item);
    // Set, not added: the list may outlive an editor.
    if (jump) jump.onclick = () => {
      const now = view.state.field(field).find(({ item }) => item === remark.item);
      if (now?.range) select(view, now);
    };
  }
  layOut(view);
};

// After a change: a remark whose words were changed is looked for again, the list follows.
export const readRemarks = (view) => {
  const remarks = view.state.field(field);
  const text = view.state.doc.toString();
  const now = remarks.map((remark) => ({ ...remark, range: found(text, remark.quote, remark.range?.from) }));
  const is = (one, other) => one?.from === other?.from && one?.to === other?.to;
  if (now.some((remark, index) => !is(remark.range, remarks[index].range))) view.dispatch({ effects: setRemarks.of(now) });
  layOut(view);
};

// The list as it is without the editor.
export const dropRemarks = () => {
  $('.gutter').classList.remove('placed');
  for (const item of $$('.gutter [data-quote]')) {
    item.style.top = '';
    item.classList.remove('at');
    for (const jump of $$('[data-jump]', item)) jump.hidden = true;
  }
};

const layOut = (view) => view.requestMeasure({
  key: layOut,
  read() {
    const margin = $('.gutter').getBoundingClientRect().top;
    return view.state.field(field).map(({ item, range }) => {
      if (!range) return { item };
      const line = view.state.doc.lineAt(range.from);
      const top = view.coordsAtPos(range.from)?.top ?? view.documentTop + view.lineBlockAt(range.from).top;
      return { item, line: line.number, top: top - margin };
    });
  },
  write(places) {
    const list = $('.gutter');
    list.classList.toggle('placed', beside.matches);
    let below = places.length ? Math.min(...places.map(({ top }) => top ?? Infinity)) : 0;
    for (const { item, line, top } of places.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))) {
      $('.gone', item).hidden = line !== undefined;
      for (const jump of $$('[data-jump]', item)) jump.hidden = line === undefined;
      for (const said of $$('[data-line]', item)) {
        said.hidden = line === undefined;
        if (line !== undefined) said.textContent = said.textContent.replace(/\d+/, line);
      }
      item.style.top = '';
      if (!beside.matches) continue;
      below = Math.max(top ?? 0, Number.isFinite(below) ? below : 0);
      item.style.top = `${below}px`;
      below += item.offsetHeight + 8;
    }
  },
});
