// TypeIDs against typeid-js, the reference implementation.
import fc from 'fast-check';
import { TypeID, typeid } from 'typeid-js';
import { describe, expect, it } from 'vitest';
import { accountFromWire, fromWire, type IdKind, idPrefixes, idsBeginning, timeOfId, toWire } from './ids.ts';

const kinds = Object.keys(idPrefixes) as IdKind[];
const kind = fc.constantFrom(...kinds);
const uuid = fc.uuid();

describe('TypeIDs', () => {
  it('are written as the TypeID specification writes them', () => {
    fc.assert(
      fc.property(kind, uuid, (k, u) => {
        expect(toWire(k, u)).toBe(TypeID.fromUUID(idPrefixes[k], u).toString());
      }),
      { numRuns: 1000 },
    );
    expect(toWire('transaction', '01890a5d-ac96-774b-bcce-b302099a8057')).toBe('txn_01h455vb4pex5vsknk084sn02q');
    expect(toWire('client', '00000000-0000-0000-0000-000000000000')).toBe(`cli_${'0'.repeat(26)}`);
    expect(toWire('client', 'ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe(`cli_7${'z'.repeat(25)}`);
  });

  it('read back to the uuid they were written from', () => {
    fc.assert(
      fc.property(kind, uuid, (k, u) => {
        expect(fromWire(k, toWire(k, u))).toBe(u);
      }),
      { numRuns: 1000 },
    );
  });

  it('read what typeid-js makes', () => {
    for (let i = 0; i < 200; i++) {
      const theirs = typeid('txn');
      expect(fromWire('transaction', theirs.toString())).toBe(theirs.toUUID());
    }
  });

  it('sort as their uuids sort', () => {
    fc.assert(
      fc.property(uuid, uuid, (a, b) => {
        expect(toWire('event', a) < toWire('event', b)).toBe(a < b);
      }),
    );
  });

  it('are not read under another kind', () => {
    const u = '01890a5d-ac96-774b-bcce-b302099a8057';
    for (const a of kinds) for (const b of kinds) if (a !== b) expect(fromWire(b, toWire(a, u))).toBeUndefined();
  });

  it('have prefixes that are all different and none the start of another', () => {
    const prefixes = Object.values(idPrefixes).map((p) => `${p}_`);
    expect(new Set(prefixes).size).toBe(prefixes.length);
    for (const p of prefixes) expect(p).toMatch(/^[a-z]{3}_$/);
  });

  it.each([
    ['nothing', ''],
    ['the prefix alone', 'txn_'],
    ['no prefix', '01h455vb4pex5vsknk084sn02q'],
    ['a letter too few', 'txn_01h455vb4pex5vsknk084sn02'],
    ['a letter too many', 'txn_01h455vb4pex5vsknk084sn02qq'],
    ['capitals', 'txn_01H455VB4PEX5VSKNK084SN02Q'],
    ['a letter outside the alphabet (i)', 'txn_01h455vb4pex5vsknk084sn0iq'],
    ['a letter outside the alphabet (l)', 'txn_01h455vb4pex5vsknk084sn0lq'],
    ['a letter outside the alphabet (o)', 'txn_01h455vb4pex5vsknk084sn0oq'],
    ['a letter outside the alphabet (u)', 'txn_01h455vb4pex5vsknk084sn0uq'],
    ['more than 128 bits', 'txn_81h455vb4pex5vsknk084sn02q'],
    ['a uuid', '01890a5d-ac96-774b-bcce-b302099a8057'],
    ['letters of another script', 'txn_01h455vb4pex5vsknk084sn0２q'],
    ['a line break', 'txn_01h455vb4pex5vsknk084sn02\n'],
    ['NUL', 'txn_01h455vb4pex5vsknk084sn0\0q'],
  ])('refuse %s', (_, text) => {
    expect(fromWire('transaction', text)).toBeUndefined();
  });

  it('are read only in their one spelling: any text that reads writes back to itself', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-z]{26}$/), (suffix) => {
        const read = fromWire('key', `key_${suffix}`);
        if (read !== undefined) expect(toWire('key', read)).toBe(`key_${suffix}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('name an account by cli_ or psp_ alike, and by no other prefix', () => {
    const u = '01890a5d-ac96-774b-bcce-b302099a8057';
    expect(accountFromWire(toWire('client', u))).toBe(u);
    expect(accountFromWire(toWire('psp', u))).toBe(u);
    expect(accountFromWire(toWire('key', u))).toBeUndefined();
  });
});

describe('ids that begin so', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  const wire = toWire('transaction', id);

  it('are those from the lowest to the highest of their letters', () => {
    for (let letters = 0; letters <= 26; letters++) {
      const range = idsBeginning('transaction', wire.slice(0, 4 + letters));
      if (!range) throw new Error(`none for ${letters} letters`);
      expect(range.from <= id && id <= range.to).toBe(true);
      expect(toWire('transaction', range.from).slice(0, 4 + letters)).toBe(wire.slice(0, 4 + letters));
      expect(toWire('transaction', range.to).slice(0, 4 + letters)).toBe(wire.slice(0, 4 + letters));
    }
    expect(idsBeginning('transaction', wire)).toEqual({ from: id, to: id });
    expect(idsBeginning('transaction', 'txn_')).toEqual({
      from: '00000000-0000-0000-0000-000000000000',
      to: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    });
  });

  it.each(['', 'txn', 'cli_01', 'txn_8', 'txn_0u', 'txn_01 ', `${wire}0`])('are none for %j', (text) => {
    expect(idsBeginning('transaction', text)).toBeUndefined();
  });

  it('tell when they were made', () => {
    expect(timeOfId(id)).toBe(0x01890a5dac96);
  });
});
