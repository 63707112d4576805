// Validation of XML against a schema: errors are reported, and a missing schema does not crash it.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { messageEnd, messageNamespace, messageStart } from '../../src/core/cesop/message.ts';
import { schemaIn, XsdCheck, type XsdThreadData } from '../../src/modules/cesop/xsd-check.ts';

const own = fileURLToPath(new URL('../support/fixtures/cesop-xsd', import.meta.url));
const head = {
  memberState: 'DE',
  messageId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  quarter: 4,
  year: 2026,
  at: '2026-11-21T10:00:00.000Z',
  psp: { id: 'psp_1', name: 'A' },
  empty: true,
};

async function problems(schema: XsdThreadData, ...texts: string[]): Promise<[string, number][]> {
  const check = new XsdCheck(schema);
  try {
    for (const text of texts) await check.check(text);
    return [...check.problems];
  } finally {
    await check.stop();
  }
}

describe('a schema', () => {
  const schema = schemaIn(own) as XsdThreadData;

  it('finds nothing wrong with a sound message, and each fault of others, counted', async () => {
    const sound = messageStart(head) + messageEnd;
    const wrong = messageStart({ ...head, messageId: 'no id', memberState: 'Germany' }) + messageEnd;
    expect(await problems(schema, sound)).toEqual([]);
    const told = await problems(schema, sound, wrong, wrong);
    expect(told.map(([text]) => text).join('\n')).toMatch(/TransmittingCountry[\s\S]*MessageRefId/);
    expect(new Set(told.map(([, n]) => n))).toEqual(new Set([2]));
  });

  it('is not needed for telling that a text is no XML', async () => {
    expect((await problems(schema, '<CESOP>'))[0]?.[0]).toMatch(/tag/i);
  });

  it('that cannot be read is told instead of a verdict', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-xsd-'));
    expect(schemaIn(join(dir, 'none'))).toMatch(/cannot be read \(ENOENT\)/);
    expect(schemaIn(dir)).toMatch(/has no \.xsd file with the targetNamespace/);
    writeFileSync(join(dir, 'a.xsd'), `<xs:schema targetNamespace="${messageNamespace}">`);
    expect((await problems(schemaIn(dir) as XsdThreadData, '<a/>'))[0]?.[0]).toMatch(/the schema cannot be read/);
  });
});
