// The one shape of all reports: what a kind's run gives, and what the frame adds before it is rendered. Pure.

/** How a cell reads: `count` is a whole number, `decimal` and `money` exact decimal text, `percent` decimal text of per cent. */
export type CellType = 'text' | 'count' | 'decimal' | 'money' | 'percent' | 'date' | 'time';

export interface ReportColumn {
  /** Stable, camelCase: the key in JSON and the head of the CSV column. */
  readonly name: string;
  readonly title: string;
  readonly type: CellType;
}

/** Cells are exact texts (decimal text, ISO dates), one per column; null where there is none. */
export interface ReportRow {
  readonly cells: readonly (string | null)[];
  /** API path of the rows this line is made of. */
  readonly open?: string;
}

export interface ReportChart {
  readonly kind: 'bar' | 'line';
  /** Name of the column that labels a point. */
  readonly label: string;
  /** Names of the columns drawn, one series each. */
  readonly values: readonly string[];
}

export interface ReportSection {
  /** Stable, camelCase, unique in its report: what `?section=` names. */
  readonly name: string;
  readonly title: string;
  /** A sentence on what the figures are, or are not. */
  readonly note?: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  readonly chart?: ReportChart;
}

export interface ReportFact {
  readonly name: string;
  readonly title: string;
  readonly value: string;
}

/** A document beside JSON, CSV and page, in a form of others. */
export interface ReportFurther {
  readonly name: 'xml';
  readonly contentType: string;
  /** The text, in order. */
  readonly pieces: readonly string[];
}

/** What a kind's `run` gives. */
export interface ReportContent {
  readonly title: string;
  /** The head: what was asked, of whom, over which inputs. */
  readonly facts: readonly ReportFact[];
  /** Whether the period was still open, so that figures may change. */
  readonly provisional: boolean;
  readonly sections: readonly ReportSection[];
  /** Not compared between revisions: what it says must stand in a section as well, or its hash. */
  readonly further?: readonly ReportFurther[];
}

/** What the frame knows of a report beside its content. */
export interface ReportHead {
  readonly reportId: string;
  readonly kind: string;
  /** The account concerned, as on the wire. */
  readonly clientId: string;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  /** Counts the reports of the same parameters, from 1. */
  readonly revision: number;
  /** The moment all figures are of: the PSP's last journal entry then, and the time. */
  readonly asOf: { readonly journalSeq: number; readonly time: string };
  /** Version of the tax rules that were in force then. */
  readonly dataset: string;
}

export interface ReportDocument {
  readonly head: ReportHead;
  readonly content: ReportContent;
}
