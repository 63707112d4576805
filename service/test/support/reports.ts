// Requests reports over HTTP and waits until they are made.
import { expect } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import type { TestApp } from './app.ts';
import { contentOf } from './guarantees.ts';

/** Waits until the report is DONE or FAILED, and returns it. */
export async function ended(t: Pick<TestApp, 'get'>, reportId: string, key: string) {
  return await until(`${reportId} has ended`, async () => {
    const r = contentOf(await t.get(`/v1/report/${reportId}`, key));
    return (r.state === 'DONE' || r.state === 'FAILED') && r;
  });
}

/**
 * Requests a report and waits until it is made: for who makes it, since asking over HTTP until it is there takes as long as
 * the making. That a request has it begun is tested where reports are asked for (api/report).
 */
export async function made(t: TestApp, body: unknown, key: string, headers: Record<string, string> = {}) {
  const { reportId } = contentOf(await t.post('/v1/report', body, key, headers));
  await t.app.following?.reports.work();
  const report = await ended(t, reportId, key);
  if (report.state === 'DONE') await expectOwnTitles(t, reportId, key);
  return report;
}

/** Who reads a page or a workbook has the titles of columns alone. */
async function expectOwnTitles(t: TestApp, reportId: string, key: string): Promise<void> {
  const { body } = await t.get(`/v1/report/${reportId}/json`, key);
  for (const { name, columns } of body.sections) {
    const titles = columns.map((c: { title: string }) => c.title);
    expect([name, titles.filter((title: string, i: number) => titles.indexOf(title) !== i)]).toEqual([name, []]);
  }
}

/** Waits until no report is pending, so that none writes journal entries while a test counts. */
export async function quiet(t: TestApp): Promise<void> {
  await until('all reports have ended', async () => {
    const [r] = await t.database.admin.query("SELECT 1 FROM reports WHERE state IN ('QUEUED', 'RUNNING') LIMIT 1");
    return r === undefined;
  });
}
