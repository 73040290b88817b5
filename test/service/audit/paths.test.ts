import { openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { auditPathsOf } from '../../../src/service/audit/paths.js'
import { temporaryFolder } from '../../support/folder.js'

const folder = temporaryFolder()

it('gives each worker a file of its own', () => {
  const paths = auditPathsOf(join(folder, 'reads.jsonl'), 2, '--audit-log')
  const names = [1, 2].map((number) => join(folder, `reads.worker-${number}.jsonl`))
  expect(paths).toEqual(names)
})

it.each([1, 2])(
  'refuses a file by the name of an open one, which rotation would move (%i)',
  (workers) => {
    const path = `/dev/fd/${openSync(join(folder, 'out'), 'w')}`
    expect(() => auditPathsOf(path, workers, '--audit-log')).toThrow(`--audit-log is ${path}`)
  },
)
