// One connection to the file drop, from handshake to end: its login and the number of its sessions. It only opens SFTP
// sessions; shells, commands and forwarding have no handler.
import type { Socket } from 'node:net';
import ssh2, { type Algorithms, type ParsedKey } from 'ssh2';
import { toWire } from '../../core/ids.ts';
import type { Needs } from '../../modules/kernel/needs.ts';
import { type Drop, type Drops, findSftpLogin, type SftpLogin } from '../../modules/telecom/index.ts';
import { every } from '../../platform/every.ts';
import { errorFields } from '../../platform/log.ts';
import { networkOf } from '../../platform/network.ts';
import type { Passwords } from '../../platform/passwords.ts';
import { Flow } from './flow.ts';
import type { SftpLimits } from './limits.ts';
import { type DropObserver, SftpSession } from './session.ts';
import { signIn } from './sign-in.ts';

const algorithms: Algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group14-sha256',
  ],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com'],
  serverHostKey: ['ssh-ed25519', 'rsa-sha2-512', 'rsa-sha2-256'],
  compress: ['none'],
};

export interface ConnectionOptions {
  readonly services: Needs<'clock' | 'log' | 'db'>;
  readonly drops: Drops;
  readonly passwords: Passwords;
  readonly keys: readonly ParsedKey[];
  readonly limits: SftpLimits;
  readonly observe: DropObserver;
  /** Records a failed sign-in; returns whether the address may try again. */
  failed(): boolean;
  /** Keys are exchanged; returns whether the address may have it so soon. */
  mayExchange(): boolean;
}

export interface Served {
  readonly signedIn: boolean;
  /** Ends it, and resolves when its running work is cleaned up. */
  end(): Promise<void>;
}

export function serveConnection(socket: Socket, o: ConnectionOptions): Served {
  const { services: s, limits } = o;
  const sessions = new Set<SftpSession>();
  const open = { count: 0 };
  let channels = 0;
  let login: SftpLogin | undefined;
  let drop: Drop | undefined;
  /** Set when the login has ended: nothing is done for it any more, though its connection may still be open. */
  let over = false;
  let tries = 0;

  const grace = setTimeout(() => socket.destroy(), limits.graceMs);
  const gone = new Promise<void>((done) => {
    socket.once('close', () => {
      clearTimeout(grace);
      void checking.stop();
      Promise.all([...sessions].map((session) => session.end())).then(() => done());
    });
  });

  /** Asks the database, and closes the connection if the login has ended. Unfinished uploads are discarded. */
  async function stillAllowed(): Promise<boolean> {
    if (over || login === undefined) return false;
    const current = await findSftpLogin(s.db, login.username);
    if (current?.id === login.id) return !over;
    over = true;
    s.log.info(
      { login: toWire('sftpLogin', login.id) },
      'an SFTP connection was ended: its login was revoked or its account closed',
    );
    // Leaves time to send a running answer.
    setTimeout(() => socket.destroy(), 100).unref();
    return false;
  }
  // If the database cannot be asked, the next operation that needs it fails anyway.
  const checking = every(limits.recheckMs, () => login !== undefined && !over && stillAllowed());

  // One server per connection, so that its events belong to this socket.
  const server = new ssh2.Server({
    hostKeys: o.keys.map((key) => ({ key })),
    algorithms,
    ident: 'Assay',
    keepaliveInterval: 30_000,
    keepaliveCountMax: 3,
  });
  server.on('connection', (connection) => {
    const flow = new Flow(socket, limits);
    connection.on('error', (e) => s.log.debug({ error: e.message }, 'an SFTP connection failed'));
    // Anybody may ask for new keys at any time, which costs the one who asks nothing; no client does before it has signed in.
    connection.on('rekey', () => {
      if (login === undefined || !o.mayExchange()) socket.destroy();
    });
    connection.on('authentication', (context) =>
      signIn(s.db, o.passwords, context, {
        from: `sftp ${networkOf(socket.remoteAddress)}`,
        failed() {
          o.observe.signIn('failed');
          return o.failed() && ++tries < limits.tries;
        },
        async signedIn(found) {
          drop = await o.drops.of(found.account);
          login = found;
          o.observe.signIn('signed_in');
        },
        broken(e) {
          o.observe.signIn('error');
          // A client that has disconnected cannot be answered, which is no fault.
          if (socket.readyState === 'open') s.log.error(errorFields(e), 'an SFTP sign-in could not be checked');
        },
        end: () => socket.destroy(),
      }),
    );
    connection.on('ready', () => {
      clearTimeout(grace);
      flow.start();
    });
    connection.on('session', (accept, reject) => {
      if (!drop || channels >= limits.sessions) return reject();
      const options = {
        drop,
        flow,
        limits,
        observe: o.observe,
        log: s.log,
        clock: s.clock,
        open,
        ended: () => over,
        stillAllowed,
      };
      channels++;
      const session = accept();
      session.on('close', () => channels--);
      session.on('sftp', (acceptSftp) => {
        const sftp = acceptSftp();
        const made = new SftpSession(sftp, options);
        sessions.add(made);
        sftp.on('end', async () => {
          await made.end(true);
          sessions.delete(made);
        });
      });
    });
  });
  server.injectSocket(socket);

  return {
    get signedIn() {
      return login !== undefined;
    },
    async end() {
      socket.end();
      setTimeout(() => socket.destroy(), 1_000).unref();
      await gone;
    },
  };
}
