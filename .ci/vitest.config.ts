import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Removes after each file what its tests made. */
const END = 'test/support/setup.ts'

/** Files that take long, the longest of test:full first; of the units, those that would begin last or take longest. */
const LONGEST = [
  'evaluation/forged',
  'lint/power/power',
  'slow/node-versions',
  'slow/killed-writers',
  'slow/conformance-mutants',
  'slow/conformance-while-written',
  'slow/power',
  'slow/recipes',
  'browser/verify',
  'browser/demo',
  'browser/verify-forged',
  'outside/first-evaluation',
  'outside/python-package',
  'outside/python-random',
  'outside/publish-s3',
  'slow/time-whole-way',
  'outside/inference',
  'outside/postgres-commands',
  'outside/exported-tables',
  'slow/series-power',
  'slow/series-calibration',
  'slow/time-mutants',
  'browser/report',
  'outside/openapi-clients',
  'slow/publish-s3-kill',
  'slow/forged',
  'outside/postgres-faults',
  'slow/null-calibration',
  'outside/postgres-service',
  'outside/time-openssl',
  'slow/witness-histories',
  'outside/publish-s3-faults',
  'slow/gate',
  'slow/four-branches',
  'outside/postgres-store',
  'slow/log-rewritten',
  'outside/time-guide',
  'outside/limiter',
  'slow/audit-rewritten',
]
const PROJECTS = ['slow', 'browser', 'outside', 'process']

/** Then the others that start processes. The last ones to end are short, so that no processor waits for one. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const long = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      if (long >= 0) return long
      const kind = PROJECTS.indexOf(project.name)
      return LONGEST.length + (kind >= 0 ? kind : PROJECTS.length)
    }
    // Those of one rank stay in order.
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

// `npm test` runs the first two projects and needs nothing but Node; the others are run by
// `npm run test:full`, whose preparation is in .ci/prepare.
export default defineConfig({
  root,
  test: {
    // A test waits now and then: one worker more than processors fills that. Tests of other processes wait more, so
    // that `npm run test:full` asks for two workers a processor of CI (in percent, no more than one can be had).
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          root,
          // Nothing in src/ keeps a state, so that the files of a worker can share its modules: loading
          // them anew for each file took a fifth of the time.
          isolate: false,
          restoreMocks: true,
          // One worker more than processors: a test may wait for its turn, and so may what it prepares.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          setupFiles: [END, '.ci/property-seed.ts'],
          include: ['test/**/*.test.ts'],
          exclude: ['test/{process,gate,browser,slow,outside}/**', 'test/**/*.mocked.test.ts'],
        },
      },
      {
        test: {
          // Tests that put another module in the place of one: no other file may see that.
          name: 'mocked',
          root,
          setupFiles: [END],
          pool: 'threads',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          include: ['test/**/*.mocked.test.ts'],
        },
      },
      {
        test: {
          // Tests that start processes, those of git among them. Each file has a small process of its own: to
          // start another one out of that of the units, which holds all modules, takes ten times as long.
          name: 'process',
          root,
          setupFiles: [END, '.ci/property-seed.ts'],
          include: ['test/{process,gate}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'outside',
          root,
          setupFiles: [END, '.ci/property-seed.ts'],
          include: ['test/outside/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'slow',
          root,
          setupFiles: [END],
          include: ['test/slow/**/*.test.ts'],
          testTimeout: 900_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'browser',
          root,
          setupFiles: [END],
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
