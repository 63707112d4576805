// Puts a file into the drop by SFTP, as an operator's billing system does.
import ssh2 from 'ssh2';

export interface Login {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

export function upload(login: Login, name: string, text: string): Promise<void> {
  const connection = new ssh2.Client();
  return new Promise<void>((resolve, reject) => {
    connection
      .once('error', reject)
      .once('ready', () =>
        connection.sftp((failed, sftp) => {
          if (failed) return reject(failed);
          sftp.writeFile(`/cdr/incoming/${name}`, text, (e) => (e ? reject(e) : resolve()));
        }),
      )
      .connect({ ...login, readyTimeout: 20_000 });
  }).finally(() => connection.end());
}
