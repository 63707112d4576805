// Classes of call detail records: the order of the questions case by case, and for any record at all exactly one answer.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadNumberRanges } from '../../platform/data-files.ts';
import { countryOfNumber } from '../../platform/number-countries.ts';
import { callTypes, readCallType } from './call-types.ts';
import { type CallFacts, cdrClasses, classify, type Numbering } from './classify.ts';

const numbering: Numbering = { countryOf: countryOfNumber, ranges: loadNumberRanges() };
const mtn = '+2348031234567';
const glo = '+2348051234567';
const fixed = '+23412345678';
const kenyan = '+254711234567';
const british = '+447400123456';
const satellite = '+881612345678';

const call = (over: Partial<CallFacts> = {}): CallFacts => {
  const typeWord = over.typeWord ?? 'VOICE';
  return { typeWord, type: readCallType(typeWord), caller: mtn, receiver: glo, provider: 'MTN Nigeria', ...over };
};
const classOf = (over: Partial<CallFacts>, own: string | undefined = 'NG') =>
  classify(call(over), own, numbering).class;

describe('a record of an operator in Nigeria', () => {
  it.each<[Partial<CallFacts>, string]>([
    // Within the country: the provider's network, or that of the number, against the other side's.
    [{ receiver: '+2347031234567' }, 'ONNET'],
    [{ receiver: glo }, 'OFFNET'],
    [{ receiver: fixed }, 'OFFNET'],
    [{ caller: 'ANONYMOUS' }, 'UNCLASSIFIED'],
    [{ caller: 'ANONYMOUS', receiver: mtn, typeWord: 'MTC' }, 'UNCLASSIFIED'],
    [{ caller: 'ANONYMOUS', typeWord: 'ON_NET' }, 'ONNET'],
    [{ caller: 'ANONYMOUS', typeWord: 'SMS' }, 'SMS'],
    [{ caller: 'ANONYMOUS', receiver: kenyan }, 'INTL_OUT'],
    [{ caller: glo, receiver: mtn, typeWord: 'MTC' }, 'OFFNET'],
    [{ caller: mtn, receiver: '+2347031234567', typeWord: 'INCOMING' }, 'ONNET'],
    [{ provider: 'Globacom', caller: glo, receiver: mtn }, 'OFFNET'],
    [{ provider: 'MTN Nigeria', caller: glo, receiver: mtn }, 'OFFNET'],
    [{ provider: 'MTN Nigeria', caller: glo, receiver: mtn, typeWord: 'OUTGOING' }, 'ONNET'],
    [{ provider: 'Acme Telecom', receiver: '+2347031234567' }, 'ONNET'],
    [{ provider: 'Acme Telecom', caller: fixed }, 'OFFNET'],
    // The operator knows of ported numbers, prefixes do not.
    [{ typeWord: 'ON-NET', receiver: glo }, 'ONNET'],
    [{ typeWord: 'OFFNET', receiver: '+2347031234567' }, 'OFFNET'],
    [{ typeWord: 'ONNET', receiver: british }, 'INTL_OUT'],
    // Neither side is known: nothing is guessed.
    [{ provider: 'Acme Telecom', caller: fixed, receiver: fixed }, 'UNCLASSIFIED'],
    [{ receiver: british }, 'INTL_OUT'],
    [{ receiver: satellite }, 'INTL_OUT'],
    [{ caller: kenyan, receiver: mtn }, 'INTL_IN'],
    [{ caller: satellite, receiver: mtn }, 'INTL_IN'],
    [{ typeWord: 'INTERNATIONAL', caller: kenyan, receiver: mtn }, 'INTL_IN'],
    [{ typeWord: 'VOLTE', receiver: british }, 'INTL_OUT'],
    // A guest here, or a subscriber abroad.
    [{ caller: kenyan, receiver: british }, 'ROAMING'],
    [{ caller: kenyan, receiver: mtn, typeWord: 'MOC' }, 'ROAMING'],
    [{ caller: mtn, receiver: kenyan, typeWord: 'MTC' }, 'ROAMING'],
    [{ provider: 'MTN Uganda' }, 'ROAMING'],
    [{ typeWord: 'ROAMING' }, 'ROAMING'],
    [{ typeWord: 'Roaming Voice' }, 'ROAMING'],
    [{ typeWord: 'ROAMING_DATA' }, 'ROAMING'],
    [{ typeWord: 'PREMIUM_SMS' }, 'SMS'],
    [{ typeWord: 'PREMIUM_RATE', receiver: '32100' }, 'SHORTCODE'],
    [{ typeWord: 'DATA', caller: kenyan, receiver: mtn }, 'ROAMING'],
    [{ typeWord: 'SMS_MO', caller: kenyan }, 'ROAMING'],
    [{ typeWord: 'DATA', receiver: '00' }, 'DATA'],
    [{ typeWord: 'DATA', receiver: british }, 'DATA'],
    [{ receiver: '112' }, 'SHORTCODE'],
    [{ typeWord: 'USSD', receiver: '*131#' }, 'SHORTCODE'],
    [{ typeWord: 'SMS', receiver: '33070' }, 'SHORTCODE'],
    [{ typeWord: 'SMS' }, 'SMS'],
    [{ typeWord: 'SMS', caller: 'MyBank' }, 'SMS'],
    [{ typeWord: 'SMS', receiver: british }, 'SMS'],
    [{ typeWord: 'MMS', caller: kenyan }, 'SMS'],
    [{ typeWord: 'USSD' }, 'SMS'],
    [{ typeWord: 'SIP', receiver: british }, 'VOIP'],
    [{ typeWord: 'FAX', receiver: british }, 'UNCLASSIFIED'],
  ])('with %j is %s', (over, expected) => {
    expect(classOf(over)).toBe(expected);
  });
});

describe('an operator', () => {
  it('of a country without number ranges has its national calls unclassified, unless its own word tells', () => {
    const german = (over: Partial<CallFacts> = {}) =>
      classOf({ caller: '+4930123456', receiver: '+4930654321', provider: 'MTN', ...over }, 'DE');
    expect([german(), german({ typeWord: 'ONNET' }), german({ receiver: mtn })]).toEqual([
      'UNCLASSIFIED',
      'ONNET',
      'INTL_OUT',
    ]);
  });

  it('without a country has what its type alone tells', () => {
    const alone = (over: Partial<CallFacts>) => classify(call(over), undefined, numbering).class;
    expect([alone({}), alone({ typeWord: 'SMS' }), alone({ typeWord: 'DATA' }), alone({ receiver: '112' })]).toEqual([
      'UNCLASSIFIED',
      'SMS',
      'DATA',
      'SHORTCODE',
    ]);
  });
});

describe('traffic from abroad', () => {
  const incoming = (over: Partial<CallFacts>) => classify(call(over), 'NG', numbering).incoming;

  it('is told with its origin, whatever class it has', () => {
    expect(incoming({ caller: kenyan, receiver: mtn })).toEqual({ origin: 'KE' });
    expect(incoming({ caller: kenyan, receiver: mtn, typeWord: 'VOIP' })).toEqual({ origin: 'KE' });
    expect(incoming({ caller: kenyan, receiver: mtn, typeWord: 'TELEPATHY' })).toEqual({ origin: 'KE' });
    expect(incoming({ caller: kenyan, receiver: british, typeWord: 'MTC' })).toEqual({ origin: 'KE' });
    expect(incoming({ caller: satellite, receiver: mtn })).toEqual({ origin: null });
  });

  it('is not what a guest sends from here, nor what goes abroad, nor a data session', () => {
    expect(incoming({ caller: kenyan, receiver: mtn, typeWord: 'MOC' })).toBeUndefined();
    expect(incoming({ caller: kenyan, receiver: british })).toBeUndefined();
    expect(incoming({ receiver: british })).toBeUndefined();
    expect(incoming({ caller: kenyan, receiver: mtn, typeWord: 'DATA' })).toBeUndefined();
    expect(incoming({})).toBeUndefined();
  });
});

describe('traffic to other countries', () => {
  const goesOut = (over: Partial<CallFacts>) => classify(call(over), 'NG', numbering).isOutgoing;

  it('is a call or a message that a subscriber at home sends, whatever class it has', () => {
    expect(goesOut({ receiver: british })).toBe(true);
    expect(goesOut({ receiver: british, typeWord: 'MOC' })).toBe(true);
    expect(goesOut({ receiver: british, typeWord: 'SMS' })).toBe(true);
    expect(goesOut({ receiver: british, typeWord: 'VOIP' })).toBe(true);
    expect(goesOut({ receiver: satellite })).toBe(true);
  });

  it('is not what comes in, passes through, is roamed or is data', () => {
    expect(goesOut({})).toBe(false);
    expect(goesOut({ caller: kenyan })).toBe(false);
    expect(goesOut({ caller: kenyan, receiver: british })).toBe(false);
    expect(goesOut({ receiver: british, typeWord: 'MTC' })).toBe(false);
    expect(goesOut({ receiver: british, typeWord: 'ROAMING' })).toBe(false);
    expect(goesOut({ receiver: british, typeWord: 'DATA' })).toBe(false);
  });
});

describe('any record', () => {
  const party = fc.oneof(
    fc.constantFrom(mtn, glo, fixed, kenyan, british, satellite, '112', '*131#', 'MyBank', '+21012345678'),
    fc.stringMatching(/^\+[1-9]\d{6,14}$/),
    fc.string(),
  );
  const anyCall = fc.record({
    type: fc.constantFrom(...callTypes),
    typeWord: fc.oneof(fc.constantFrom('MTC', 'MOC', 'ROAMING', 'ONNET', 'VOLTE', 'SMS_MT'), fc.string()),
    caller: party,
    receiver: party,
    provider: fc.oneof(fc.constantFrom('MTN', 'MTN Uganda', 'Glo Ghana', '__proto__'), fc.string()),
  });
  const own = fc.constantFrom(undefined, 'NG', 'KE', 'GB', 'DE', 'US');

  it('gets exactly one class, the same each time, whatever was asked before', () => {
    fc.assert(
      fc.property(anyCall, anyCall, own, (a, b, country) => {
        const first = classify(a, country, numbering);
        classify(b, country, numbering);
        expect(cdrClasses).toContain(first.class);
        const fresh: Numbering = { countryOf: countryOfNumber, ranges: numbering.ranges };
        expect(classify({ ...a }, country, fresh)).toEqual(first);
        if (first.class === 'INTL_IN') expect(first.incoming).toBeDefined();
        if (first.incoming) expect(first.otherCountry).toBe(first.incoming.origin);
      }),
      { numRuns: 5_000 },
    );
  });
});
