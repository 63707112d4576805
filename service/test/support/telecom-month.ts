// A month of three operators, received as in operation: their generated files come day by day through the drop and are
// analysed. The country's rules leave no tax at zero.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CountryTax, TaxRule } from '../../src/core/tax/rule.ts';
import { taxFolder } from '../../src/platform/data-files.ts';
import { type Account, makeTestApp, type TestApp } from './app.ts';
import { analysed } from './cdr-analysis.ts';
import { dataDirOf, drop } from './cdr-files.ts';
import { operators } from './cdr-world/people.ts';
import { World } from './cdr-world/world.ts';
import { contentOf } from './guarantees.ts';

export interface TelecomMonth {
  readonly t: TestApp;
  readonly psp: Account;
  /** Operators by the name part that their files have. */
  readonly operators: ReadonlyMap<string, Account>;
  readonly world: World;
  /** The uploaded files in order, with the SHA-256 of their bytes. */
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
}

/** Nigeria with an excise of 5 per cent, VAT on cost and excise, and an amount per minute on calls from abroad. */
function rules(): CountryTax {
  const country = JSON.parse(readFileSync(join(taxFolder, 'NG.json'), 'utf8')) as CountryTax & { rules: TaxRule[] };
  const excise = country.rules.find((r) => r.ruleId === 'NG-EXCISE-TELECOM-2024') as TaxRule;
  const { rate: _rate, reason: _reason, ...rest } = excise;
  Object.assign(excise, { rate: '5', reason: null });
  country.rules.push({
    ...rest,
    ruleId: 'NG-SURTAX-INBOUND-2024',
    taxCode: 'SURTAX',
    category: 'telecom_incoming',
    base: 'MINUTES',
    unitAmount: '0.07',
    currency: 'USD',
    compoundsOn: [],
    bearer: 'OPERATOR',
  });
  return country;
}

export async function takeInMonth(options: { seed: number; perDay: number }): Promise<TelecomMonth> {
  const t = await makeTestApp({ startAt: '2026-10-01T00:00:00Z' });
  const psp = await t.makePsp('Regulator', 'NG');
  const { apiKey } = await t.makeOperator();
  contentOf(await t.post('/v1/admin/tax', { reason: 'rules of the test', country: rules() }, apiKey));
  const accounts = new Map<string, Account>();
  for (const o of operators) accounts.set(o.token, await t.makeClient(psp, { registeredName: o.network }));
  const world = new World({ seed: options.seed, month: '2026-10', perDay: options.perDay });
  const files: { name: string; sha256: string }[] = [];
  let days = 0;
  for (const day of world.days()) {
    t.advance(Math.max(0, day.sentMs - t.now()));
    for (const f of day.files) {
      drop(dataDirOf(t), accounts.get(f.operator.token) as Account, f.name, f.text);
      files.push({ name: f.name, sha256: createHash('sha256').update(f.text).digest('hex') });
    }
    // Picks up the files of several days at a time, while those of each day are still in time.
    if (++days % 5 === 0) await t.app.services.cdrIntake.pickUp();
  }
  await t.app.services.cdrIntake.pickUp();
  // Advances to a day of the next month, on which operators declare.
  t.advance(Math.max(0, Date.parse('2026-11-05T09:00:00Z') - t.now()));
  await analysed(t, psp);
  return { t, psp, operators: accounts, world, files };
}
