// JSON.rawJSON (ES2026 JSON source text access), in Node since 21, not yet in TypeScript's library.
interface JSON {
  /** A value that JSON.stringify writes as this text; the text must be a JSON primitive. */
  rawJSON(text: string): number;
  /** Whether a value was made by rawJSON. */
  isRawJSON(value: unknown): boolean;
}
