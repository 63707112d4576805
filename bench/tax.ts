// Benchmark of tax per transaction: choosing the rules and splitting the amount, over every shipped country and every
// operation. Run by hand (`node bench/tax.ts`); prints microseconds of processor time.
import { classifications } from '../service/src/core/standing.ts';
import { accrualsOf } from '../service/src/core/tax/accruals.ts';
import { RuleBook, type TaxPlan, type TaxQuestion } from '../service/src/core/tax/book.ts';
import { taxedOperations } from '../service/src/core/tax/rule.ts';
import { gamingTaxes, splitMovement, splitSale } from '../service/src/core/tax/split.ts';
import { telecomTaxes } from '../service/src/core/tax/telecom.ts';
import { loadRuleBook } from '../service/src/platform/data-files.ts';

const size = 100_000;
const rounds = 7;
const shipped = loadRuleBook();
const countries = [...shipped.countries()];

/** State of a random generator that gives the same numbers in every run. */
let state = 20_261_121;
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;

const mccs = [undefined, undefined, '5411', '5812', '7011', '7995', '8011'];
const lines = ['sports', 'casino', 'lottery'];

interface Sample {
  readonly question: TaxQuestion;
  readonly amount: bigint;
  readonly fee: bigint;
}

/** A random sample; half of them are sales, the rest of every kind. */
function sample(date: string): Sample {
  const operation = random(2) === 0 ? 'verifyTransaction' : pick(taxedOperations);
  const gaming = operation === 'captureWager' || operation === 'capturePayout';
  return {
    question: {
      jurisdiction: pick(countries).jurisdiction,
      operation,
      classification: pick(classifications),
      mcc: operation === 'verifyTransaction' ? pick(mccs) : undefined,
      productLine: gaming ? pick(lines) : undefined,
      date,
    },
    amount: BigInt(1_000 + random(100_000_000)),
    fee: BigInt(random(500)),
  };
}

const cents = () => 2;

function split(plan: TaxPlan, { question: q, amount, fee }: Sample): number {
  const asset = { code: plan.others[0]?.currency ?? '', decimals: 2 };
  switch (q.operation) {
    case 'verifyTransaction':
      return splitSale(plan, { gross: amount, taxable: amount, moved: amount }, fee, fee).lines.length;
    case 'captureWager':
      return (
        gamingTaxes(plan, { stake: amount }, asset).length +
        accrualsOf(plan, q.productLine as string, { stake: '250' }).length
      );
    case 'capturePayout':
      return (
        gamingTaxes(plan, { payout: amount, winnings: amount }, asset).length +
        accrualsOf(plan, q.productLine as string, { payout: '250', winnings: '150' }).length
      );
    case 'recordCDR':
      return telecomTaxes(plan, { kind: 'voice', currency: 'USD', cost: amount, durationS: 95 }, cents).lines.length;
    default:
      return splitMovement(plan, amount, fee, fee).lines.length;
  }
}

/** Microseconds of processor time per transaction: the median of the rounds after a warm-up round. */
function measure(samples: readonly Sample[], bookOf: () => RuleBook): string {
  const took: number[] = [];
  let taxes = 0;
  for (let round = 0; round <= rounds; round++) {
    const book = bookOf();
    const start = process.cpuUsage();
    for (const s of samples) {
      const plan = book.plan(s.question);
      if (plan) taxes += split(plan, s);
    }
    const { user, system } = process.cpuUsage(start);
    if (round > 0) took.push((user + system) / samples.length);
  }
  if (taxes === 0) throw new Error('no tax was reckoned');
  took.sort((a, b) => a - b);
  return `${(took[rounds >> 1] as number).toFixed(2)} µs (${took.at(0)?.toFixed(2)} to ${took.at(-1)?.toFixed(2)})`;
}

const today = Array.from({ length: size }, () => sample('2026-11-21'));
const day = (n: number) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10);
// Each sample has a random day: hardly any repeats, so rules are not found in the cache.
const scattered = Array.from({ length: size }, () => sample(day(random(1_000))));
const questions = new Set(today.map((s) => Object.values(s.question).join()));

const rules = countries.reduce((sum, c) => sum + c.rules.length, 0);
process.stdout.write(
  `${countries.length} countries, ${rules} rules, ${size} transactions, ${questions.size} different questions\n` +
    `a day's transactions:          ${measure(today, () => shipped)}\n` +
    `the same, the book just loaded: ${measure(today, () => new RuleBook('v', countries))}\n` +
    `every question a new one:      ${measure(scattered, () => new RuleBook('v', countries))}\n`,
);
