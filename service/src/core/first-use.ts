// A value that is made when it is first asked for, and kept for the life of the process.

/** @param make what it throws is thrown to the caller, and the next one tries again */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
