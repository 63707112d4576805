// What a generated world has planted in it, told by the ids under which the operators report it.

/** The operator's token and its record's id. */
export type RecordName = `${string} ${string}`;

export interface PlantedFileGap {
  readonly operator: string;
  readonly day: string;
  readonly from: number;
  readonly to: number;
}

export interface Planted {
  /** Lines that repeat a record; told once for each repetition. */
  readonly duplicates: RecordName[];
  /** The first and the later record of one call. */
  readonly nearDuplicates: [RecordName, RecordName][];
  readonly gaps: PlantedFileGap[];
  /** File numbers used by two files. */
  readonly doubledNumbers: { operator: string; day: string; number: number }[];
  /** Numbers and what about them stands out. */
  readonly indicators: Map<string, ('STATIC_LOCATION' | 'ONE_WAY' | 'SHARED_IMEI')[]>;
  /** Devices by IMEI and the numbers that call from them. */
  readonly sharedDevices: Map<string, string[]>;
  /** Pairs of calls that one device takes part in at once. */
  readonly overlaps: [RecordName, RecordName][];
  /** Records of each foreign network. */
  readonly foreign: Map<string, RecordName[]>;
  /** Off-net calls both sides report alike: the caller's record, the receiver's. */
  readonly matched: [RecordName, RecordName][];
  /** Reported by one side, with the operator that does not. */
  readonly unmatched: { record: RecordName; missingAt: string }[];
  readonly differing: [RecordName, RecordName][];
  readonly late: RecordName[];
  /** Lines that break a rule, with their code and the cost that can be read in them. */
  readonly bad: { operator: string; id: string; code: string; cost: string | undefined }[];
}

export const nothingPlanted = (): Planted => ({
  duplicates: [],
  nearDuplicates: [],
  gaps: [],
  doubledNumbers: [],
  indicators: new Map(),
  sharedDevices: new Map(),
  overlaps: [],
  foreign: new Map(),
  matched: [],
  unmatched: [],
  differing: [],
  late: [],
  bad: [],
});
