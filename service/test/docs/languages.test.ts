// The examples of docs/reference/examples.md, taken from the page, do what they say: all of a language run in one go, for a
// PSP of its own, and leave the same records in each. Java and PHP run where the machine has them.
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestApp, type TestApp } from '../support/app.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs/reference/examples.md'), 'utf8');
const [begin = '', ...sections] = page.split(/^## /m);

let t: TestApp;
let dir: string;
beforeAll(async () => {
  t = await makeTestApp();
  dir = mkdtempSync(join(tmpdir(), 'assay-languages-'));
  mkdirSync(join(dir, 'node_modules/@assay'), { recursive: true });
  symlinkSync(join(root, 'client'), join(dir, 'node_modules/@assay/client'));
  mkdirSync(join(dir, 'programs'));
  const curl = join(dir, 'programs/curl');
  // A line after each reply, and nothing after a refusal.
  writeFileSync(
    curl,
    `#!/bin/sh\nset -e\n"${process.execPath}" "${join(import.meta.dirname, 'curl-process.ts')}" "$@"\necho\n`,
  );
  chmodSync(curl, 0o755);
});
afterAll(async () => {
  await t?.stop();
  if (dir) rmSync(dir, { recursive: true, force: true });
});

const blocksIn = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block]) => block as string);

/** The content of a reply to a body with a ref, without its ids. */
const comparable = (content: object) =>
  JSON.parse(JSON.stringify(content, (name, value) => (/Id$/.test(name) ? undefined : value)));
const hasRef = (section: string) => /-d '\{\n {2}(?:"amount": \d+,\n {2})?"ref"/.test(section);
/** What declineTransaction and chargeBack name was recorded here under another ref. */
const asOnPage = (text: string) => text.replaceAll(/"to-(?:decline|charge-back)"/g, '"order-1001"');

const repliesOnPage = () =>
  sections
    .filter(hasRef)
    .map((s) => [s.split('\n')[0], comparable(JSON.parse(blocksIn(s, 'json')[0] as string) as object)]);

function repliesIn(printed: string) {
  const replies = asOnPage(printed)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { content: object }).content);
  return sections.flatMap((s, i) => (hasRef(s) ? [[s.split('\n')[0], comparable(replies[i] as object)]] : []));
}

interface Language {
  readonly name: string;
  readonly ending: string;
  readonly program: string;
  /** Before the name of the file. */
  readonly args?: readonly string[];
  readonly first?: string;
  readonly last?: string;
  /** Its examples print a refusal as they print a reply, and go on. */
  readonly goesOn?: true;
}
const languages: readonly Language[] = [
  { name: 'sh', ending: 'sh', program: 'bash', first: 'set -e' },
  { name: 'ts', ending: 'mts', program: process.execPath },
  { name: 'python', ending: 'py', program: 'python3' },
];
const wherePresent: readonly Language[] = [
  {
    name: 'java',
    ending: 'jsh',
    program: 'jshell',
    args: ['-J-Djava.util.prefs.userRoot=.', '-s'],
    last: '/exit',
    goesOn: true,
  },
  { name: 'php', ending: 'php', program: 'php', first: '<?php', goesOn: true },
];
/** Texts of several lines need Java 15. */
const least: Readonly<Record<string, number>> = { jshell: 15, php: 8 };
const present = ({ program }: Language) =>
  Number(/\d+/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '')) >= (least[program] ?? 0);

it.each([...languages, ...wherePresent.filter(present)])(
  'in $name succeed one after the other, and are recorded',
  async (l) => {
    const { name: language, ending, program, args = [], first = '', last = '' } = l;
    const psp = await t.makePsp(`PSP of ${language}`);
    const sell = async (ref: string) => {
      const body = { ref, totalAmount: 107.5, currency: 'NGN', countryCode: 'NG', transactionFee: 1.5 };
      const r = await t.post(
        '/v1/transaction/verifyTransaction',
        { ...body, paymentMethods: { card: 107.5 } },
        psp.apiKey,
      );
      return r.body.content.transactionId as string;
    };
    const [known] = [await sell('known'), await sell('to-decline'), await sell('to-charge-back')];
    const calls = sections.map((section) => {
      const [block, ...more] = blocksIn(section, language);
      expect([section.split('\n')[0], more]).toEqual([expect.any(String), []]);
      const ref = { declineTransaction: 'to-decline', chargeBack: 'to-charge-back' }[section.split('\n')[0] as string];
      const real = (block as string).replace('txn_01h455vb4pex5vsknk084sn02q', known as string);
      return ref === undefined ? real : real.replace('order-1001', ref);
    });
    expect(calls.length).toBeGreaterThanOrEqual(16);
    const file = join(dir, `calls.${ending}`);
    writeFileSync(file, [first, ...blocksIn(begin, language), ...calls, last].join('\n'));
    const env = {
      PATH: [join(dir, 'programs'), process.env.PATH].join(delimiter),
      PYTHONPATH: join(root, 'client-python'),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONWARNINGS: 'error',
      ASSAY: t.address,
      KEY: psp.apiKey,
    };
    const said = await new Promise<{ failed: boolean; text: string }>((resolve) => {
      execFile(program, [...args, file], { cwd: dir, env, timeout: 600_000 }, (e, stdout, stderr) =>
        resolve({ failed: e !== null, text: `${stdout}${stderr}` }),
      );
    });
    expect(said, said.text).toMatchObject({ failed: false });
    const answered = (success: boolean) => said.text.split(`"success":${success}`).length - 1;
    if (l.goesOn) expect([answered(true), answered(false)], said.text).toEqual([calls.length, 0]);
    if (language === 'sh') expect(repliesIn(said.text)).toEqual(repliesOnPage());
    const { items } = (await t.get('/v1/transaction?limit=100', psp.apiKey)).body.content;
    const refs = items.map((i: { ref: string }) => i.ref).sort();
    expect(refs).toEqual(expect.arrayContaining(['dep-1001', 'gd-1001', 'gw-1001', 'order-1001', 'wd-1001']));
    const order = items.find((i: { ref: string }) => i.ref === 'order-1001');
    expect([order.totalAmount, order.status]).toEqual([107.5, 'APPROVED']);
  },
);
