// The common shape of all reports: what a kind's run returns, and what is added before rendering. Pure.
import type { Said } from '../said.ts';

/**
 * Format of a cell: `count` is a whole number, `decimal` and `money` exact decimal text, `percent` decimal text in per
 * cent.
 */
export type CellType = 'text' | 'count' | 'decimal' | 'money' | 'percent' | 'date' | 'time';

export interface ReportColumn<T = string> {
  /** Stable, camelCase: the key in JSON and the CSV column's heading. */
  readonly name: string;
  readonly title: T;
  readonly type: CellType;
  /** True if its texts are our codes, which the page shows in words. */
  readonly coded?: true;
}

/** Cells are exact text (decimals, ISO dates), one per column; null if there is no value. */
export interface ReportRow {
  readonly cells: readonly (string | null)[];
  /** API path of the rows this line sums. */
  readonly open?: string | undefined;
  /** On a page only: ids of the accounts whose names stand in the cells, by the column's place. */
  readonly ids?: ReadonlyMap<number, string>;
  /** Cells that are the service's own sentences, by the column's place. */
  readonly said?: ReadonlyMap<number, Said>;
}

interface ReportChart {
  readonly kind: 'bar' | 'line';
  /** Name of the column that labels the points. */
  readonly label: string;
  /** Names of the columns to draw, one series each. */
  readonly values: readonly string[];
}

export interface ReportSection<T = string> {
  /** Stable, camelCase, unique in its report: the value of `?section=`. */
  readonly name: string;
  readonly title: T;
  /** A sentence on what the figures include or leave out. */
  readonly note?: T;
  readonly columns: readonly ReportColumn<T>[];
  readonly rows: readonly ReportRow[];
  readonly chart?: ReportChart;
}

export interface ReportFact<T = string> {
  readonly name: string;
  readonly title: T;
  readonly value: T;
}

/** A document beside JSON, CSV and page, in a third party's format. */
interface ReportFurther {
  readonly name: 'xml';
  readonly contentType: string;
  /** The text, in order. */
  readonly pieces: readonly string[];
}

export interface ReportContent<T = string> {
  readonly title: T;
  /** The header: what was requested, for whom, from which inputs. */
  readonly facts: readonly ReportFact<T>[];
  /** True if the period was still open, so that figures may change. */
  readonly provisional: boolean;
  readonly sections: readonly ReportSection<T>[];
  /** Not compared between revisions: a section must also contain what it says, or its hash. */
  readonly further?: readonly ReportFurther[];
}

/** What a kind says: its sentences keep their values apart, so that a page can be in another language. */
export type Text = string | Said;
export type SaidSection = ReportSection<Text>;
export type SaidFact = ReportFact<Text>;
/** The result of a kind's `run`. */
export type SaidContent = ReportContent<Text>;

/** What the reports module adds to a report's content. */
export interface ReportHead {
  readonly reportId: string;
  readonly kind: string;
  /** The account the report is about, in wire form. */
  readonly clientId: string;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  /** Number of this report among those with the same parameters, from 1. */
  readonly revision: number;
  /** The moment of all figures: the PSP's last journal entry at that time, and the time. */
  readonly asOf: { readonly journalSeq: number; readonly time: string };
  /** Version of the tax rules in force at that moment. */
  readonly dataset: string;
}

export interface ReportDocument {
  readonly head: ReportHead;
  readonly content: ReportContent;
}
