/**
 * `history seal` after 24 new rows, which another program wrote, in a large history against the same in a small
 * one, as whole processes.
 */
import { join } from 'node:path'
import { addRows, rows as madeRows, writeLines } from './parts/made-forecasts.mjs'
import { foreproof, inFolder, inTurns, median, promise, sizes } from './parts/measured.mjs'

const { rows, small, seals } = sizes({
  ...{ rows: [1_000_000, 2400], small: [10_000, 240], seals: [7, 1] },
})
const NEW = 24

await inFolder(async (folder) => {
  const seal = async (count) => {
    const history = join(folder, `${count}.sqlite`)
    const lines = join(folder, 'forecasts.ndjson')
    await writeLines(lines, madeRows(0, count))
    foreproof(['history', 'import', lines, '--history', history])
    foreproof(['history', 'seal', '--history', history, '--log', 'example.org/bench'])
    return (round) => {
      addRows(history, madeRows(count + round * NEW, count + (round + 1) * NEW))
      return foreproof(['history', 'seal', '--history', history]).cpu
    }
  }
  const taken = await inTurns(seals, { large: await seal(rows), small: await seal(small) })
  promise('seal, large / small', median(taken.large) / median(taken.small), { most: 1.5 })
})
