// Tests of guarantees that operations share; each operation's file states which apply to it.
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import type { Account, Answer, TestApp } from './app.ts';

/** An operation as its tests call it. */
export interface Wire {
  readonly app: () => TestApp;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Returns an account whose key may call it. */
  readonly caller: () => Account;
  /** For POST: returns a new valid body at each call, after recording what it depends on. */
  readonly body?: () => Record<string, unknown> | Promise<Record<string, unknown>>;
}

export async function send(
  w: Wire,
  key: string | undefined,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return w.method === 'GET'
    ? w.app().get(w.path, key, headers)
    : w.app().post(w.path, body ?? (await w.body?.()), key, headers);
}

/** Expects a refusal: `success: false` and a sentence, nothing else, with the code in the header. */
export function expectRefusal(r: Answer, status: number, code: string, message?: string | RegExp): void {
  expect({ status: r.status, code: r.headers.get('x-error-code'), body: r.body }).toEqual({
    status,
    code,
    body: {
      success: false,
      message:
        message === undefined
          ? expect.any(String)
          : typeof message === 'string'
            ? message
            : expect.stringMatching(message),
    },
  });
  expect(r.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
}

/** Returns the content of a successful reply, after checking its envelope. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
export function contentOf(r: Answer): any {
  if (r.status !== 200) throw new Error(`answered ${r.status}: ${r.text}`);
  expect(Object.keys(r.body)).toEqual(['success', 'message', 'content']);
  expect(r.body.success).toBe(true);
  expect(r.body.message).toEqual(expect.any(String));
  expect(r.headers.get('x-error-code')).toBeNull();
  return r.body.content;
}

const steps = (path: string) => path.split(/\.|\[(\d+)\]/).filter(Boolean);

/** Returns the body with the value at a dotted path replaced; undefined removes it. */
export function put(body: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(body);
  const way = steps(path);
  const last = way.pop() as string;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  let at: any = copy;
  for (const s of way) at = at?.[s];
  if (at === undefined) return copy;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** @param fields all required fields in the specification's order, nested ones after their parent */
export function requiresFields(w: Wire, fields: readonly string[]): void {
  it.each(fields)("requires the field '%s'", async (field) => {
    // A null counts as an absent field.
    for (const absent of [undefined, null]) {
      const r = await send(w, w.caller().apiKey, put((await w.body?.()) ?? {}, field, absent));
      expectRefusal(r, 400, 'FIELD_REQUIRED', `the field '${field}' is required`);
    }
  });

  it('names the first missing field in the order of the specification', async () => {
    for (const [i, first] of fields.entries()) {
      let body = (await w.body?.()) ?? {};
      for (const field of fields.slice(i)) body = put(body, field, undefined);
      expectRefusal(await send(w, w.caller().apiKey, body), 400, 'FIELD_REQUIRED', `the field '${first}' is required`);
    }
  });

  it('names a missing field before a wrong one', async () => {
    if (fields.length < 2) return;
    const body = put(put((await w.body?.()) ?? {}, fields[0] as string, true), fields.at(-1) as string, undefined);
    expectRefusal(
      await send(w, w.caller().apiKey, body),
      400,
      'FIELD_REQUIRED',
      `the field '${fields.at(-1)}' is required`,
    );
  });
}

const wrong = {
  text: [12.5, true, ['a'], { a: 'b' }],
  number: [true, '12.5', '', [12.5], { amount: 1 }],
  object: [true, 1, 'text', [1]],
  array: [true, 1, 'text', { 0: 1 }],
  boolean: [0, 1, 'true', [true], {}],
} as const;

/** Values of a wrong type are refused. */
export function refusesWrongTypes(w: Wire, fields: Partial<Record<keyof typeof wrong, readonly string[]>>): void {
  const rows = Object.entries(fields).flatMap(([type, names]) =>
    names.map((name) => [name, type as keyof typeof wrong] as const),
  );
  it.each(rows)("takes for '%s' only a value of type %s", async (field, type) => {
    for (const value of wrong[type]) {
      const r = await send(w, w.caller().apiKey, put((await w.body?.()) ?? {}, field, value));
      expectRefusal(r, 400, 'FIELD_INVALID', new RegExp(`^the field '${field.replace(/[[\].]/g, '\\$&')}' must be `));
    }
  });
}

/** Texts that are empty, blank or too long are refused. */
export function limitsText(w: Wire, fields: Readonly<Record<string, number>>): void {
  it.each(Object.entries(fields))(
    "takes for '%s' neither blank text nor more than %d characters",
    async (field, most) => {
      for (const value of ['', ' ', '\t\n', 'x'.repeat(most + 1)])
        expectRefusal(
          await send(w, w.caller().apiKey, put((await w.body?.()) ?? {}, field, value)),
          400,
          'FIELD_INVALID',
          new RegExp(`^the field '${field.replace('.', '\\.')}' `),
        );
    },
  );
}

/** The reply names unknown fields, so that a misspelt optional field is noticed. */
export function namesIgnoredFields(w: Wire): void {
  it('answers and names the fields it does not know in a header', async () => {
    const r = await send(w, w.caller().apiKey, { ...(await w.body?.()), mmc: '5411', constructor: 1 });
    contentOf(r);
    expect(r.headers.get('x-ignored-fields')).toBe('mmc, constructor');
  });
}

/** A key with the same id, another secret and a valid checksum, as an attacker would send it. */
export function forge(apiKey: string): string {
  const [, id] = apiKey.split('_');
  const text = `asy_${id}_${'A'.repeat(43)}`;
  return `${text}_${crc32(text).toString(16).padStart(8, '0')}`;
}

/** A well-formed key whose id does not exist. */
export function strangeKey(t: TestApp): string {
  return forge(`asy_${toWire('key', t.app.services.ids.next()).slice(4)}_`);
}

const operators = new WeakMap<TestApp, Promise<Account>>();

/** The operator whose key prepares tests; one for each service. */
function operatorOf(t: TestApp): Promise<Account> {
  const made = operators.get(t) ?? t.makeOperator();
  operators.set(t, made);
  return made;
}

/** Issues a further key of an account, as an operator. */
export async function issueKey(
  t: TestApp,
  account: Account,
  expiresAt?: string,
): Promise<{ keyId: string; apiKey: string }> {
  const operator = await operatorOf(t);
  const r = await t.post(
    `/v1/admin/account/${account.id}/key`,
    { name: 'spare', ...(expiresAt ? { expiresAt } : {}) },
    operator.apiKey,
  );
  return contentOf(r);
}

export async function revokeKey(t: TestApp, keyId: string): Promise<void> {
  const operator = await operatorOf(t);
  contentOf(await t.post(`/v1/admin/key/${keyId}/revoke`, { reason: 'test' }, operator.apiKey));
}

/** Changes an account's standing, as an operator. */
export async function setStanding(t: TestApp, account: Account, change: Record<string, unknown>): Promise<void> {
  const operator = await operatorOf(t);
  contentOf(await t.post(`/v1/admin/account/${account.id}/standing`, { reason: 'test', ...change }, operator.apiKey));
}

/** Places a hold on an account. @returns the id of the hold */
export async function placeHold(t: TestApp, account: Account, hold: Record<string, unknown>): Promise<string> {
  const operator = await operatorOf(t);
  const { flags } = contentOf(
    await t.post(
      `/v1/admin/account/${account.id}/hold`,
      { code: 'REVIEW', reason: 'under review', ...hold },
      operator.apiKey,
    ),
  );
  return flags.at(-1).id;
}

/** An operator's key can administer but not act for an account. */
export function refusesOperators(w: Wire, operationId: string): void {
  it("refuses an operator's key", async () => {
    const operator = await w.app().makeOperator();
    expectRefusal(await send(w, operator.apiKey), 403, 'AUDIENCE', new RegExp(`^${operationId} is for `));
  });
}

/** x-client-id must name a client of the PSP; another PSP's client gets the same answer as an unknown one. */
export function guardsClientHeader(w: Wire): void {
  it("refuses another PSP's client in x-client-id exactly as one that does not exist", async () => {
    const t = w.app();
    const [mine, other] = [await t.makePsp(), await t.makePsp()];
    const theirs = await t.makeClient(other);
    const absent = toWire('client', t.app.services.ids.next());
    const answers = [];
    for (const id of [theirs.id, other.id, absent])
      answers.push(await send(w, mine.apiKey, await w.body?.(), { 'x-client-id': id }));
    for (const r of answers) {
      expectRefusal(r, 404, 'NOT_FOUND');
      expect(r.text).toBe(answers[2]?.text);
    }
  });

  it("refuses a client's key with another client of the same PSP in x-client-id", async () => {
    const t = w.app();
    const psp = await t.makePsp();
    const [one, two] = [await t.makeClient(psp), await t.makeClient(psp)];
    expectRefusal(await send(w, one.apiKey, await w.body?.(), { 'x-client-id': two.id }), 404, 'NOT_FOUND');
  });

  it('refuses an x-client-id that is not an id', async () => {
    const t = w.app();
    const psp = await t.makePsp();
    expectRefusal(
      await send(w, psp.apiKey, await w.body?.(), { 'x-client-id': 'somebody' }),
      400,
      'QUERY_INVALID',
      "the header 'x-client-id' is not a client id",
    );
  });
}
