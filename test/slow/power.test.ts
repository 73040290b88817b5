import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { madeMarket, madeRandom } from '../../bench/parts/made-market.mjs'
import { powerOnce } from '../../bench/parts/power-simulation.mjs'
import type { Registration } from '../../src/contract/types.js'
import { createCosineTables } from '../../src/inference/cosines.js'
import { computeComparatorErrors } from '../../src/lint/power/comparator.js'
import { planPower } from '../../src/lint/power/planned-design.js'
import { predictions, REDUCTIONS } from '../../src/lint/power/predict.js'
import { createCandidates } from '../../src/lint/power/run.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { createRegistration } from '../../src/registration/build.js'
import { readVintage } from '../../src/truth/closes/vintage.js'
import { COSINE, cosineProtocol, NOW, plan } from '../registration/made.js'
import { ROOT } from '../support/run.js'

const WINDOWS = 1000
/** What the prediction may be off by; two standard errors of the simulation are 3.2 points. */
const POINTS = 0.035

const REAL = fileURLToPath(
  new URL('../../../shared/data/closes_btcusd_1h_2024_2025.csv', import.meta.url),
)

/** Eight years: windows that hardly overlap. */
function madeCloses(): Float64Array {
  const size = { origins: 8 * 365 * 24, longestHorizon: 16 }
  return madeMarket(size, madeRandom('power/closes')).closes.values
}

function realCloses(): Float64Array {
  const { first, last, closeAt } = readVintage(REAL)
  const hours = (last - first) / 3_600_000_000 + 1
  return Float64Array.from({ length: hours }, (_, i) => closeAt(first + i * 3_600_000_000)!)
}

/** Candidates made from closes, for windows of any length: what takes longest. */
function madeFrom(values: Float64Array) {
  const closes = { first: 0, values }
  const [reference] = computeComparatorErrors(closes, ['persistence'], [2, 4, 8, 16], [])
  const made = createCandidates({ reference: reference!, all: [reference!] }, [], 1)
  return { ...made, closes, seed: 1, tables: createCosineTables() }
}

const UNDER = cosineProtocol(COSINE)

/** Predicted and simulated power in windows of so many blocks, by correlation and reduction. */
async function powers(made: ReturnType<typeof madeFrom>, blocks: number) {
  const registration = {
    ...createRegistration(plan(), compileRules(UNDER), NOW),
    comparators: [{ source: 'built_in', name: 'persistence', required_as: ['persistence'] }],
    window: { origins: blocks * 24 },
  } as unknown as Registration
  const { design } = planPower(registration, UNDER)
  const { laws } = made
  const predicted = await predictions(design, made, 1)
  const hits = laws.map(() => REDUCTIONS.map(() => 0))
  for (let index = 0; index < WINDOWS; index++) {
    const found: boolean[][] = powerOnce({ ...made, design }, index)
    found.forEach((row, law) => {
      row.forEach((each, at) => {
        hits[law]![at]! += Number(each)
      })
    })
  }
  return hits.flatMap((row, law) =>
    row.map((found, at) => ({
      what: `correlation ${laws[law]!.correlation}, reduction ${REDUCTIONS[at]}`,
      predicted: predicted[law]!.power(design.origins, REDUCTIONS[at]!),
      simulated: found / WINDOWS,
    })),
  )
}

const MADE = { name: 'made', closes: madeCloses, windows: [60, 365] }
const ON_REAL = { name: 'real', closes: realCloses, windows: [60, 180] }
const CLOSES = existsSync(REAL) ? [MADE, ON_REAL] : [MADE]

describe.each(CLOSES)('predicted power on $name closes', ({ closes, windows }) => {
  let made: ReturnType<typeof madeFrom>
  beforeAll(() => {
    made = madeFrom(closes())
  })

  it.each(windows)('is what is simulated: %i blocks', async (blocks) => {
    const off = (await powers(made, blocks)).filter(
      (each) => Math.abs(each.predicted - each.simulated) > POINTS,
    )
    expect(off).toEqual([])
  })
})

it.runIf(existsSync(REAL))('docs/not-for.md says what power says', async () => {
  const program = [join(ROOT, '.ci', 'not-for.mjs'), REAL, '--check']
  await expect(promisify(execFile)(process.execPath, program)).resolves.toBeTruthy()
})
