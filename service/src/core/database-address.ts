// The address of a database: its form, the names of its parameters, and the text that says which database it means without
// its password.
import { probablyMeant } from './misspelt.ts';

const host = String.raw`(\[[0-9a-f:]+\]|[^\s:,@/?#[\]]+)(:\d{1,5})?`;
/** A character, or one that is written as `%40`. */
const part = (but: string) => String.raw`([^\s%@${but}]|%[0-9a-f]{2})*`;
/**
 * The form of DATABASE_URL. A socket's folder is given as a parameter, so the host may be missing. An @ in the password
 * would make its rest the name of the host.
 */
export const databaseAddress = new RegExp(
  `^postgres(ql)?://(${part('/?#')}@)?(${host}(,${host})*)?(/${part('?#')})?([?][^#]*)?$`,
  'i',
);

/** What PostgreSQL's own library knows, and the driver beside it, by its own reading of case. */
const parameters =
  `host hostaddr port dbname user password passfile require_auth channel_binding connect_timeout client_encoding encoding options
  application_name fallback_application_name keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout
  replication gssencmode gssdelegation gsslib krbsrvname service servicefile sslmode sslnegotiation sslcompression sslcert sslkey
  sslkeylogfile sslpassword sslcertmode sslrootcert sslcrl sslcrldir sslsni requirepeer ssl_min_protocol_version
  ssl_max_protocol_version min_protocol_version max_protocol_version target_session_attrs load_balance_hosts scram_client_key
  scram_server_key oauth_issuer oauth_client_id oauth_client_secret oauth_scope
  ssl uselibpqcompat statement_timeout lock_timeout idle_in_transaction_session_timeout query_timeout binary`.split(
    /\s+/,
  );
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * What is wrong with an address of the right form, as words that continue its name; undefined if nothing is. A parameter
 * that nobody reads would be dropped without a word, and with a misspelt sslmode nothing would be encrypted.
 */
export function wrongInAddress(url: string): string | undefined {
  const [address = '', query = ''] = url.split('?');
  const hosts = (address.split('/')[2] ?? '').split('@').at(-1) as string;
  const ports = hosts.split(',').map((host) => host.slice(host.indexOf(']') + 1).split(':')[1] ?? '');
  const port = ports.find((digits) => Number(digits) > 65_535);
  if (port !== undefined) return `has the port ${port}; ports go to 65535`;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== '' && !parameters.includes(name)) {
      const meant = probablyMeant(name, parameters);
      return `has the parameter '${name}', which PostgreSQL does not know${meant === undefined ? '' : `; is ${meant} meant?`}`;
    }
    if (name === 'sslmode' && !sslModes.includes(value))
      return `has the sslmode '${value}', which must be one of ${sslModes.join(', ')}`;
  }
  return undefined;
}

/**
 * Which database an address means: the address without its password, and what the driver takes of the environment where
 * the address leaves it open.
 */
export const identityOf = (url: string, env: Readonly<Record<string, string | undefined>>): string =>
  [
    url.replace(/^([^/]*\/\/[^/?#:@]*):[^/?#@]*@/, '$1@').replace(/([?&]password=)[^&]*/g, '$1'),
    ...['PGHOST', 'PGPORT', 'PGUSER', 'PGDATABASE', 'PGOPTIONS'].map((name) => env[name] ?? ''),
  ].join('\n');
