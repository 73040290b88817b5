import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scoreInto } from '../evaluation/score-into.js'
import { makeSeriesFolder } from '../evaluation/series-folder.js'
import { makeWorld, type World } from '../evaluation/world.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { blockWith, exchange, guide, putProgram, runLines } from './snippets.js'

const { snippets } = guide('evidence.md')
const home = temporaryFolder()
putProgram(join(home, 'bin'))

const readJson = (world: World, name: string) =>
  JSON.parse(readFileSync(join(world.folder, name), 'utf8'))

it('the digest of an hourly history is what sha256sum says of its export', async () => {
  const world = await makeWorld({ replicates: 100 })
  const { inputs } = (await scoreInto(world, 'evidence')).result
  const { window } = readJson(world, 'registration.json')
  const lines = exchange(
    exchange(blockWith('history export', snippets, 'sh'), '2025-01-02T02:00:00Z', window.from),
    '2025-02-10T00:00:00Z',
    window.to,
  )
  expect(await runLines(lines, world.folder, home)).toBe(`${inputs.history.sha256}  -\n`)
})

it('the digest of a history of any series is what ten lines of Python make of its export', async () => {
  const world = await makeSeriesFolder()
  const { inputs } = (await scoreInto(world, 'evidence')).result
  const { history } = world.paths
  const out = join(world.folder, 'history.ndjson')
  expect(await inProcess(['history', 'export', '--history', history, '--out', out])).toMatchObject({
    code: 0,
  })
  const { protocol_version: version } = world.protocol
  const script = exchange(blockWith('history.ndjson', snippets, 'python'), 'daily-1', version)
  const said = await runLines(`python3 - <<'END'\n${script}\nEND`, world.folder, home)
  expect(said).toBe(`${inputs.history.sha256}\n`)
  expect(inputs.history.rows).toBe(240)
})
