// What the client knows about an operation at run time; the generated table has one row per operation.
export interface OperationRow {
  readonly method: string;
  /** With `{name}` in place of each path parameter. */
  readonly path: string;
  /** Names of the path parameters. */
  readonly inPath?: readonly string[];
  /** Takes a JSON body; its only query parameter is then `expand`. */
  readonly body?: true;
  /** Answers with a document instead of the envelope. */
  readonly text?: true;
  /** Answers with a document that is no text. */
  readonly bytes?: true;
  /** Sending it twice has the same effect as sending it once. */
  readonly idempotent?: true;
  /** Names of the body's exact decimals: `items[]` for members of a list, `amounts.*` for any member of an object. */
  readonly decimals?: readonly string[];
  /** Names of whole numbers in the reply that are counts, not amounts. */
  readonly integers?: readonly string[];
}
