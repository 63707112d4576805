// What a recorded reason of a decline is about, as patterns for a search. Only what everybody reads of a reason: a private
// part of an old one decides nothing here, so that a search cannot find it out.

/** Patterns of SQL's LIKE by cause; a reason fits one of them, or none. */
export const declineCauses = {
  STANDING: ['the % is suspended', "the client's PSP is suspended", 'the % is closed', "the client's PSP is closed"],
  HOLD: ['% is on hold', '% is on hold (%'],
  LEVEL: ['% verification level is %'],
  PLAYER_PROTECTION: ['%(PLAYER\\_EXCLUDED)', '%(PLAYER\\_LIMIT)'],
  RISK_POLICY: ['the risk policy of the PSP %'],
  WITHDRAWN: ['declined by %'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type DeclineCause = keyof typeof declineCauses;
export const declineCauseNames = Object.keys(declineCauses) as DeclineCause[];
