// Groups rows by some of their fields. Pure.

export type Grouped<R, K extends keyof R> = Pick<R, K> & {
  /** The fields' values as one text, to sort by. */
  readonly key: string;
  readonly rows: readonly R[];
};

/** Groups in the order in which they first occur. */
export const groupedBy = <R, K extends keyof R>(rows: readonly R[], by: readonly K[]): Grouped<R, K>[] =>
  [...Map.groupBy(rows, (r) => JSON.stringify(by.map((k) => r[k])))].map(([key, own]) => ({
    ...(Object.fromEntries(by.map((k) => [k, own[0]?.[k]])) as Pick<R, K>),
    key,
    rows: own,
  }));

export const byKey = (a: { readonly key: string }, b: { readonly key: string }): number => (a.key < b.key ? -1 : 1);
