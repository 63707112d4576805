// Every row of the shipped tax rules is asked what it answers, at its edges and next to them: the service answers as a second
// reading of the file does, and as the record in rows.txt says.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { gamingPart, gamingTaxation } from '../../src/core/tax/gaming-place.ts';
import { loadRuleBook } from '../../src/platform/data-files.ts';
import { dayAfter } from '../support/row-questions.ts';
import { type AnsweredRows, answeredRows, changesBetween, countriesRead, recordFile } from '../support/row-record.ts';
import { taxedBy, taxedPart } from '../support/second-reading.ts';

const book = loadRuleBook();
let answered: AnsweredRows;
beforeAll(() => {
  answered = answeredRows(undefined, book);
});

describe('every row of the tax rules', () => {
  it('answers as a second reading of its file does', () => {
    expect(answered.differing.slice(0, 20)).toEqual([]);
    expect(answered.questions).toBeGreaterThan(10 * answered.rows);
    expect(answered.rows).toBeGreaterThan(3_800);
  });

  it('answers some question, unless it is only published or ended before the data begins', () => {
    expect(answered.silent).toEqual([]);
  });

  it("answers as rows.txt has it: after a change of the data, run 'npm run golden' and read what it prints", () => {
    const recorded = readFileSync(recordFile, 'utf8').split('\n').slice(0, -1);
    expect(changesBetween(recorded, answered.lines)).toEqual([]);
    expect(recorded).toEqual(answered.lines);
  });
});

describe('what a country says of the place of gaming', () => {
  const countries = countriesRead();
  const fileOf = (code: string) => book.country(code);
  const followed = (law: string) =>
    countries.find((c) => c.gaming?.some((g) => g.follows === law && g.validTo === null));
  const others = [followed('PLAYER'), followed('OPERATOR'), followed('EITHER'), countries.find((c) => !c.gaming)];
  const laws = countries.flatMap((country) => (country.gaming ?? []).map((law) => ({ country, law })));

  it('decides who taxes a wager across a border, as a second reading has it', () => {
    expect(laws.length).toBeGreaterThan(50);
    for (const { country, law } of laws) {
      const days = [dayAfter(law.validFrom, -1), law.validFrom, ...(law.validTo === null ? [] : [law.validTo])];
      for (const date of days)
        for (const other of [...others, country].filter((c) => c !== undefined))
          for (const [operator, player] of [
            [country, other],
            [other, country],
          ] as const) {
            const parties = { operator: operator.jurisdiction, player: player.jurisdiction };
            expect(gamingTaxation(parties, fileOf, date), `${JSON.stringify(parties)} on ${date}`).toEqual(
              taxedBy(operator, player, date),
            );
          }
    }
  });

  it('decides whose part of it does', () => {
    for (const { country, law } of laws)
      for (const player of ['XX-1', undefined])
        for (const operator of ['XX-2', undefined]) {
          const parts = { player, operator };
          expect(gamingPart(parts, fileOf(country.jurisdiction), law.validFrom), country.jurisdiction).toBe(
            taxedPart(country, parts, law.validFrom),
          );
        }
  });
});
