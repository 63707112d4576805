// The order in which test files start. Those that start and kill processes wait more than they work: they are spread among
// the others, so that these fill their pauses. Together, or as the last ones, they leave the cores idle.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const waits = (file: TestSpecification): boolean => file.moduleId.includes('/service/test/durability/');

/** None begins with the last fifth of the files, which could end before it. */
const within = 0.8;

/** Otherwise vitest's own order: the longest first where it has run them before, else the largest. */
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
