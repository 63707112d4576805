// The documentation in the browser: search, the reader's language of examples, and copying of code. Pages can be read
// without it.
import MiniSearch from './minisearch.js';

const box = document.getElementById('search');
const found = document.getElementById('found');
let index;

const load = () => {
  index ??= fetch('/docs/search.json')
    .then((r) => r.json())
    .then((entries) => {
      const search = new MiniSearch({
        fields: ['title', 'page', 'text'],
        storeFields: ['title', 'page', 'to', 'weight'],
        // Names such as verifyTransaction are found by their parts too.
        tokenize: (text) => [
          ...text.split(/[^\p{L}\p{N}_]+/u),
          ...text.replace(/([a-z])([A-Z])/g, '$1 $2').split(/[^\p{L}\p{N}]+/u),
        ],
        searchOptions: {
          boost: { title: 4, page: 2 },
          boostDocument: (_id, _term, { weight }) => weight,
          prefix: true,
          fuzzy: (term) => (term.length > 4 ? 0.2 : 0),
          combineWith: 'AND',
        },
      });
      search.addAll(entries);
      return search;
    });
  return index;
};

const links = () => [...found.querySelectorAll('a')];

async function show() {
  const text = box.value.trim();
  if (text === '') {
    found.hidden = true;
    return;
  }
  const search = await load();
  if (text !== box.value.trim()) return;
  const results = search.search(text).slice(0, 12);
  found.replaceChildren(
    ...results.map(({ title, page, to }) => {
      const link = document.createElement('a');
      link.href = to;
      const where = document.createElement('small');
      where.textContent = page;
      link.append(title, where);
      return link;
    }),
  );
  if (results.length === 0) found.textContent = 'Nothing found. Try fewer or other words.';
  found.hidden = false;
}

box.addEventListener('focus', () => void load());
box.addEventListener('input', () => void show());
box.form?.addEventListener('submit', (e) => e.preventDefault());
addEventListener('keydown', (e) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if ((e.key === '/' && !typing) || (e.key === 'k' && (e.ctrlKey || e.metaKey))) {
    e.preventDefault();
    box.focus();
    box.select();
  }
  const inside = document.activeElement === box || found.contains(document.activeElement);
  if (!inside || found.hidden) return;
  const all = links();
  const at = all.indexOf(document.activeElement);
  if (e.key === 'Escape') {
    found.hidden = true;
    box.focus();
  } else if (e.key === 'ArrowDown') {
    e.preventDefault();
    all[Math.min(at + 1, all.length - 1)]?.focus();
  } else if (e.key === 'ArrowUp') {
    e.preventDefault();
    (at <= 0 ? box : all[at - 1]).focus();
  } else if (e.key === 'Enter' && document.activeElement === box) {
    e.preventDefault();
    all[0]?.click();
  }
});
found.addEventListener('click', () => {
  found.hidden = true;
});

// The language that was chosen last is chosen in every example.
const languageKey = 'assay-docs-language';
const choose = (language) => {
  for (const radio of document.querySelectorAll(`.calls input[value="${language}"]`)) radio.checked = true;
};
const kept = localStorage.getItem(languageKey);
if (kept && /^[a-z]{2,10}$/.test(kept)) choose(kept);
document.addEventListener('change', (e) => {
  if (!e.target.matches('.calls input')) return;
  localStorage.setItem(languageKey, e.target.value);
  choose(e.target.value);
});

for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.nextElementSibling.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
}

// On wide screens the contents are always open.
const menu = document.querySelector('#contents > details');
const wide = matchMedia('(min-width: 60rem)');
const open = () => {
  menu.open = wide.matches;
};
wide.addEventListener('change', open);
open();
