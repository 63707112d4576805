import { describe, expect, it } from 'vitest';
import { loadReference, loadRequirements } from '../../platform/data-files.ts';
import { Refusal } from '../refusal.ts';
import { classifications } from '../standing.ts';
import { dueOf, inWords, missingFor, missingInWords, type Shown } from './due.ts';
import type { Licence } from './licence.ts';
import { askedBy, type Requirement, requirementProblems } from './requirement.ts';

const book = loadRequirements();
const day = '2026-11-26';
const nothing: Shown = { organizationTin: null, ownerShares: null, ownerIds: null, licences: [], documents: [] };
const authoritiesOf = (country: string, classification: string, on = day) =>
  book
    .of({ country, classification }, on)
    .flatMap((r) => (r.need === 'LICENCE' ? [r.authorities.map((a) => a.code).join()] : []));

describe('the shipped requirements', () => {
  it('ask something of every classification in every country, of nobody the same thing twice', () => {
    for (const country of [...book.countries, 'JP', null])
      for (const classification of classifications) {
        const asked = book.of({ country, classification }, day).map(askedBy);
        expect(new Set(asked).size).toBe(asked.length);
        expect(asked).toEqual(
          expect.arrayContaining(['TAX_NUMBER', 'OWNERS', 'DOCUMENT:CERTIFICATE_OF_INCORPORATION']),
        );
      }
  });

  it('have rows of their own for at least 35 countries, all of which exist', () => {
    expect(book.countries.length).toBeGreaterThanOrEqual(35);
    const reference = loadReference();
    for (const c of book.countries) expect(reference.country(c)).not.toBeInstanceOf(Refusal);
  });

  it('name the authority of gaming and of crypto, and ask no licence of a shop', () => {
    expect(authoritiesOf('MT', 'IGAMING_GLOBAL')).toEqual(['MGA']);
    expect(authoritiesOf('GB', 'IGAMING_LOCAL')).toEqual(['UKGC']);
    expect(authoritiesOf('GB', 'CRYPTO_LOCAL')).toEqual(['FCA']);
    expect(authoritiesOf('DE', 'CRYPTO_GLOBAL')).toEqual(['BAFIN']);
    expect(authoritiesOf('JP', 'IGAMING_LOCAL')).toEqual(['']);
    expect(authoritiesOf('MT', 'ECOMM_LOCAL')).toEqual([]);
  });

  it('follow the law by its days: Nigeria until and from 22 November 2024, Kenya from 26 August 2025', () => {
    expect(authoritiesOf('NG', 'IGAMING_LOCAL', '2024-11-21')).toEqual(['NLRC,LSLGA']);
    expect(authoritiesOf('NG', 'IGAMING_LOCAL', '2024-11-22')).toEqual(['LSLGA,NLRC,STATE']);
    expect(authoritiesOf('KE', 'IGAMING_LOCAL', '2025-08-25')).toEqual(['BCLB']);
    expect(authoritiesOf('KE', 'IGAMING_LOCAL', '2025-08-26')).toEqual(['GRA,BCLB']);
  });

  it('begin when the authority does: Ireland on 5 February 2026, Curaçao on 24 December 2024, Rwanda in July 2024', () => {
    expect(authoritiesOf('IE', 'IGAMING_LOCAL', '2026-02-04')).toEqual(['']);
    expect(authoritiesOf('IE', 'IGAMING_LOCAL', '2026-02-05')).toEqual(['GRAI,REVENUE']);
    expect(authoritiesOf('CW', 'IGAMING_GLOBAL', '2024-12-24')).toEqual(['CGA,GCB']);
    expect(authoritiesOf('RW', 'IGAMING_LOCAL', '2024-06-30')).toEqual(['MINICOM']);
    expect(authoritiesOf('RW', 'IGAMING_LOCAL', '2024-07-01')).toEqual(['RDB']);
  });

  it('name the owners of 10 % in Kenya, and of 25 % where a country says nothing', () => {
    const ownersOf = (country: string) =>
      book
        .of({ country, classification: 'IGAMING_LOCAL' }, day)
        .flatMap((r) => (r.need === 'OWNERS' ? [r.ownersFromPercent] : []));
    expect([ownersOf('KE'), ownersOf('MT')]).toEqual([[10], [25]]);
  });

  it('call a law official only where it is the law', () => {
    const lawOf = (country: string | null, id: string) =>
      book.of({ country, classification: 'ECOMM_LOCAL' }, day).find((r) => r.requirementId === id);
    const incorporation = (country: string | null) => lawOf(country, 'ALL-INCORPORATION');
    expect(incorporation('IE')).toMatchObject({
      law: 'Directive (EU) 2015/849, Article 14(1)',
      confidence: 'official',
    });
    for (const country of ['NG', 'KE', 'JP', 'CH', null])
      expect(incorporation(country), String(country)).toMatchObject({
        law: 'as in Directive (EU) 2015/849, Article 14(1)',
        confidence: 'assumed',
      });
  });

  it('take the passport of another state where Poland had nobody to authorise', () => {
    expect(authoritiesOf('PL', 'CRYPTO_LOCAL')).toEqual(['KNF,EEA']);
  });
});

describe('what is due', () => {
  const rows = book.of({ country: 'MT', classification: 'IGAMING_GLOBAL' }, day);
  const stateOf = (shown: Partial<Shown>, what: string, today = day) =>
    dueOf(rows, { ...nothing, ...shown }, '2026-11-01', today).find((d) => askedBy(d.requirement) === what);
  const paper = { kind: 'PROOF_OF_ADDRESS', state: 'ACCEPTED', validUntil: '2026-12-31', owner: null } as const;

  it('is everything until it is shown, within days of registration', () => {
    const due = dueOf(rows, nothing, '2026-11-01', day);
    expect(new Set(due.map((d) => d.state))).toEqual(new Set(['DUE']));
    expect(stateOf({}, 'DOCUMENT:CERTIFICATE_OF_INCORPORATION')?.dueBy).toBe('2026-12-01');
    expect(missingFor(due, 'BASIC').map((d) => askedBy(d.requirement))).toEqual([
      'DOCUMENT:CERTIFICATE_OF_INCORPORATION',
      'TAX_NUMBER',
    ]);
    expect(missingFor(due, 'ENHANCED').length).toBe(due.length);
    expect(missingFor(due, 'UNVERIFIED')).toEqual([]);
  });

  it('waits while a document waits, is held while it is valid, and expired the day after', () => {
    const what = 'DOCUMENT:PROOF_OF_ADDRESS';
    expect(stateOf({ documents: [{ ...paper, state: 'SUBMITTED' }] }, what)?.state).toBe('SUBMITTED');
    expect(stateOf({ documents: [{ ...paper, state: 'REFUSED' }] }, what)?.state).toBe('DUE');
    expect(stateOf({ documents: [paper] }, what, '2026-12-31')).toMatchObject({
      state: 'HELD',
      dueBy: null,
      validUntil: '2026-12-31',
    });
    expect(stateOf({ documents: [paper] }, what, '2027-01-01')).toMatchObject({
      state: 'EXPIRED',
      dueBy: '2026-12-31',
    });
    const two = [paper, { ...paper, validUntil: null }];
    expect(stateOf({ documents: two }, what, '2030-01-01')).toMatchObject({ state: 'HELD', validUntil: null });
  });

  it('is the identity of each owner of whom the law asks who they are, until each has shown their own', () => {
    const passport = { ...paper, kind: 'OWNER_IDENTITY' } as const;
    const of = (documents: Shown['documents'], shown: Partial<Shown> = {}) =>
      stateOf(
        { ownerShares: ['40', '35', '24.9999', '0'], ownerIds: ['a', 'b', 'c', 'd'], documents, ...shown },
        'DOCUMENT:OWNER_IDENTITY',
        '2026-12-31',
      );
    expect(of([])).toMatchObject({ state: 'DUE', missingOwners: ['a', 'b'] });
    // One passport is not the other's, and one that names nobody is nobody's.
    const all = ['a', 'c', 'd', null].map((owner) => ({ ...passport, owner }));
    expect(of(all)).toMatchObject({ state: 'DUE', missingOwners: ['b'] });
    expect(of([...all, { ...passport, state: 'SUBMITTED', owner: 'b' }])).toMatchObject({
      ...{ state: 'SUBMITTED', missingOwners: ['b'] },
    });
    const later = { ...passport, owner: 'b', validUntil: '2027-05-01' };
    expect(of([...all, later])).toMatchObject({ state: 'HELD', validUntil: '2026-12-31', missingOwners: [] });
    expect(of([later, { ...passport, owner: 'a', validUntil: '2026-12-30' }])).toMatchObject({
      ...{ state: 'EXPIRED', dueBy: '2026-12-30', missingOwners: ['a'] },
    });
    // The same person twice shows one; where nobody holds as much, whoever manages the client does.
    expect(of([{ ...passport, owner: 'a' }], { ownerShares: ['40', '35'], ownerIds: ['a', 'a'] })?.state).toBe('HELD');
    expect(of([passport], { ownerShares: ['10'], ownerIds: ['a'] })?.state).toBe('HELD');
    const due = of(all);
    expect(due && String(missingInWords(due))).toBe('a document: owner identity (owners without one: 1)');
  });

  it('takes a licence of the named authority for the activity only', () => {
    const licence: Licence = {
      id: 'l',
      activity: 'GAMING',
      authority: 'MGA',
      number: '1',
      country: 'MT',
      validUntil: '2027-01-31',
      state: 'ACCEPTED',
      addedAt: '',
      addedBy: '',
      decidedAt: null,
      decidedBy: null,
      decisionReason: null,
      warned: null,
    };
    expect(stateOf({ licences: [licence] }, 'LICENCE:GAMING')?.state).toBe('HELD');
    expect(stateOf({ licences: [{ ...licence, authority: 'UKGC' }] }, 'LICENCE:GAMING')?.state).toBe('DUE');
    expect(stateOf({ licences: [{ ...licence, activity: 'CRYPTO' }] }, 'LICENCE:GAMING')?.state).toBe('DUE');
  });

  it('is said in words a person understands', () => {
    expect(rows.map((r) => String(inWords(r)))).toEqual(
      expect.arrayContaining([
        'a document: proof of address',
        'the owners of 25 % or more',
        'the tax number',
        'a licence for gaming of Malta Gaming Authority',
      ]),
    );
  });
});

describe('a file of requirements', () => {
  const good = book
    .of({ country: 'MT', classification: 'IGAMING_GLOBAL' }, day)
    .find((r) => r.need === 'LICENCE') as Requirement;
  const faults = (over: object) =>
    requirementProblems({
      country: 'MT',
      sources: { 'gvzh-2024': { title: '', publisher: '', url: '', retrievedOn: '' } },
      requirements: [{ ...good, ...over } as Requirement],
    });

  it.each([
    [{}, []],
    [{ requirementId: 'mt licence' }, [/upper case/]],
    [{ level: 'UNVERIFIED' }, [/no level/]],
    [{ classifications: ['CASINO'] }, [/no classification/]],
    [{ withinDays: 1.5 }, [/whole number/]],
    [{ validTo: '2018-01-01' }, [/the second later/]],
    [{ source: 'nowhere' }, [/none of the sources/]],
    [{ source: null }, [/assumed if/]],
    [{ authorities: [] }, [/no authority/]],
    [{ activity: 'POKER' }, [/no activity/]],
    [{ need: 'OWNERS', ownersFromPercent: 0 }, [/above 0/]],
    [{ need: 'DOCUMENT', document: 'PASSPORT' }, [/no kind of document/]],
  ])('with %o is refused for %s', (over, says) => {
    const problems = faults(over);
    expect(problems).toHaveLength(says.length);
    for (const [i, pattern] of says.entries()) expect(problems[i]).toMatch(pattern);
  });
});
