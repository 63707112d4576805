// What an entry about a case says was done in it, derived from its evidence and from the case after it. Pure.

const acts = {
  HOLD: 'CASE_CLIENT_HELD',
  HOLD_WALLET: 'CASE_WALLET_HELD',
  SUSPEND: 'CASE_CLIENT_SUSPENDED',
  DECLINE: 'CASE_TRANSACTION_DECLINED',
  CHARGE_BACK: 'CASE_CHARGED_BACK',
} as const;

const steps = {
  alert: 'CASE_ALERTED',
  assign: 'CASE_ASSIGNED',
  escalate: 'CASE_ESCALATED',
  note: 'CASE_NOTED',
  file: 'CASE_FILE_ADDED',
  link: 'CASE_LINKED',
  str: 'CASE_REPORT_WRITTEN',
  strSent: 'CASE_REPORT_SENT',
  propose: 'CASE_RELEASE_PROPOSED',
  approve: 'CASE_PROPOSAL_APPROVED',
  reject: 'CASE_PROPOSAL_REJECTED',
  close: 'CASE_CLOSED',
  reopen: 'CASE_REOPENED',
} as const;

export const caseSteps = [
  ...Object.values(steps),
  ...Object.values(acts),
  'CASE_UNASSIGNED',
  'CASE_CLOSE_PROPOSED',
] as const;
export type CaseStep = (typeof caseSteps)[number];

interface Told {
  readonly step?: unknown;
  readonly items?: unknown;
}

const of = <T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;

/** @param after the case after it @returns undefined for a step that this version does not know */
export function caseStep(
  { step, items }: Told,
  after: { readonly assignee?: unknown; readonly state?: unknown },
): CaseStep | undefined {
  if (step === 'act') return of(acts, (items as readonly { readonly action?: string }[] | undefined)?.[0]?.action);
  if (step === 'assign' && after.assignee === null) return 'CASE_UNASSIGNED';
  if (step === 'close' && after.state !== 'CLOSED') return 'CASE_CLOSE_PROPOSED';
  return of(steps, step);
}
