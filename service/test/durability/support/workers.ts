// The processes of a service that is started with several, as the supervisor tells of them. They are no children of the
// test.
import { isAlive } from '../../../src/platform/process-turns.ts';

/** Those of a role that were ready, in the order they were. */
export const readyAs = (output: string, role: string): number[] =>
  [...output.matchAll(new RegExp(`"role":"${role}","pid":(\\d+),"msg":"a worker is ready"`, 'g'))].map((m) =>
    Number(m[1]),
  );

/** Remembers all that it is asked about. */
export class Workers {
  readonly #pids = new Set<number>();

  /** Those of a role that were ready, in the order they were. */
  of(service: { output(): string }, role: 'serve' | 'follow'): number[] {
    for (const r of ['serve', 'follow']) for (const pid of readyAs(service.output(), r)) this.#pids.add(pid);
    return readyAs(service.output(), role);
  }

  alive(): number[] {
    return [...this.#pids].filter((pid) => isAlive(pid));
  }

  kill(): void {
    for (const pid of this.alive()) process.kill(pid, 'SIGKILL');
  }
}
