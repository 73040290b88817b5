import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

// `npm test` runs the first two projects and needs nothing but Node; the others are run by
// `npm run test:full`, whose preparation is in .ci/prepare.
export default defineConfig({
  root,
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          root,
          setupFiles: ['.ci/property-seed.ts'],
          include: ['test/**/*.test.ts'],
          exclude: ['test/{process,browser,slow,outside}/**'],
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
