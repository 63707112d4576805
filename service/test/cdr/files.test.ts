// Call detail files (Spec 4.15, 8.1): each line is accounted for once, whatever the file contains.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromWire } from '../../src/core/ids.ts';
import { type CdrFile, findAnyFile } from '../../src/modules/telecom/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  type CdrRow,
  cdrHeader,
  cdrLine,
  cdrRow,
  cdrText,
  dataDirOf,
  drop,
  status,
  tree,
  wideHeader,
  wideLine,
} from '../support/cdr-files.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let files = 0;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
});
afterAll(() => t.stop());

/** Takes one file in, of a client of its own, and gives what is told of it. */
async function takeIn(content: string | Buffer, name = `calls-${++files}.csv`, of?: Account) {
  client = of ?? (await t.makeClient(psp));
  drop(dataDirOf(t), client, name, content);
  await t.app.services.cdrIntake.pickUp();
  return status(dataDirOf(t), client, name);
}

/** What the archive has of a file. */
async function asItCame(file: CdrFile): Promise<string | undefined> {
  const bytes = await t.app.services.cdrIntake.readArchived(file);
  return bytes && Buffer.concat(await Array.fromAsync(bytes)).toString();
}

const recorded = async (): Promise<number> =>
  (await t.database.admin.query('SELECT count(*) AS n FROM cdrs WHERE account_id = $1', [client.uuid]))[0]?.n as number;
const codes = (s: { errors: { line: number; code: string }[] }) => s.errors.map((e) => `${e.line} ${e.code}`);

describe('a sound file', () => {
  it('is recorded whole, told as ACCEPTED, and archived sealed, with its bytes unaltered', async () => {
    const text = cdrText(cdrRow(1), cdrRow(2), cdrRow(3));
    const told = await takeIn(text, 'sound.csv');
    expect(told).toMatchObject({
      schemaVersion: 1,
      fileName: 'sound.csv',
      sizeBytes: text.length,
      state: 'ACCEPTED',
      counts: { total: 3, accepted: 3, rejected: 0, duplicate: 0, warned: 0 },
      control: { declared: null, computed: { records: 3, sumDuration: '360', sumCost: '73.5' } },
      errorSummary: [],
      errors: [],
      errorsTruncated: false,
    });
    expect(told.fileId).toMatch(/^cdf_/);
    expect(await recorded()).toBe(3);
    expect(tree(dataDirOf(t), 'incoming')).toEqual([]);
    expect(tree(dataDirOf(t), 'processing')).toEqual([]);
    const file = (await findAnyFile(t.app.services.db, fromWire('cdrFile', told.fileId) as string)) as CdrFile;
    const archived = tree(dataDirOf(t), 'archive/2026/11/21').filter((p) => p.includes(file.id));
    expect(archived.map((p) => basename(p))).toEqual(['file.csv.sealed']);
    expect(readFileSync(archived[0] as string).includes('2348031234567')).toBe(false);
    expect(await asItCame(file)).toBe(text);
  });

  it('may have columns in any order, quotes, a mark of UTF-8, CRLF, empty lines and no last line end', async () => {
    const wide = wideLine(cdrRow(1, { network_provider: 'MTN, "Nigeria"', voip_details_codec: 'opus' }));
    const told = await takeIn(`\ufeff${wideHeader.toUpperCase()}\r\n${wide}\r\n\r\n${wideLine(cdrRow(2))}`);
    expect([told.state, told.counts.total, told.counts.accepted]).toEqual(['ACCEPTED', 2, 2]);
  });

  it('cut at any byte is told so, unless it was cut at the end of a line', async () => {
    // The cost stands last: what is left of it is a cost too, a smaller one.
    const header = cdrHeader.split(',').filter((c) => c !== 'billing_information_call_cost');
    const line = (n: number) => {
      const row = cdrRow(n, { billing_information_call_cost: '24.50' });
      return [...header, 'billing_information_call_cost'].map((c) => row[c as keyof typeof row]).join();
    };
    const whole = `${[...header, 'billing_information_call_cost'].join()}\n${line(1)}\n`;
    const begins = line(7_000);
    for (const bytes of [1, 40, begins.length - 3, begins.length]) {
      const told = await takeIn(whole + begins.slice(0, bytes));
      expect(told.errors[0]).toMatchObject({ line: 3, code: 'LAST_LINE_OPEN', severity: 'warning' });
    }
    for (const sound of [`${whole}\n`, `${whole}${line(2)}\r\n`, `${whole}#TRAILER,1,,`])
      expect((await takeIn(sound)).errors.map((e: { code: string }) => e.code)).not.toContain('LAST_LINE_OPEN');
  });

  it('is the example of the reference page', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/call-files.md'), 'utf8');
    const told = await takeIn(/```\n([\s\S]*?)```/.exec(page)?.[1] as string);
    expect([told.state, told.counts.accepted, told.counts.warned]).toEqual(['ACCEPTED', 2, 0]);
    expect(told.control.declared).toEqual({ records: 2, sumDuration: '120', sumCost: '28.5' });
  });

  it('may end as spreadsheets and mediation systems end it: blank lines, separators, a trailer as wide as its lines', async () => {
    const width = cdrHeader.split(',').length;
    const quoted = Array(width).fill('""').join(',');
    const blank = ['', '  \t', ','.repeat(width - 1), quoted, '\r'].join('\n');
    const rows = [cdrRow(1), cdrRow(2)].map((r) => cdrLine(r)).join('\n');
    const trailers = [
      '#TRAILER,2,240,49.00',
      `#TRAILER,2,240,49.00${','.repeat(width - 4)}`,
      '"#TRAILER","2","240","49.00"',
    ];
    for (const [i, trailer] of trailers.entries()) {
      const told = await takeIn(`${cdrHeader}\n${rows}\n${blank}\n${trailer}\n${blank}`, `ends-${i}.csv`);
      expect([told.state, told.counts.total, told.counts.accepted, told.errors]).toEqual(['ACCEPTED', 2, 2, []]);
      expect(told.control.declared).toMatchObject({ records: 2, sumDuration: '240' });
    }
    const short = await takeIn(`${cdrHeader}\n${rows}\n${blank}\n"#TRAILER","3"\n`);
    expect([short.state, codes(short)]).toEqual(['REJECTED', ['9 TRAILER_MISMATCH']]);
  });

  it('is kept out with what to do when it is compressed or in UTF-16', async () => {
    const text = cdrText(cdrRow(1));
    for (const [bytes, message] of [
      [gzipSync(text), 'the file is compressed; send it unpacked'],
      [Buffer.from(`\ufeff${text}`, 'utf16le'), 'UTF-16; write it in UTF-8'],
      [Buffer.from(text, 'utf16le'), 'UTF-16; write it in UTF-8'],
      [Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'UTF-16; write it in UTF-8'],
    ] as const) {
      const told = await takeIn(bytes);
      expect([told.state, codes(told)]).toEqual(['REJECTED', ['1 NOT_UTF8']]);
      expect(told.errors[0].message).toContain(message);
    }
  });

  it('shows its records in the list, as those that came by REST', async () => {
    await takeIn(cdrText(cdrRow('list-1')));
    const list = await t.get('/v1/telecom/cdr', client.apiKey);
    expect(list.body.content.items).toMatchObject([{ callType: 'VOICE', record: { cdr_id: 'CDR-list-1' } }]);
  });

  it('keeps devices and places sealed, under the key of the caller', async () => {
    const row = wideLine(
      cdrRow(1, {
        imei_caller: '490154203237518',
        caller_location_latitude: '6.5244',
        caller_location_longitude: '3.3792',
      }),
    );
    await takeIn(`${wideHeader}\n${row}\n`);
    const rows = await t.database.admin.query('SELECT record, sealed FROM cdrs WHERE account_id = $1', [client.uuid]);
    expect(rows[0]?.record).not.toContain('490154203237518');
    const [{ cdrId }] = (await t.get('/v1/telecom/cdr', client.apiKey)).body.content.items;
    const shown = await t.get(`/v1/telecom/cdr/${cdrId}?expand=personal`, client.apiKey);
    expect(shown.body.content.record).toMatchObject({
      imei_caller: '490154203237518',
      caller_location: { latitude: 6.5244, longitude: 3.3792 },
    });
  });
});

describe('a file with bad lines', () => {
  it('has every line accepted, kept out or known as a duplicate, exactly once', async () => {
    const told = await takeIn(
      cdrText(
        cdrRow(1),
        cdrRow(2, { caller_number: '' }),
        cdrRow(3, { call_duration_seconds: 'two' }),
        cdrRow(4, { call_end_time: '2026-11-21T08:00:00Z' }),
        cdrRow(5, { call_start_time: '2026-11-21T11:00:00Z', call_end_time: '2026-11-21T11:02:00Z' }),
        cdrRow(6, { billing_information_currency: 'XXQ' }),
        cdrRow(7, { billing_information_call_cost: '-1' }),
        `${cdrLine(cdrRow(8))},one more`,
        cdrLine(cdrRow(9)).replace('VOICE', '"VOICE'),
        cdrRow(1),
        cdrRow(1, { network_provider: 'Glo' }),
        cdrRow(10, { call_type: 'TELEX' }),
        '  x  ',
      ),
    );
    expect(told.state).toBe('PARTIALLY_ACCEPTED');
    expect(told.counts).toEqual({ total: 13, accepted: 2, rejected: 10, duplicate: 1, warned: 1 });
    expect(codes(told)).toEqual([
      '3 REQUIRED',
      '4 NUMBER_EXPECTED',
      '5 END_BEFORE_START',
      '6 START_IN_FUTURE',
      '7 CURRENCY_UNKNOWN',
      '8 NEGATIVE',
      '9 FIELD_COUNT',
      '10 QUOTE_OPEN',
      '12 CDR_ID_CONFLICT',
      '13 CALL_TYPE_UNKNOWN',
      '14 FIELD_COUNT',
    ]);
    expect(told.errors[0]).toEqual({
      line: 3,
      byteOffset: Buffer.byteLength(cdrText(cdrRow(1))),
      cdr_id: 'CDR-2',
      column: 'caller_number',
      code: 'REQUIRED',
      severity: 'error',
      message: "the field 'caller_number' is required",
      value: null,
    });
    expect(await recorded()).toBe(2);
  });

  it('has numbers as switches write them taken, national ones by the country of its account', async () => {
    const told = await takeIn(
      cdrText(
        cdrRow(1, { caller_number: '2348031234567', receiver_number: '08059876543' }),
        cdrRow(2, { caller_number: '08031234567', receiver_number: '447911123456', call_duration_seconds: '95' }),
        cdrRow(3, { caller_number: '1234567' }),
      ),
    );
    expect(told.counts).toEqual({ total: 3, accepted: 2, rejected: 1, duplicate: 0, warned: 2 });
    expect(codes(told)).toEqual(['2 NATIONAL_NUMBER', '3 NATIONAL_NUMBER', '3 DURATION_BILLED', '4 PARTY_INVALID']);
    const list = (await t.get('/v1/telecom/cdr', client.apiKey)).body.content.items;
    expect(list.map((c: { record: CdrRow }) => [c.record.caller_number, c.record.receiver_number])).toEqual([
      ['+2348031234567', '+447911123456'],
      ['+2348031234567', '+2348059876543'],
    ]);
  });

  it('says what is wrong with numbers by their first digits alone', async () => {
    const told = await takeIn(
      cdrText(
        cdrRow(1, { caller_number: '08031234567' }),
        cdrRow(2, { receiver_number: '+234 805 987 6543 ext' }),
        cdrRow(3, { caller_number: '+0348031234567', receiver_number: '00348059876543210987' }),
      ),
      'numbers.csv',
    );
    expect(told.errors.map((e: { value: string }) => e.value)).toEqual([
      '080312*****',
      '+234 805 98* **** ext',
      '+03480312*****',
      '00348059************',
    ]);
    const [kept] = await t.database.admin.query(
      `SELECT concat((SELECT string_agg(warnings, '') FROM cdrs WHERE account_id = $1),
         (SELECT string_agg(findings, '') FROM cdr_suspense WHERE account_id = $1),
         (SELECT string_agg(w.findings, '') FROM cdr_file_warnings w JOIN cdr_files f ON f.psp_id = w.psp_id AND f.id = w.file_id
           WHERE f.account_id = $1),
         (SELECT string_agg(body, '') FROM journal WHERE account_id = $1)) AS text`,
      [client.uuid],
    );
    const listed = (await t.get(`/v1/telecom/file/${told.fileId}/errors`, client.apiKey)).text;
    expect(kept?.text).toContain('080312*****');
    for (const text of [JSON.stringify(told), kept?.text as string, listed])
      for (const digits of ['803123', '805 987', '805987']) expect(text).not.toContain(digits);
  });

  it('harms no line by another one that is no UTF-8 or has no end', async () => {
    const bad = Buffer.from([0xff, 0xfe, 0x41]);
    const told = await takeIn(
      Buffer.concat([
        Buffer.from(cdrText(cdrRow(1))),
        bad,
        Buffer.from(`\n${cdrLine(cdrRow(2))}\n${'x'.repeat(10_000_000)}\n${cdrLine(cdrRow(3))}\n`),
      ]),
    );
    expect(told.counts).toEqual({ total: 5, accepted: 3, rejected: 2, duplicate: 0, warned: 0 });
    expect(codes(told)).toEqual(['3 NOT_UTF8', '5 LINE_TOO_LONG']);
  });
});

describe('a file as a whole', () => {
  it.each([
    ['is empty', '', 'HEADER_MISSING'],
    ['is separated by semicolons', cdrText(cdrRow(1)).replaceAll(',', ';'), 'SEPARATOR'],
    ['is separated by tabs', cdrText(cdrRow(1)).replaceAll(',', '\t'), 'SEPARATOR'],
    ['has line ends of old Macintosh programs', cdrText(cdrRow(1)).replaceAll('\n', '\r'), 'LINE_ENDS'],
    [
      'has such line ends and many lines',
      cdrText(...Array.from({ length: 500 }, (_, i) => cdrRow(i))).replaceAll('\n', '\r'),
      'LINE_ENDS',
    ],
    ['has no header', `${cdrLine(cdrRow(1))}\n`, 'HEADER_MISSING'],
    ['lacks a required column', cdrText(cdrRow(1)).replace('cdr_id,', 'some_id,'), 'COLUMN_MISSING'],
    ['has a column twice', cdrText(cdrRow(1)).replace('timestamp', 'cdr_id'), 'COLUMN_DOUBLED'],
    ['was cut off before its trailer says so', cdrText(cdrRow(1), '#TRAILER,2,240,49.00'), 'TRAILER_MISMATCH'],
    ['has a trailer that cannot be read', cdrText(cdrRow(1), '#TRAILER,many'), 'TRAILER_MALFORMED'],
    ['is a renamed zip', Buffer.from('504b0304140000000800ffd8fe00c3280a41', 'hex'), 'NOT_UTF8'],
    ['has 50,000 columns', `${Array.from({ length: 50_000 }, (_, i) => `c${i}`).join()}\n1\n`, 'LINE_TOO_LONG'],
  ])('is kept out when it %s', async (_, content, code) => {
    const told = await takeIn(content);
    expect([told.state, told.errors[0]?.code]).toEqual(['REJECTED', code]);
    expect(told.counts.accepted).toBe(0);
    expect(await recorded()).toBe(0);
  });

  it('is accepted with the sums its trailer declares, and told where they differ', async () => {
    const sound = await takeIn(cdrText(cdrRow(1), cdrRow(2), '#TRAILER,2,240,49'));
    expect([sound.state, sound.control.declared]).toEqual([
      'ACCEPTED',
      { records: 2, sumDuration: '240', sumCost: '49' },
    ]);
    expect(sound.errors).toEqual([]);
    const odd = await takeIn(cdrText(cdrRow(1), '#TRAILER,1,120,24.51'));
    expect([odd.state, odd.errors[0].code, odd.errors[0].severity]).toEqual(['ACCEPTED', 'CONTROL_SUM', 'warning']);
  });

  it.each([
    ['a header alone', `${cdrHeader}\n`],
    ['a header and a trailer of no records', `${cdrHeader}\n#TRAILER,0,0,0\n`],
  ])('of %s is accepted and says that nothing was recorded', async (_what, text) => {
    const told = await takeIn(text);
    expect([told.state, told.counts.total]).toEqual(['ACCEPTED', 0]);
    expect(told.errors).toMatchObject([
      { code: 'NO_RECORDS', severity: 'warning', message: expect.stringContaining('nothing was recorded') },
    ]);
  });

  it('may name columns that are not known: they are told and passed over', async () => {
    const told = await takeIn(`${wideHeader},cell_id\n${wideLine(cdrRow(1))},77\n`);
    expect([told.state, told.errors[0].code, told.counts.accepted]).toEqual(['ACCEPTED', 'COLUMN_UNKNOWN', 1]);
  });
});

describe('what was sent before', () => {
  it('is told as DUPLICATE_FILE with the first one, and changes nothing', async () => {
    const first = await takeIn(cdrText(cdrRow(1), cdrRow(2)), 'first.csv');
    const again = await takeIn(cdrText(cdrRow(1), cdrRow(2)), 'again.csv', client);
    expect([again.state, again.duplicateOf]).toEqual(['DUPLICATE_FILE', first.fileId]);
    expect(await recorded()).toBe(2);
  });

  it('leaves the status file of the first one of its name as it is', async () => {
    const text = cdrText(cdrRow(1), cdrRow(2, { caller_number: '' }));
    const first = await takeIn(text, 'same.csv');
    await takeIn(text, 'same.csv', client);
    await takeIn(cdrText(cdrRow(2)), 'same.csv', client);
    const told = ['same.csv', 'same.csv.2', 'same.csv.3'].map((name) => status(dataDirOf(t), client, name));
    expect(told[0]).toEqual(first);
    expect(codes(told[0])).toEqual(['3 REQUIRED']);
    expect(told.map((s) => s.state)).toEqual(['PARTIALLY_ACCEPTED', 'DUPLICATE_FILE', 'ACCEPTED']);
  });

  it('is counted as duplicates when it stands in another file, also what came by REST', async () => {
    const of = await t.makeClient(psp);
    const r = await t.post(
      '/v1/telecom/recordCDR',
      {
        cdr_id: 'CDR-1',
        timestamp: '2026-11-21T09:02:05Z',
        caller_number: '002348031234567',
        receiver_number: '+2348059876543',
        call_start_time: '2026-11-21T09:00:00Z',
        call_end_time: '2026-11-21T09:02:00Z',
        call_duration_seconds: 120,
        call_type: 'VOICE',
        call_status: 'COMPLETED',
        network_provider: 'MTN Nigeria',
        billing_information: { call_cost: 24.5, currency: 'NGN' },
      },
      of.apiKey,
    );
    expect(r.status).toBe(200);
    const told = await takeIn(cdrText(cdrRow(1), cdrRow(2)), 'both.csv', of);
    expect([told.state, told.counts]).toEqual([
      'ACCEPTED',
      { total: 2, accepted: 1, rejected: 0, duplicate: 1, warned: 0 },
    ]);
  });

  it('of another account is nobody’s duplicate', async () => {
    await takeIn(cdrText(cdrRow(1)));
    const told = await takeIn(cdrText(cdrRow(1)));
    expect([told.state, told.counts.accepted]).toEqual(['ACCEPTED', 1]);
  });
});
