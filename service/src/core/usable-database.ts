// Whether a database can hold the service's tables, and what to do where it cannot.

export interface DatabaseTraits {
  /** As PostgreSQL numbers it: 160004 for 16.4. */
  readonly version: number;
  readonly standby: boolean;
  readonly takesWrites: boolean;
  readonly encoding: string;
}

const leastMajor = 16;

/** Why it cannot, in a sentence for who starts the service; undefined if it can. */
export function whyUnusable(is: DatabaseTraits): string | undefined {
  const major = Math.floor(is.version / 10_000);
  if (major < leastMajor)
    return `the server of DATABASE_URL is PostgreSQL ${major}.${is.version % 10_000}; Assay needs ${leastMajor} or later`;
  if (is.standby)
    return 'the server of DATABASE_URL is a standby, which takes no writes; name the primary, or both servers with target_session_attrs=read-write';
  if (!is.takesWrites)
    return 'the database takes no writes from the role of DATABASE_URL: default_transaction_read_only is on; set it off for the database and the role';
  if (is.encoding !== 'UTF8')
    return `the database has the encoding ${is.encoding}, which cannot hold every name; make another one: CREATE DATABASE assay ENCODING 'UTF8' TEMPLATE template0`;
  return undefined;
}
