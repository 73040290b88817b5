import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { draftText } from '../protocol/sample.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'

it('every one of many that freeze at once gets a place in the chain', async () => {
  const cwd = temporaryFolder()
  const versions = Array.from({ length: 8 }, (_, i) => `v${i}`)
  const ends = await Promise.all(
    versions.map((version) => foreproof('freeze -', { cwd, input: draftText(version) })),
  )
  expect(ends.map(({ code }) => code)).toEqual(versions.map(() => 0))
  const { code, stdout } = await foreproof('verify protocols --format json', { cwd })
  expect([code, JSON.parse(stdout).ledgers[0].entries]).toEqual([0, 8])
  expect(readdirSync(join(cwd, 'protocols'))).toHaveLength(9)
})
