// Prometheus metrics of the file drop: sign-ins, connections, uploads and their bytes.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { DropObserver } from '../sftp/session.ts';

export class DropMetrics implements DropObserver {
  readonly #signIns: Counter<'outcome'>;
  readonly #refused: Counter;
  readonly #uploads: Counter<'outcome'>;
  readonly #bytes: Counter;

  /** @param connections asked at each scrape */
  constructor(registry: Registry, connections: () => number) {
    const registers = [registry];
    this.#signIns = new Counter({
      name: 'assay_sftp_sign_ins_total',
      help: 'Sign-ins to the file drop by outcome: signed_in, failed, or error where the database could not be asked.',
      labelNames: ['outcome'],
      registers,
    });
    this.#refused = new Counter({
      name: 'assay_sftp_refused_connections_total',
      help: 'Connections to the file drop that were not let in: too many, or too many failed sign-ins.',
      registers,
    });
    this.#uploads = new Counter({
      name: 'assay_sftp_uploads_total',
      help: 'Uploads by outcome: finished, or abandoned where the connection, the disk or a quota ended them.',
      labelNames: ['outcome'],
      registers,
    });
    this.#bytes = new Counter({
      name: 'assay_sftp_received_bytes_total',
      help: 'Bytes of uploads that were written.',
      registers,
    });
    new Gauge({
      name: 'assay_sftp_connections',
      help: 'Open connections to the file drop.',
      registers,
      collect() {
        this.set(connections());
      },
    });
  }

  signIn(outcome: string): void {
    this.#signIns.inc({ outcome });
  }

  refused(): void {
    this.#refused.inc();
  }

  received(bytes: number): void {
    this.#bytes.inc(bytes);
  }

  uploaded(outcome: string): void {
    this.#uploads.inc({ outcome });
  }
}
