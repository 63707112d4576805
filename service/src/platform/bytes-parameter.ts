// A statement whose only parameter is many bytes, which are sent from where they stand. The driver copies a parameter twice, into
// memory of twice its size each time: measured, V8 then collects the whole heap for every twenty or so of a mebibyte.
import pg from 'pg';

/** Smaller ones are cheap to copy. */
const large = 1 << 16;

/** The statement's only parameter, if it is many bytes. */
export function largeBytes([value, ...more]: readonly unknown[] = []): Uint8Array | undefined {
  return more.length === 0 && value instanceof Uint8Array && value.byteLength >= large ? value : undefined;
}

/** What is used of the driver's connection and query beyond their declared types. */
interface Sends {
  readonly stream: { write(bytes: Uint8Array): boolean };
  bind(config: { portal?: string; statement?: string }): void;
}
const prepared = pg.Query.prototype as unknown as { prepare(this: pg.Query, connection: Sends): void };

export class WithBytes<R extends pg.QueryResultRow> extends pg.Query<R> {
  readonly #bytes: Uint8Array;

  /** @param bytes large, and unchanged until the answer */
  constructor(
    statement: pg.QueryConfig,
    bytes: Uint8Array,
    answered: (e: Error | undefined, result: pg.ResultBuilder<R>) => void,
  ) {
    super(statement, answered);
    this.#bytes = bytes;
  }

  /** Called by the driver, between `cork` and `uncork` of the stream. */
  prepare(connection: Sends): void {
    const bind = ({ statement = '', portal = '' }: { portal?: string; statement?: string }) => {
      const names = Buffer.from(`${portal}\0${statement}\0`);
      // Message type and length; names; one format, binary; one value with its length; all results as text.
      const head = Buffer.alloc(5 + names.length + 10);
      head.write('B');
      head.writeInt32BE(head.length - 1 + this.#bytes.length + 2, 1);
      names.copy(head, 5);
      let at = 5 + names.length;
      at = head.writeInt16BE(1, at);
      at = head.writeInt16BE(1, at);
      at = head.writeInt16BE(1, at);
      head.writeInt32BE(this.#bytes.length, at);
      connection.stream.write(head);
      connection.stream.write(this.#bytes);
      connection.stream.write(Buffer.alloc(2));
    };
    prepared.prepare.call(this, Object.assign(Object.create(connection), { bind }));
  }
}
