// An operator's nightly job: drops a file of call detail records by SFTP, has it picked up and prints what became of
// it. ASSAY_URL and ASSAY_KEY lead to the service, SFTP_HOST and SFTP_PORT to its file drop; the file is the argument.
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Assay } from '@assay/client';
import ssh2 from 'ssh2';

const { ASSAY_URL = 'http://127.0.0.1:8080', ASSAY_KEY, SFTP_HOST = '127.0.0.1', SFTP_PORT = '2222' } = process.env;
const [path = 'calls.csv'] = process.argv.slice(2);
const name = basename(path);
const assay = new Assay({ baseUrl: ASSAY_URL, apiKey: ASSAY_KEY });

/** Uploads the file; a real job keeps its login, with a key, and checks the host's key. */
async function upload(username: string, password: string): Promise<void> {
  const connection = new ssh2.Client();
  const done = new Promise<void>((resolve, reject) => {
    connection.once('error', reject).once('ready', () => {
      connection.sftp((error, sftp) => {
        if (error) reject(error);
        else sftp.fastPut(path, `/cdr/incoming/${name}`, (failed) => (failed ? reject(failed) : resolve()));
      });
    });
  });
  connection.connect({ host: SFTP_HOST, port: Number(SFTP_PORT), username, password });
  await done.finally(() => connection.end());
}

async function completed() {
  for (;;) {
    for await (const file of assay.pages('listCdrFiles')) {
      if (file.fileName !== name) continue;
      if (file.completedAt !== null) return file;
      console.log(`${file.progress.percent} %`);
      break;
    }
    await pause(500);
  }
}

const { loginId, username, password } = await assay.createSftpCredentials({ name: 'nightly job' });
await upload(username, password as string);
await assay.pickUpCdrFiles();
const file = await completed();
console.log(`${file.state}: ${file.counts.accepted} of ${file.counts.total} records accepted`);
for await (const e of assay.pages('listCdrFileErrors', { fileId: file.fileId }))
  console.log(`line ${e.line}, ${e.column}: ${e.message}`);
await assay.revokeSftpCredentials({ loginId, reason: 'the file is in' });
