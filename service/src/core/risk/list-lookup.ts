// Which lists have an exact value: what a rule may ask about a payment. Answers from memory.

export const listKinds = ['wallet', 'ip', 'msisdn', 'person', 'mcc', 'country'] as const;
export type ListKind = (typeof listKinds)[number];

/** Names of the lists with the value, none if no list has it. */
export type ListLookup = (kind: ListKind, value: string) => readonly string[];

export const noLists: ListLookup = () => [];
