// What the operations on players share: naming a player, and the operators that something applies to.
import type { AccountId, PspId } from '../../core/ids.ts';
import { orThrow, refuse } from '../../core/refusal.ts';
import { type HasAccounts, knownAccount, listedClient } from '../accounts/index.ts';
import { type Call, Id, type Needs, Text, Type } from '../kernel/operation.ts';
import { playerIdentities } from './identity.ts';

export const PlayerSubjects = Type.Array(Type.String({ minLength: 1, maxLength: 400, 'x-characters': 'any' }), {
  description: `All that the player is known by: ${Object.entries(playerIdentities)
    .map(([kind, what]) => `\`${kind}:…\`, ${what}`)
    .join('; ')}. Only keyed hashes are stored.`,
  minItems: 1,
  maxItems: 20,
});

export const OperatorId = Type.Optional(
  Id("The operator it applies to; without it all operators of the PSP. A client's key always means its own."),
);

export const Source = Text("Source of the request: a register's name such as GAMSTOP, PLAYER or OPERATOR.", 60);

export const exampleSubjects = ['email:kip@example.com', 'phone:+254700000001'];

/** The operator that a call means; the PSP for all of its operators. @throws NOT_FOUND */
export async function operatorOf(
  s: Needs<'db'> & HasAccounts,
  call: Pick<Call, 'principal' | 'onBehalfOf'>,
  clientId: string | undefined,
): Promise<AccountId> {
  return (await listedClient(s, call, clientId)) ?? call.principal.psp;
}

/** Country whose law and calendar apply: the one given, else the operator's. @throws UNKNOWN_COUNTRY */
export async function countryOf(
  s: Needs<'db' | 'reference'> & HasAccounts,
  psp: PspId,
  account: AccountId,
  given: string | undefined,
): Promise<string | null> {
  if (given === undefined) return (await knownAccount(s, { psp, id: account }))?.country ?? null;
  const country = orThrow(s.reference.country(given));
  return country.alpha2;
}

/** @throws FIELD_INVALID if it does not end after it begins */
export function readSpan(
  from: string | undefined,
  until: string | undefined,
  now: number,
): { fromAt: string; untilAt: string | null } {
  const fromAt = new Date(from === undefined ? now : from).toISOString();
  const untilAt = until === undefined ? null : new Date(until).toISOString();
  if (untilAt !== null && untilAt <= fromAt)
    throw refuse('FIELD_INVALID', "the field 'until' must be later than 'from'");
  return { fromAt, untilAt };
}

/** What every operation declares that restricts a player. */
export const playerChange = {
  method: 'POST',
  tag: 'Players',
  area: 'records',
  audience: ['psp', 'client'],
  idempotent: true,
} as const;
