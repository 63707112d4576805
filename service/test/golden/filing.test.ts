// Returns worked out by hand from the instructions of the forms, filled in again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fill } from '../../src/core/filing/fill.ts';
import { versionOn } from '../../src/core/filing/forms.ts';
import { readFilingPeriod } from '../../src/core/filing/period.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { plain } from '../../src/core/sums.ts';
import { loadFilingForms, loadRuleBook } from '../../src/platform/data-files.ts';

interface Golden {
  readonly form: string;
  readonly period: string;
  readonly lines: readonly { rule: string; operation?: string; currency: string; taxable: string; tax: string }[];
  readonly boxes: Readonly<Record<string, string>>;
  /** How the boxes follow from the form's instructions. */
  readonly working: string;
}

const folder = join(import.meta.dirname, 'filing');
const book = loadRuleBook();
const forms = loadFilingForms();

for (const file of readdirSync(folder).filter((f) => f.endsWith('.json')))
  describe(file, () => {
    const returns: readonly Golden[] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const [i, g] of returns.entries())
      it(`${g.form}, ${g.period} (${i + 1}): ${g.working.slice(0, 80)}`, () => {
        const versions = forms.versions(g.form);
        const country = versions[0]?.country ?? '';
        const zone = book.country(country)?.timeZone ?? 'UTC';
        const period = readFilingPeriod(versions[0]!.form, g.period, zone, 0);
        if (period instanceof Refusal) throw period;
        const form = versionOn(versions, period.first)!.form;
        expect(g.lines.map((l) => l.currency).filter((c) => c !== form.currency)).toEqual([]);
        for (const l of g.lines) expect(book.rule(l.rule)?.country.jurisdiction, l.rule).toBe(country);
        const { boxes } = fill(form, g.lines, (id) => book.rule(id)?.rule);
        const filled = boxes.filter((b) => b.figure !== null && b.figure !== '0').map((b) => [b.box.box, b.figure]);
        const worked = Object.entries(g.boxes).filter(([, v]) => v !== '' && plain(v) !== '0');
        expect(Object.fromEntries(filled)).toEqual(Object.fromEntries(worked.map(([box, v]) => [box, plain(v)])));
        for (const box of Object.keys(g.boxes)) expect(form.boxes.map((b) => b.box)).toContain(box);
      });
  });
