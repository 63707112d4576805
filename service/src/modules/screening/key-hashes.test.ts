// The keyed hashes of what is listed are worked out before decisions ask for them, and say what the lists say then.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PspId } from '../../core/ids.ts';
import type { ListedKind } from '../../core/risk/lists.ts';
import { Vault } from '../../platform/sealed-secrets.ts';
import { SubjectKeys } from '../kernel/subjects.ts';
import { KeyHashes } from './key-hashes.ts';

const vault = new Vault(new Map([0, 1].map((v) => [v, Buffer.alloc(32, v + 1)])));
const subjects = new SubjectKeys(vault, () => 0);
const psps = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'] as PspId[];
const hashOf = (psp: PspId, value: string) => subjects.identify(psp, value).subject;

/** Lists in memory, and how often they were asked. */
function listed(entries: Readonly<Record<string, readonly string[]>>) {
  const lists = new Map(Object.entries(entries));
  const asked = { times: 0 };
  const hashes = new KeyHashes(subjects, {
    keys: () => lists.keys(),
    namesOf(_, kind, value) {
      asked.times++;
      return lists.get(`${kind}|${value}`) ?? [];
    },
  });
  return { lists, asked, hashes };
}

describe('keyed hashes of what is listed', () => {
  it('are there when a PSP first asks, without asking the lists again', async () => {
    const { asked, hashes } = listed({ 'wallet|0xab': ['OWN_WALLETS'], 'mcc|7995': ['OWN_MCCS'] });
    await hashes.ahead(psps);
    const before = asked.times;
    for (const psp of psps) {
      expect(hashes.find(psp, 'wallet', hashOf(psp, '0xab'))).toEqual(['OWN_WALLETS']);
      expect(hashes.find(psp, 'wallet', hashOf(psp, '0xcd'))).toEqual([]);
    }
    expect(asked.times).toBe(before);
  });

  it('follow a change key by key, for every PSP that asked', async () => {
    const { lists, asked, hashes } = listed({
      'wallet|0xab': ['A'],
      'wallet|0xcd': ['A'],
      'person|x@example.com': ['A'],
    });
    await hashes.ahead(psps);
    const before = asked.times;
    lists.delete('wallet|0xab');
    lists.set('wallet|0xcd', ['A', 'B']);
    lists.set('msisdn|2348030000009', ['C']);
    await hashes.takeOver(['wallet|0xab', 'wallet|0xcd', 'msisdn|2348030000009']);
    expect(asked.times - before).toBe(3 * psps.length);
    for (const psp of psps) {
      expect(hashes.find(psp, 'wallet', hashOf(psp, '0xab'))).toEqual([]);
      expect(hashes.find(psp, 'wallet', hashOf(psp, '0xcd'))).toEqual(['A', 'B']);
      expect(hashes.find(psp, 'msisdn', hashOf(psp, '+2348030000009'))).toEqual(['C']);
      expect(hashes.find(psp, 'person', hashOf(psp, 'x@example.com'))).toEqual(['A']);
    }
  });

  it('say what lists say after any changes, also to a PSP that asks for the first time', async () => {
    const key = fc.constantFrom('wallet|0xab', 'wallet|0xcd', 'person|x@example.com', 'person|y@example.com');
    const change = fc.tuple(key, fc.subarray(['A', 'B']));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
        const { lists, hashes } = listed({});
        await hashes.ahead(psps.slice(0, 1));
        for (const changes of rounds) {
          for (const [of, names] of changes)
            if (names.length > 0) lists.set(of, names);
            else lists.delete(of);
          await hashes.takeOver(changes.map(([of]) => of));
        }
        for (const psp of psps)
          for (const key of ['wallet|0xab', 'wallet|0xcd', 'person|x@example.com', 'person|y@example.com']) {
            const [kind, value] = key.split('|') as [ListedKind, string];
            expect(hashes.find(psp, kind, hashOf(psp, value))).toEqual(lists.get(key) ?? []);
          }
      }),
    );
  });
});
