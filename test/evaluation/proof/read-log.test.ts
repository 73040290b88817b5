import { expect, it } from 'vitest'
import { orBroken } from '../../../src/evaluation/links.js'
import type { TimedCheckpoint } from '../../../src/evaluation/proof/checkpoints.js'
import { readLog } from '../../../src/evaluation/proof/read-log.js'

it('a stamped checkpoint of more entries than memory has is a finding', async () => {
  const size = Number.MAX_SAFE_INTEGER
  const checkpoint = { size, root: new Uint8Array(32) } as TimedCheckpoint
  const source = {
    ...{ name: 'example.org/made', file: 'history.sqlite' },
    async *checkpoints() {},
    async *entries() {
      yield [{ index: 0, leaf: new Uint8Array(32), key: undefined }]
    },
  }
  const nothing = () => undefined
  const read = await orBroken(() => readLog(source, [checkpoint], nothing, nothing))
  expect(read).toMatchObject({ ok: false, findings: [{ code: 'log-root-differs' }] })
})
