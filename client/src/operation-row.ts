// What the client knows of an operation at run time; the generated table has one row for each.
export interface OperationRow {
  readonly method: string;
  /** With `{name}` where a path parameter stands. */
  readonly path: string;
  /** Names of the path parameters. */
  readonly inPath?: readonly string[];
  /** It takes a JSON body; its query then is `expand` alone. */
  readonly body?: true;
  /** It answers with a document and not with the envelope. */
  readonly text?: true;
  /** Sending it twice does no more than sending it once. */
  readonly idempotent?: true;
  /** Names of the body's exact decimals: `items[]` for members of a list, `amounts.*` for any member of an object. */
  readonly decimals?: readonly string[];
  /** Names of the reply's whole numbers that are counts and no amounts. */
  readonly integers?: readonly string[];
}
