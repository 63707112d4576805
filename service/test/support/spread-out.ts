// The order in which test files start. Files that start and kill processes mostly wait: they are spread among the
// others, which use the pauses. Run together or last, they would leave the cores idle.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const waits = (file: TestSpecification): boolean => file.moduleId.includes('/service/test/durability/');

/** None of them starts with the last fifth of the files, which could end before it. */
const within = 0.8;

/** The other files are in vitest's own order: the longest first if it has run them before, otherwise the largest. */
export class SpreadOut extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), (f) => f.project.name);
    return [...byProject.values()].flatMap((sorted) => {
      const waiting = sorted.filter(waits);
      const others = sorted.filter((f) => !waits(f));
      const every = Math.max(1, Math.floor((others.length * within) / Math.max(1, waiting.length)));
      const spread = others.flatMap((f, i) => (i % every === 0 ? [...waiting.splice(0, 1), f] : [f]));
      return [...spread, ...waiting];
    });
  }
}
