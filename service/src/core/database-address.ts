// The address of a database: its form, and the text that says which database it means without its password.

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

/**
 * Which database an address means: the address without its password, and what the driver takes of the environment where
 * the address leaves it open.
 */
export const identityOf = (url: string, env: Readonly<Record<string, string | undefined>>): string =>
  [
    url.replace(/^([^/]*\/\/[^/?#:@]*):[^/?#@]*@/, '$1@').replace(/([?&]password=)[^&]*/g, '$1'),
    ...['PGHOST', 'PGPORT', 'PGUSER', 'PGDATABASE', 'PGOPTIONS'].map((name) => env[name] ?? ''),
  ].join('\n');
