// Values within JSON text are read by their definition in TypeScript or stored as typed columns; SQL does not extract
// them. Files that do are listed here with their reason.
import { describe, expect, it } from 'vitest';
import { readSources } from './sources.ts';

const cutting = [
  /\bsplit_part\s*\(/i,
  /->>/,
  /#>>/,
  /::\s*jsonb?\s*->/i,
  /\bsubstring\s*\([^()]*\bfrom\b/i,
  /\bjsonb?_(?:array_elements|each|extract_path|path_query|object_keys)\w*\s*\(/i,
  /\bjson_value\s*\(/i,
];
const cuts = (text: string): boolean => cutting.some((c) => c.test(text));

/** Why a file's SQL reads parts of a text. */
const others: Readonly<Record<string, string>> = {
  'modules/accounts/accounts.ts': 'holds of the accounts that a list looks at: few, and a list within a list',
  'modules/audit/vouched-rows.ts': 'the audit counts what all entries of portions tell, and is to trust no column',
  'modules/cesop/payments.ts': 'where customers are by what the caller said, of the sales of one quarter, for a report',
  'modules/keys/made.ts':
    'the actor of few kinds of entries, by an index of these alone; as a column, it would be stored with every entry',
  'modules/reviews/review-store.ts': 'alerts of matches that nobody has resolved, by an index of these alone',
  'modules/risk/event-store.ts':
    'entries of one PSP that the reader of rules has not read, and few are: which of them may name a key; each is then read whole',
  'modules/screening/match-store.ts': 'when exceptions end: few, by an index of excepted matches alone',
  'modules/settlement/netting-store.ts':
    'what the PSP does not hold, of sales that were charged back or are netted against: few, found by their key',
  'modules/subjects/subject-store.ts':
    'the generation in a sealed text is no JSON; the keyed hash of bank details is looked for in an erasure only; evidence is counted for a person',
  'modules/telecom/analysis/compare-with-journal.ts':
    'the audit works the taxes of calls out of their analyses, and is to trust no column',
  'modules/telecom/analysis/analysis-store.ts':
    'the records behind a figure of one rule; as columns, lists of rules would be stored twice with each of millions',
  'modules/transactions/standing-preview.ts':
    'what was in the way of a decline, where somebody thinks of a change of standing; most have nothing in the way',
  'modules/transactions/compare-sums.ts':
    'the audit works sums out of the entries that count in one, and is to trust no column',
  'modules/telecom/files/portion-of.ts': 'one entry among those of one file, for a receipt',
  'modules/transactions/reports/cash-transactions.ts':
    'cash of the transactions of one month, for a report; as a column, it would be stored with each of millions',
  'modules/verification/verification-store.ts':
    'the ten licences that end first, of clients whose next warning is due within a month, whatever their number; which documents that end within one were warned of',
};

describe('SQL', () => {
  it('cuts nothing out of text, but where a reason is given', () => {
    const found = readSources()
      .sources.filter((s) => !s.path.endsWith('.test.ts') && cuts(s.text))
      .map((s) => s.path);
    expect(found.sort()).toEqual(Object.keys(others).sort());
  });

  it.each([
    "SELECT split_part(body, ',', 2) FROM journal",
    "SELECT (body::jsonb->'data'->>'accepted')::integer",
    'WHERE substring(request from \'"toAddress":"([^"]+)"\') = ANY ($2)',
    'SELECT FROM jsonb_array_elements(taxes::jsonb) AS t',
    "SELECT body #>> '{data,id}'",
  ])('would be found to by %j', (text) => expect(cuts(text)).toBe(true));

  it.each([
    'SELECT * FROM json_to_recordset($1) AS x(id uuid)',
    'SELECT id FROM a WHERE substring(name, 1, 3) = $1',
    'const f = (a: number) => a >> 1',
  ])('would not by %j', (text) => expect(cuts(text)).toBe(false));
});
