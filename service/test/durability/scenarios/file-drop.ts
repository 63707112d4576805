// Call detail files over SFTP whose upload breaks off, while the service is killed: every line of each finished file is
// accounted for once, and no line of an unfinished one.
import type { Client as SshClient } from 'ssh2';
import { call, connect, sftpOf, upload } from '../../sftp/support/drop.ts';
import { cdrRow, cdrText } from '../../support/cdr-files.ts';
import { checkFiles, type SentFile } from '../support/check-files.ts';
import { until } from '../support/conditions.ts';
import { killService } from '../support/faults.ts';
import { sftpLogin } from '../support/ground.ts';
import type { Party } from '../support/history.ts';
import { blame, holdRounds } from '../support/rounds.ts';
import { onSharedServer, type Place } from '../support/scenes.ts';
import type { Scenario } from './scenario.ts';

type Login = Awaited<ReturnType<typeof sftpLogin>>;

let made = 0;

/** Every tenth line is kept out, every seventh says again what the one before it said. */
function file(lines: number): { name: string; text: string; rejected: number; repeated: number } {
  const n = ++made;
  const name = `calls_${process.pid}_${n}.csv`;
  let rejected = 0;
  let repeated = 0;
  const rows = Array.from({ length: lines }, (_, i) => {
    if (i % 10 === 9) {
      rejected++;
      return cdrRow(`${n}-${i}`, { caller_number: '' });
    }
    if (i % 7 === 6 && i % 10 !== 0) repeated++;
    return cdrRow(i % 7 === 6 && i % 10 !== 0 ? `${n}-${i - 1}` : `${n}-${i}`);
  });
  return { name, text: cdrText(...rows), rejected, repeated };
}

export const settings = { CDR_SFTP: 'embedded', SFTP_PORT: '0', CDR_PICKUP_CRON: '0 0 1 1 *' };

export const scenario: Scenario = {
  name: 'file-drop',
  fault: 'SFTP cut mid-file, with kill -9 of the service',
  done: 'Four files of 9,000 lines a round, each cut once in its middle and then sent whole; they are taken in under load, and the service is killed while it records their lines.',
  async run(stage, wanted) {
    const place = wanted.place ?? (await onSharedServer(stage, wanted, 1, settings));
    const party = place.ground.clients[0] as Party;
    const login = await sftpLogin(place.ground, party);
    const sent: SentFile[] = [];
    const [files, lines] = wanted.form === 'short' ? [2, 3000] : [4, 9000];
    const tally = await holdRounds(place, wanted, async (seed) => {
      const before = await recorded(place);
      for (let i = 0; i < files; i++) {
        const f = file(lines);
        await cutAndSent(place, login, f);
        sent.push({ name: f.name, account: party.account, lines, rejected: f.rejected, repeated: f.repeated });
      }
      await pickUp(place, party);
      await until('lines are being recorded', async () => (await recorded(place)) > before);
      const inHand = await unfinished(place);
      const round = await killService(place, seed, 20);
      const left = await unfinished(place);
      await until('all files are finished', async () => (await unfinished(place)) === 0, 300_000);
      return { ...round, void: round.void || inHand === 0 || left === 0 };
    });
    blame(tally, await checkFiles(place.db, sent));
    const [cut] = await place.db.query("SELECT count(*) AS n FROM cdr_files WHERE name LIKE 'cut%'");
    if (cut?.n !== 0)
      tally.violations.push({ check: 'C8', what: `${cut?.n} files were taken in that were never finished` });
    tally.notes.push(`${sent.length} files of ${lines} lines, each cut once before`);
    return tally;
  },
};

const sftpAt = ({ service }: Place) => {
  const [, host, port] = /SFTP\s+sftp:\/\/(.+):(\d+)\n/.exec(service.output()) ?? [];
  return { host: host as string, port: Number(port) };
};

/** Breaks off in the middle, under the same name and under another, and then sends the file whole. */
async function cutAndSent(p: Place, login: Login, f: { name: string; text: string }): Promise<void> {
  for (const name of [f.name, `cut_${f.name}`]) {
    const broken: SshClient = await connect(sftpAt(p), login);
    broken.on('error', () => undefined);
    const sftp = await sftpOf(broken);
    const handle = await call<Buffer>((done) => sftp.open(`/cdr/incoming/${name}`, 'w', done));
    const half = Buffer.from(f.text.slice(0, f.text.length >> 1));
    await call((done) => sftp.write(handle, half, 0, Math.min(half.length, 30_000), 0, done));
    broken.destroy();
  }
  const sound = await connect(sftpAt(p), login);
  await upload(await sftpOf(sound), `/cdr/incoming/${f.name}`, f.text);
  sound.end();
}

async function pickUp({ client, service }: Place, party: Party): Promise<void> {
  const r = await client.call(service.address, 'POST', '/v1/telecom/pickUp', { 'x-api-key': party.apiKey }, '{}');
  if (r.status !== 200) throw new Error(`pickUp answered ${r.status}: ${r.text}`);
}

const count = async ({ db }: Place, what: string) =>
  (await db.query(`SELECT count(*) AS n FROM ${what}`))[0]?.n as number;
const recorded = (p: Place) => count(p, 'cdrs');
const unfinished = (p: Place) => count(p, "cdr_files WHERE state IN ('QUEUED', 'PROCESSING')");
