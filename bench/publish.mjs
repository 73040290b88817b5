/**
 * `publish`, as a whole process: the first build against `cp -r` of the site it makes, and a rebuild after 24 new
 * rows against the same of a small history.
 */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { addRows, rows as madeRows } from './parts/made-forecasts.mjs'
import {
  foreproof,
  inFolder,
  inTurns,
  least,
  median,
  promise,
  sizes,
  spent,
} from './parts/measured.mjs'

const { rows, small, rebuilds, rounds } = sizes({
  ...{ rows: [1_000_000, 2400], small: [10_000, 240], rebuilds: [7, 1], rounds: [3, 1] },
})
const NEW = 24

await inFolder(async (folder) => {
  const history = (count) => join(folder, `${count}.sqlite`)
  const build = (count, out) => foreproof(['publish', '--history', history(count), '--out', out])
  const siteOf = (count, round) => join(folder, `site-${count}-${round}`)
  for (const count of [rows, small]) addRows(history(count), madeRows(0, count))
  // A file system is slow to make files for a while after it has removed many: nothing is removed in between.
  const first = await inTurns(rounds, {
    built: (round) => build(rows, siteOf(rows, round)),
    copied: (round) =>
      spent('cp', ['-r', realpathSync(siteOf(rows, round)), join(folder, `copy-${round}`)]),
  })
  promise('cp -r / first build', least(first.copied) / least(first.built), {
    least: 0.07,
  })
  build(small, siteOf(small, 0))
  const again = (count) => (round) => {
    addRows(history(count), madeRows(count + round * NEW, count + (round + 1) * NEW))
    return build(count, siteOf(count, 0)).cpu
  }
  const taken = await inTurns(rebuilds, { large: again(rows), small: again(small) })
  promise('rebuild, large / small', median(taken.large) / median(taken.small), { most: 1.5 })
})
