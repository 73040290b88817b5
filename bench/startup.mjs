/** `validate` of one protocol, as a whole process, against `node -e 0`, by the clock: the least of each. */
import { foreproof, inTurns, promise, ROOT, sizes, spent } from './parts/measured.mjs'

const { runs } = sizes({ runs: [20, 1] })
const { node, validate } = await inTurns(runs, {
  node: () => spent(process.execPath, ['-e', '0']),
  validate: () => foreproof(['validate', 'protocols/btcusd-hourly-1.json'], { cwd: ROOT }),
})
const least = (taken) => Math.min(...taken.map(({ seconds }) => seconds))
promise('validate / node', least(validate) / least(node), { most: 3.2 })
