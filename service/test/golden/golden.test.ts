// Questions with answers worked out by hand from the law, kept with their working: the rule book answers each alike.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decimal, formatUnits, unitsAt } from '../../src/core/money.ts';
import type { Country } from '../../src/core/reference.ts';
import type { Customer, TaxedOperation } from '../../src/core/tax/rule.ts';
import { gamingTaxes, splitMovement, splitSale, type TaxLine } from '../../src/core/tax/split.ts';
import type { Supply } from '../../src/core/tax/supplies.ts';
import { type TelecomKind, telecomTaxes } from '../../src/core/tax/telecom.ts';
import { planFor } from '../../src/core/transaction.ts';
import { loadReference, loadRuleBook } from '../../src/platform/data-files.ts';

interface Question {
  readonly country: string;
  readonly operation: TaxedOperation;
  readonly date: string;
  /** Of a sale, deposit or withdrawal; of a call, its cost before tax. */
  readonly amount?: string;
  /** The PSP's fee. */
  readonly fee?: string;
  readonly mcc?: string;
  readonly supply?: Supply;
  readonly customer?: Customer;
  readonly subdivision?: string;
  readonly classification?: string;
  readonly currency?: string;
  readonly stake?: string;
  readonly payout?: string;
  readonly productLine?: string;
  readonly kind?: TelecomKind;
  readonly minutes?: string;
  /** Of a call from abroad: its country of origin. */
  readonly origin?: string;
  /** Tax by tax code; codes without tax are left out. */
  readonly taxes: Readonly<Record<string, string>>;
  /** Of a call: what its operator owes beside it by a return, by tax code. */
  readonly byReturn?: Readonly<Record<string, string>>;
  readonly law: string;
  readonly working: string;
}

const book = loadRuleBook();
const reference = loadReference();
const files = readdirSync(import.meta.dirname).filter((f) => f.endsWith('.json'));

type Answer = Required<Pick<Question, 'taxes' | 'byReturn'>>;

function answer(q: Question): Answer {
  const file = book.country(q.country);
  const asset = reference.asset(q.currency ?? file?.currency ?? '', q.date, q.operation.startsWith('crypto'));
  if (asset instanceof Error) throw asset;
  const units = (text: string | undefined) => unitsAt(decimal(text ?? '0'), asset.decimals) ?? 0n;
  const text = (u: bigint) => formatUnits(u, asset.decimals);
  const sums = new Map<string, bigint>();
  const byReturn = new Map<string, bigint>();
  const add = (lines: readonly Pick<TaxLine, 'ruleId' | 'tax'>[], to = sums) => {
    for (const l of lines) {
      const code = book.rule(l.ruleId)?.rule.taxCode ?? l.ruleId;
      if (l.tax !== 0n) to.set(code, (to.get(code) ?? 0n) + l.tax);
    }
  };
  const question = {
    kind: q.operation as 'verifyTransaction',
    country: reference.country(q.country) as Country,
    classification: q.classification ?? '',
    mcc: q.mcc,
    supply: q.supply,
    customer: q.customer,
    subdivision: q.subdivision,
    date: q.date,
  };
  const plan =
    q.productLine !== undefined || q.operation === 'recordCDR'
      ? book.plan({ ...question, jurisdiction: q.country, operation: q.operation, productLine: q.productLine })
      : planFor(question, book);
  if (!plan) throw new Error(`no rules for ${q.operation} in ${q.country}`);
  switch (q.operation) {
    case 'verifyTransaction': {
      const gross = units(q.amount);
      add(splitSale(plan, { gross, taxable: gross, moved: gross }, units(q.fee), 0n, asset).lines);
      break;
    }
    case 'captureWager':
      add(gamingTaxes(plan, { stake: units(q.stake) }, asset));
      break;
    case 'capturePayout': {
      const [payout, stake] = [units(q.payout), units(q.stake)];
      add(gamingTaxes(plan, { payout, winnings: payout > stake ? payout - stake : 0n }, asset));
      break;
    }
    case 'recordCDR': {
      const { lines } = telecomTaxes(
        plan,
        {
          kind: q.kind ?? 'voice',
          currency: asset.code,
          cost: units(q.amount),
          durationS: 60 * Number(q.minutes ?? '1'),
          ...(q.origin === undefined ? {} : { incoming: { origin: q.origin } }),
        },
        () => asset.decimals,
      );
      add(lines.filter((l) => l.owedBy === undefined));
      add(
        lines.filter((l) => l.owedBy !== undefined),
        byReturn,
      );
      break;
    }
    default:
      add(splitMovement(plan, units(q.amount), units(q.fee), 0n, asset).lines);
  }
  const told = (of: ReadonlyMap<string, bigint>) => Object.fromEntries([...of].map(([code, u]) => [code, text(u)]));
  return { taxes: told(sums), byReturn: told(byReturn) };
}

describe.each(files)('%s', (file) => {
  const { questions } = JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as { questions: Question[] };

  it('is answered as the law answers', () => {
    const wrong = questions.flatMap((q) => {
      const [is, due] = [answer(q), q].map((a) => [plain(a.taxes), plain(a.byReturn)]);
      const same = JSON.stringify(is) === JSON.stringify(due);
      const what = [q.country, q.operation, q.mcc ?? q.productLine ?? q.kind ?? q.supply, q.date].join(' ');
      return same ? [] : [`${what}: ${JSON.stringify(is)}, and not ${JSON.stringify(due)} (${q.law}: ${q.working})`];
    });
    expect(wrong).toEqual([]);
    for (const q of questions) expect(q.law.length * q.working.length, q.country).toBeGreaterThan(0);
  });
});

it('are at least 400', () => {
  const all = files.flatMap((f) => JSON.parse(readFileSync(join(import.meta.dirname, f), 'utf8')).questions);
  expect(all.length).toBeGreaterThanOrEqual(400);
});

/** In order of the codes, without zeros at the end. */
const plain = (taxes: Readonly<Record<string, string>> | undefined) =>
  Object.entries(taxes ?? {})
    .map(([code, tax]) => [code, tax.includes('.') ? tax.replace(/\.?0+$/, '') : tax] as const)
    .filter(([, tax]) => tax !== '0')
    .sort(([a], [b]) => (a < b ? -1 : 1));
