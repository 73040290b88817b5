import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Files that start processes go first: the last ones to end are then short. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ project }: TestSpecification) => project.name === 'process'
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

// `npm test` runs the first three projects and needs nothing but Node; the others are run by
// `npm run test:full`, whose preparation is in .ci/prepare.
export default defineConfig({
  root,
  test: {
    // Much of a test is waiting for another process: one worker more than processors fills it.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          root,
          pool: 'threads',
          // Nothing in src/ keeps a state, so that the files of a worker can share its modules: loading
          // them anew for each file took a fifth of the time.
          isolate: false,
          restoreMocks: true,
          // One worker more than processors: a test may wait for its turn.
          testTimeout: 60_000,
          setupFiles: ['.ci/property-seed.ts'],
          include: ['test/**/*.test.ts'],
          exclude: ['test/{process,browser,slow,outside}/**', 'test/**/*.mocked.test.ts'],
        },
      },
      {
        test: {
          // Tests that put another module in the place of one: no other file may see that.
          name: 'mocked',
          root,
          pool: 'threads',
          testTimeout: 60_000,
          include: ['test/**/*.mocked.test.ts'],
        },
      },
      {
        test: {
          name: 'process',
          root,
          setupFiles: ['.ci/property-seed.ts'],
          include: ['test/process/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'outside',
          root,
          include: ['test/outside/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'slow',
          root,
          include: ['test/slow/**/*.test.ts'],
          testTimeout: 900_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'browser',
          root,
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
