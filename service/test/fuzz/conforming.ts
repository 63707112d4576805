// What every answer keeps to, whatever was asked: a status, a code and content that the OpenAPI description names; and what
// no log line holds.
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import { openApi, refusalsOf } from '../../src/adapters/http/openapi.ts';
import { operations } from '../../src/adapters/http/operations.ts';
import { statusOf } from '../../src/adapters/http/status.ts';
import { type RefusalCode, refusalCodes } from '../../src/core/refusal.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { workbookType } from '../../src/modules/reports/workbook.ts';
import type { Account, Answer, TestApp } from '../support/app.ts';

const checks = new Map(operations.map((o) => [o.id, Compile(o.content)]));

/** @param address of the service; `asked` is told where an answer is another one. */
export function conforming(address: string): (o: Operation, r: Answer, asked: string) => void {
  const { paths } = openApi(operations, address) as {
    paths: Record<string, Record<string, { readonly responses: object }>>;
  };
  return (o, r, asked) => {
    const told = `${o.id} ${asked.slice(0, 600)}\nanswered ${r.status} ${r.text.slice(0, 400)}`;
    const documented = Object.keys(
      paths[o.path.replace(/:(\w+)/g, '{$1}')]?.[o.method.toLowerCase()]?.responses as object,
    ).map(Number);
    if (r.status >= 500) expect.fail(`a fault: ${told}`);
    if (!documented.includes(r.status)) expect.fail(`a status the description does not name: ${told}`);
    const type = (r.status === 200 && o.produces) || 'application/json';
    const isBinary = type === workbookType || type === 'application/octet-stream';
    expect(r.headers.get('content-type'), told).toBe(isBinary ? type : `${type}; charset=utf-8`);
    expect(r.headers.get('x-request-id'), told).toMatch(/^[0-9a-f-]{36}$/);
    if (r.status === 200 && o.produces) return;
    if (r.status === 200) {
      expect(Object.keys(r.body), told).toEqual(['success', 'message', 'content']);
      expect([r.body.success, typeof r.body.message], told).toEqual([true, 'string']);
      const check = checks.get(o.id);
      if (!check?.Check(r.body.content))
        expect.fail(
          `content off its schema: ${JSON.stringify([...(check?.Errors(r.body.content) ?? [])].slice(0, 3))} ${told}`,
        );
      return;
    }
    expect(Object.keys(r.body), told).toEqual(['success', 'message']);
    expect([r.body.success, typeof r.body.message], told).toEqual([false, 'string']);
    expect(r.body.message.length, told).toBeGreaterThan(5);
    expect(r.body.message.length, told).toBeLessThan(2_000);
    const code = r.headers.get('x-error-code') as RefusalCode;
    if (!refusalsOf(o).includes(code)) expect.fail(`a code the description does not name: ${code}: ${told}`);
    expect(statusOf[refusalCodes[code][0]], told).toBe(r.status);
  };
}

/** What examples hold of persons, and of secrets. */
const personal = (value: unknown, name = ''): string[] => {
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([k, v]) => personal(v, Array.isArray(value) ? name : k));
  const telling = /email|phone|imei|secret|password|toAddress|accountNumber|latitude|longitude|caller_number/i;
  return telling.test(name) && String(value).length > 5 ? [String(value)] : [];
};

/** Expects that no fault was logged, and no key, secret or person in a log line of any level, or in a metric. */
export async function expectNothingTold(t: TestApp, accounts: readonly Account[]): Promise<void> {
  expect(t.logged.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  const told = [...t.logged, (await t.get('/metrics')).text];
  expect(told.length).toBeGreaterThan(operations.length);
  const sent = accounts.flatMap((a) => [a.apiKey.slice(31, 74), a.secret.slice(6)]);
  const canaries = [...new Set([...sent, ...operations.flatMap((o) => personal(o.example))])];
  expect(canaries.length).toBeGreaterThan(15);
  const formed = /asy(test)?_[0-9a-z]{26}_[\w-]{43}|whsec_[\w+/]{20}|ses_[0-9a-z]{26}_[\w-]{43}/;
  // How long an answer took has as many digits as a place on earth.
  for (const line of told.map((l) => l.replace(/"ms":[\d.]+/, ''))) {
    const found = canaries.filter((word) => line.includes(word));
    if (found.length > 0 || formed.test(line)) expect.fail(`${found} stood in ${line.slice(0, 400)}`);
  }
}
