// What the subject of a hold may read. A hold has a private code and reason for operators, and a public code with its
// sentence; a remark (a hold that blocks nothing) is entirely private. Nobody may learn from the service that they are
// suspected: everything sent to a client or a PSP passes through here.

import { parseExactly } from './entry.ts';
import { stored } from './said.ts';

/** Public codes of holds and their sentences. None reveals what is suspected, by whom or since when. */
export const publicHolds = {
  UNDER_REVIEW: 'the account is under review',
  INFORMATION_REQUIRED: 'information about the account is required',
  LICENCE_REQUIRED: 'a licence is required',
  LICENCE_EXPIRED: 'its licence has expired',
  OWNER_REQUEST: "on the account owner's request",
} as const;
/** The sentences that are others while the hold has not begun. */
const publicAhead: Partial<Record<keyof typeof publicHolds, string>> = { LICENCE_EXPIRED: 'its licence expires' };
export type PublicHoldCode = keyof typeof publicHolds;
export const publicHoldCodes = Object.keys(publicHolds) as PublicHoldCode[];

interface Coded {
  readonly code: string;
  readonly publicCode?: string | undefined;
}

const known = (code: string | undefined): PublicHoldCode | undefined => publicHoldCodes.find((c) => c === code);

/** The public code of a hold: the one set on it, its own if that is public, else a neutral one. */
export const publicCodeOf = (h: Coded): PublicHoldCode => known(h.publicCode) ?? known(h.code) ?? 'UNDER_REVIEW';

/** What the subject of a hold reads of it. @param ahead whether it begins later */
export function publicHold(h: Coded, ahead: boolean): { readonly code: PublicHoldCode; readonly reason: string } {
  const code = publicCodeOf(h);
  return { code, reason: (ahead && publicAhead[code]) || publicHolds[code] };
}

/**
 * Why an account on hold may not trade, in words anyone may read.
 * @param who "the client", "the PSP" or "the client's PSP"; a client learns of its PSP's hold only that it exists
 */
export function holdSentence(who: string, h: Coded): string {
  if (who === clientsPsp) return stored`${who} is on hold`;
  const code = publicCodeOf(h);
  return stored`${who} is on hold (${code}): ${publicHolds[code]}`;
}

export const clientsPsp = "the client's PSP";

/** Reasons recorded before holds had a public sentence contain the private one. */
const held = /^(the client|the PSP|the client's PSP) is on hold \(([A-Z][A-Z0-9_]*)\): /;

/** A recorded reason without its private part; unchanged if it has none. */
export function publicReason(reason: string): string {
  const found = held.exec(reason);
  return found ? holdSentence(found[1] as string, { code: found[2] as string }) : reason;
}

const publicText = (reason: unknown): unknown => (typeof reason === 'string' ? publicReason(reason) : reason);

type Data = Readonly<Record<string, unknown>>;

/** @param at time of the change that the holds are shown with, ISO UTC */
function publicFlags(flags: unknown, at: unknown): unknown {
  if (!Array.isArray(flags)) return flags;
  return (flags as Data[])
    .filter((f) => f.blocking === true)
    .map((f) => ({ ...f, ...publicHold({ code: String(f.code) }, String(f.since) > String(at)) }));
}

/**
 * The resource in a journal entry or event, as anyone may read it.
 * @param kind kind of the entry
 */
export function publicData(kind: string, data: unknown): unknown {
  if (data === null || typeof data !== 'object') return data;
  const d = data as Data;
  if (kind.startsWith('client.') && 'flags' in d)
    return {
      ...d,
      ...('reason' in d ? { reason: publicText(d.reason) } : {}),
      flags: publicFlags(d.flags, d.updatedAt),
    };
  if (kind.startsWith('transaction.') && typeof d.reason === 'string') return { ...d, reason: publicText(d.reason) };
  return data;
}

/** The stored body of an event, as anyone may read it; the same bytes if nothing in it is private. */
export function publicEvent(body: string): string {
  if (!body.includes(' is on hold (') && !body.includes('"flags":[{')) return body;
  const event = parseExactly(body) as Data;
  return JSON.stringify({ ...event, data: publicData(String(event.type), event.data) });
}

/** Whether the exact text of an entry, which a receipt contains, holds a private reason. */
export const holdsPrivateReason = (body: string): boolean => publicEvent(body) !== body;
