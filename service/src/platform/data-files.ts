// Reads the reference and tax data files. A fault in one names its file and row, and nothing is loaded.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FeeRule } from '../core/fee.ts';
import { Reference } from '../core/reference.ts';
import { RuleBook } from '../core/tax/book.ts';
import { type CountryTax, countryProblems } from '../core/tax/rule.ts';

const folder = join(import.meta.dirname, '..', '..', 'data');
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

export function loadReference(): Reference {
  const countries = read('countries.json');
  const assets = read('assets.json');
  return new Reference({
    currencies: read('currencies.json').currencies,
    assets: Array.isArray(assets) ? assets : assets.assets,
    countries: countries.countries,
    aliases: countries.aliases,
    mccs: read('mcc.json').codes,
  });
}

/** All country files. @throws an Error naming every problem with its file and row */
export function loadRuleBook(taxFolder = join(folder, 'tax')): RuleBook {
  const hash = createHash('sha256');
  const problems: string[] = [];
  const countries: CountryTax[] = [];
  const ids = new Map<string, string>();
  for (const file of readdirSync(taxFolder)
    .filter((f) => f.endsWith('.json'))
    .sort()) {
    const text = readFileSync(join(taxFolder, file), 'utf8');
    hash.update(file).update('\0').update(text).update('\0');
    const country = JSON.parse(text) as CountryTax;
    for (const p of countryProblems(country)) problems.push(`${file}: ${p}`);
    if (file !== `${country.jurisdiction}.json`) problems.push(`${file}: is for jurisdiction ${country.jurisdiction}`);
    for (const r of country.rules) {
      const before = ids.get(r.ruleId);
      if (before) problems.push(`${file}: ruleId ${r.ruleId} stands in ${before} too`);
      ids.set(r.ruleId, file);
    }
    countries.push(country);
  }
  if (problems.length > 0) throw new Error(`tax rules refused:\n${problems.join('\n')}`);
  return new RuleBook(hash.digest('hex').slice(0, 16), countries);
}

export const loadFeeRules = (): FeeRule[] => read('fees.json').rules;
