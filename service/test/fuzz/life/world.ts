// The world of a random sequence: a client of a PSP in a running service, and a small model of it. Every reply is
// checked before a command receives it.
import type fc from 'fast-check';
import { expect } from 'vitest';
import { refusalsOf } from '../../../src/adapters/http/openapi.ts';
import { operations } from '../../../src/adapters/http/operations.ts';
import type { RefusalCode } from '../../../src/core/refusal.ts';
import type { Account, Answer, TestApp } from '../../support/app.ts';

export const movements = ['deposit', 'withdrawal', 'cryptoDeposit', 'cryptoWithdrawal'] as const;
export type Movement = (typeof movements)[number];
export type Who = 'client' | 'psp';
export type Standing = 'ACTIVE' | 'SUSPENDED';
export type Level = 'UNVERIFIED' | 'BASIC' | 'ENHANCED';

export interface Transaction {
  readonly id: string;
  readonly kind: 'verifyTransaction' | Movement;
  status: 'APPROVED' | 'DECLINED';
  revision: number;
  chargedBack: boolean;
  readonly recorder: Who;
  /** What was sent, to tell a repetition. */
  readonly request: string;
  /** What was answered, which a repetition gets again. */
  readonly content: object;
  readonly amount: number;
  readonly basket: Basket | undefined;
  /** Who asked for its decline; empty where its standing declined it, or nothing did. */
  declinedBy: Who[];
}

export interface Basket {
  readonly id: string;
  readonly transactionId: string;
  status: 'PENDING' | 'VERIFIED' | 'CANCELLED';
  revision: number;
  readonly amount: number;
  readonly exempt: boolean;
  /** Ref of the transaction it was verified under. */
  ref: string | undefined;
}

/** A wager or payout: recorded once. */
export interface Captured {
  readonly request: string;
  readonly content: object;
}

export interface Hold {
  readonly id: string;
  readonly blocking: boolean;
  until: number;
}

export interface Model {
  client: Standing;
  psp: Standing;
  level: Level;
  readonly holds: Hold[];
  readonly transactions: Map<string, Transaction>;
  readonly baskets: Map<string, Basket>;
  readonly wagers: Map<string, Captured>;
  readonly payouts: Map<string, Captured>;
}

export const fresh = (): Model => ({
  client: 'ACTIVE',
  psp: 'ACTIVE',
  level: 'BASIC',
  holds: [],
  transactions: new Map(),
  baskets: new Map(),
  wagers: new Map(),
  payouts: new Map(),
});

export interface Real {
  readonly t: TestApp;
  readonly operator: Account;
  readonly psp: Account;
  readonly client: Account;
  /** Keys in force; one that was revoked has a successor. */
  readonly keys: Record<Who, string>;
  /** The key of the journal's seal. */
  readonly seal: string;
  readonly count: Count;
}

/** What was done so far, for the report. */
export interface Count {
  sequences: number;
  steps: number;
  requests: number;
  /** Answers by operation and code. */
  readonly answers: Map<string, number>;
}

export type Command = fc.AsyncCommand<Model, Real>;

const byId = new Map(operations.map((o) => [o.id, o]));

export interface Asked {
  readonly body?: unknown;
  readonly query?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly key: string;
  readonly headers?: Record<string, string>;
}

/** An answer, and between which times it was made. */
export interface Told extends Answer {
  readonly from: number;
  readonly to: number;
}

/** Calls an operation; whatever it answers is one of its documented answers. */
export async function ask(r: Real, id: string, { body, query, params = {}, key, headers }: Asked): Promise<Told> {
  const o = byId.get(id);
  if (!o) throw new Error(`no operation ${id}`);
  const path = o.path.replace(/:(\w+)/g, (_, name: string) => params[name] as string) + (query ? `?${query}` : '');
  const from = r.t.now();
  const a = o.method === 'GET' ? await r.t.get(path, key, headers) : await r.t.post(path, body, key, headers);
  r.count.requests++;
  const code = a.headers.get('x-error-code');
  const answer = `${id} ${code ?? 'OK'}`;
  r.count.answers.set(answer, (r.count.answers.get(answer) ?? 0) + 1);
  if (a.status !== 200 && !refusalsOf(o).includes(code as RefusalCode))
    expect.fail(`${id} answered ${a.status} ${code}, which is not documented: ${a.text}`);
  return { ...a, from, to: r.t.now() };
}

/** The key, and the header that says for whom it speaks. */
export const asKey = (r: Real, by: Who): { key: string; headers: Record<string, string> } => ({
  key: r.keys[by],
  headers: by === 'client' ? {} : { 'x-client-id': r.client.id },
});

export function expectCode(a: Answer, status: number, code: RefusalCode): void {
  expect([a.status, a.headers.get('x-error-code')], a.text).toEqual([status, code]);
}

export const expectReplayed = (a: Answer, replayed: boolean): void =>
  expect(a.headers.get('idempotency-replayed'), a.text).toBe(replayed ? 'true' : null);

const acceptable = (m: Model, at: number): boolean =>
  m.client === 'ACTIVE' &&
  m.psp === 'ACTIVE' &&
  m.level !== 'UNVERIFIED' &&
  m.holds.every((h) => !h.blocking || at >= h.until);

/** What the standing allows; other sequences may have moved the clock meanwhile, so that both are right. */
export const acceptables = (m: Model, { from, to }: Told): boolean[] => [
  ...new Set([acceptable(m, from), acceptable(m, to)]),
];
