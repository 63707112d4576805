// Classifies a call detail record from the view of the operator that reported it: one class per record, by a fixed
// order of checks, from the record, the operator's country and the numbering alone, so the result is always the same.
import { type CallType, roamingWords, word } from './call-types.ts';
import { withheldNumber } from './fields.ts';
import type { NumberRanges } from './number-ranges.ts';

export const cdrClasses = [
  'ONNET',
  'OFFNET',
  'INTL_OUT',
  'INTL_IN',
  'ROAMING',
  'SMS',
  'DATA',
  'VOIP',
  'SHORTCODE',
  'UNCLASSIFIED',
] as const;
export type CdrClass = (typeof cdrClasses)[number];

/** What is known about telephone numbers. */
export interface Numbering {
  /** The country of an E.164 number or its mask, ISO 3166-1 alpha-2; null if its calling code belongs to none. */
  countryOf(number: string): string | null;
  readonly ranges: Pick<NumberRanges, 'covers' | 'networkOf' | 'networkNamed'>;
}

export interface CallFacts {
  readonly type: CallType;
  /** `call_type` as sent. */
  readonly typeWord: string;
  /** Numbers or their masks (masks.ts); both give the same class. */
  readonly caller: string;
  readonly receiver: string;
  /** `network_provider`. */
  readonly provider: string;
}

export interface Classified {
  readonly class: CdrClass;
  /** Country of the side that is abroad; null if neither is, or if its country is unknown. */
  readonly otherCountry: string | null;
  /** Present if the call comes in from abroad, whatever its class: surtaxes on incoming traffic depend on it. */
  readonly incoming: { readonly origin: string | null } | undefined;
  /** Whether a subscriber at home calls, or writes to, a number abroad. */
  readonly isOutgoing: boolean;
  /** Whether the operator's subscriber was called, or was sent the message. */
  readonly received: boolean;
}

const incomingWords = new Set(['MTC', 'INCOMING', 'INBOUND', 'SMS_MT', 'MT_SMS', 'SMSMT', 'MMS_MT']);
const outgoingWords = new Set(['MOC', 'OUTGOING', 'OUTBOUND', 'SMS_MO', 'MO_SMS', 'SMSMO', 'MMS_MO']);
/** Mobile telephony carried over IP: classified by its numbers like any other call. */
const mobileOverIp = new Set(['VOLTE', 'VOWIFI']);
const classOfLabel: ReadonlyMap<string, CdrClass> = new Map([
  ['ONNET', 'ONNET'],
  ['ON_NET', 'ONNET'],
  ['OFFNET', 'OFFNET'],
  ['OFF_NET', 'OFFNET'],
]);

/** A number of another country; `country` is null if its calling code belongs to none. */
type Abroad = { readonly country: string | null } | undefined;

/** @param own country of the operator's account; undefined if it has none */
export function classify(call: CallFacts, own: string | undefined, numbering: Numbering): Classified {
  const says = word(call.typeWord);
  const side = (party: string): Abroad => {
    if (own === undefined || !party.startsWith('+')) return undefined;
    const country = numbering.countryOf(party);
    return country === own ? undefined : { country };
  };
  const caller = side(call.caller);
  const receiver = side(call.receiver);
  const comesIn = incomingWords.has(says);
  const goesOut = outgoingWords.has(says);
  const kind = classOf(call, own, numbering, { says, caller, receiver, comesIn, goesOut });
  const fromAbroad = call.type !== 'DATA' && caller !== undefined && (comesIn || (!goesOut && receiver === undefined));
  return {
    class: kind,
    otherCountry: (fromAbroad ? caller : (receiver ?? caller))?.country ?? null,
    incoming: fromAbroad ? { origin: caller?.country ?? null } : undefined,
    isOutgoing: kind !== 'ROAMING' && kind !== 'DATA' && receiver !== undefined && caller === undefined && !comesIn,
    received: fromAbroad || comesIn,
  };
}

interface Sides {
  readonly says: string;
  readonly caller: Abroad;
  readonly receiver: Abroad;
  readonly comesIn: boolean;
  readonly goesOut: boolean;
}

/** The first check that matches determines the class. */
function classOf(c: CallFacts, own: string | undefined, numbering: Numbering, s: Sides): CdrClass {
  if (isRoaming(c, own, numbering, s)) return 'ROAMING';
  if (c.type === 'DATA') return 'DATA';
  if (isShortCode(c.caller) || isShortCode(c.receiver)) return 'SHORTCODE';
  if (c.type === 'SMS' || c.type === 'MMS' || c.type === 'USSD') return 'SMS';
  if (c.type === 'VOIP' && !mobileOverIp.has(s.says)) return 'VOIP';
  if (c.type === 'UNCLASSIFIED' || own === undefined) return 'UNCLASSIFIED';
  if (s.caller) return 'INTL_IN';
  if (s.receiver) return 'INTL_OUT';
  const network = classOfLabel.get(s.says);
  // Whose network a withheld number is of, nobody but the operator can say.
  return network ?? (c.caller === withheldNumber ? 'UNCLASSIFIED' : national(c, own, numbering, s));
}

/** Whether a foreign network's subscriber is a guest in this country, or the operator's own subscriber is abroad. */
function isRoaming(c: CallFacts, own: string | undefined, numbering: Numbering, s: Sides): boolean {
  if (roamingWords.has(s.says)) return true;
  if (own === undefined) return false;
  const carrier = numbering.ranges.networkNamed(c.provider, own);
  if (carrier && carrier.country !== own) return true;
  if (c.type === 'DATA' || s.goesOut) return s.caller !== undefined;
  return s.receiver !== undefined && (s.comesIn || s.caller !== undefined);
}

/**
 * Classifies a call within the country. If no network is known, the call is unclassified. If the call type does not
 * say which side is the other party, both numbers must be of the operator's network for an on-net call.
 */
function national(c: CallFacts, own: string, { ranges }: Numbering, { comesIn, goesOut }: Sides): CdrClass {
  if (!ranges.covers(own)) return 'UNCLASSIFIED';
  const caller = ranges.networkOf(c.caller, own);
  const receiver = ranges.networkOf(c.receiver, own);
  const [mine, other] = comesIn ? [receiver, caller] : [caller, receiver];
  const network = ranges.networkNamed(c.provider, own)?.network ?? mine;
  if (network === undefined && other === undefined) return 'UNCLASSIFIED';
  const others = comesIn || goesOut ? [other] : [other, mine ?? network];
  return others.every((o) => o === network) ? 'ONNET' : 'OFFNET';
}

const isShortCode = (party: string): boolean => !party.startsWith('+') && /^[\d*#]+$/.test(party);
