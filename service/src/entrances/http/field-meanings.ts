// What fields mean that have one meaning wherever they occur: the OpenAPI document says it of each that says nothing of
// its own.
export const fieldMeanings: Readonly<Record<string, string>> = {};

/** What query parameters mean, where that is not what the field of the name means. */
export const filterMeanings: Readonly<Record<string, string>> = {};
