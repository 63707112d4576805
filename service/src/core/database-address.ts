// The address of a database: its form, and the text that says which database it means without its password.

const host = String.raw`(\[[0-9a-f:]+\]|[^\s:,@/?#[\]]+)(:\d{1,5})?`;
/** The form of DATABASE_URL. A socket's folder is given as a parameter, so the host may be missing. */
export const databaseAddress = new RegExp(
  `^postgres(ql)?://([^/?#]*@)?(${host}(,${host})*)?(/[^?#]*)?([?][^#]*)?$`,
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
