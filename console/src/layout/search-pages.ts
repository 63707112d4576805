// Pages that the search finds: by the beginning of their name, and those that answer a question, such as "clients on hold" or
// "VAT due for October", by words of it.

import { locale } from '../words/language.ts';
import { say } from '../words/words.ts';

interface Answer {
  /** Its page in the navigation: it is for people who have that page. */
  readonly of: string;
  readonly to: string;
  readonly title: string;
  /** Words by which people ask for it, besides those of its title. */
  readonly words: string;
}

const months = [...Array(12).keys()].map((m) =>
  new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, m, 1)),
);

const clientWords = say('merchants PSPs held frozen blocked restricted standing');
const keyWords = say('API keys which nobody uses not used since');
const changeWords = say('which rates change taxes VAT new come ending');
const returnWords = say('VAT GST sales tax due month declaration document form authority deadline');

const answers: readonly Answer[] = [
  { of: '/', to: '/', title: say('Needs attention'), words: say('what needs doing today waits work') },
  { of: '/webhooks', to: '/webhooks', title: say('Webhooks'), words: say('which failed failing deliveries') },
  { of: '/clients', to: '/clients?standing=ON_HOLD', title: say('Clients on hold'), words: clientWords },
  {
    of: '/clients',
    to: '/clients?standing=RESTRICTED',
    title: say('Clients on hold or suspended'),
    words: clientWords,
  },
  { of: '/returns', to: '/returns', title: say('Returns to file'), words: `${returnWords} ${months.join(' ')}` },
  { of: '/rates', to: '/rates?tab=changes', title: say('Taxes that change in 90 days'), words: changeWords },
  {
    of: '/rates',
    to: '/rates?tab=changes&span=365',
    title: say('Taxes that change within a year'),
    words: changeWords,
  },
  { of: '/keys', to: '/keys?of=all&unused=30', title: say('Keys unused for 30 days'), words: keyWords },
  { of: '/keys', to: '/keys?of=all&unused=90', title: say('Keys unused for 90 days'), words: keyWords },
  { of: '/keys', to: '/keys?of=all&unused=365', title: say('Keys unused for a year'), words: keyWords },
  { of: '/cases', to: '/cases?show=overdue', title: say('Overdue cases'), words: say('late due') },
  { of: '/cases', to: '/cases?show=mine', title: say('Your cases'), words: say('mine assigned') },
  {
    of: '/lists',
    to: '/lists?tab=matches',
    title: say('Matches of lists'),
    words: say('sanctions screening names wallets alerts'),
  },
  {
    of: '/approvals',
    to: '/approvals',
    title: say('Proposals that wait'),
    words: say('approve second person approvals'),
  },
  {
    of: '/settlement',
    to: '/settlement/disputes?state=OPEN',
    title: say('Open disputes'),
    words: say('chargebacks evidence'),
  },
];

/** Words that say nothing of what is asked for. */
const small = new Set(
  wordsOf(
    say(
      'a all an and any are as at by do does for from has have in is me my of on or our show that the their to was were what when who will with',
    ),
  ),
);

/** In small letters without accents; a letter alone, as of “d’octobre”, and a year are no words. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1 && !/^20\d\d$/.test(word));
}

export interface NamedPage {
  readonly to: string;
  readonly title: string;
}

/** @param shown the pages of the person's navigation */
export function pagesAsked(shown: readonly NamedPage[], typed: string): NamedPage[] {
  const begins = typed.toLowerCase();
  if (begins === '') return [];
  const named = shown.filter(
    (p) => p.title.toLowerCase().startsWith(begins) || p.title.toLowerCase().includes(` ${begins}`),
  );
  const asked = wordsOf(typed).filter((word) => !small.has(word));
  // One short word is the beginning of too many.
  if (asked.join('').length < 4) return named;
  const answering = answers.filter((a) => {
    const has = wordsOf(`${a.title} ${a.words}`);
    return shown.some((p) => p.to === a.of) && asked.every((word) => has.some((of) => of.startsWith(word)));
  });
  return [...named, ...answering.filter((a) => !named.some((p) => p.to === a.to))];
}
