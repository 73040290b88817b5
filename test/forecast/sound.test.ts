import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkBody } from '../../src/conformance/body.js'
import { RuleChecks } from '../../src/conformance/judge.js'
import { STATIC_RULES } from '../../src/contract/conformance-rules.js'
import { hasNoErrors } from '../../src/contract/findings/finding.js'
import type { ForecastResource } from '../../src/contract/types.js'
import { importResources } from '../../src/history/import/import.js'
import { verifyHistory } from '../../src/history/verify.js'
import { publishSite } from '../../src/site/publish.js'
import { STATIC_PAGE, sample } from '../history/samples.js'
import { alter, EPOCH, opened, writeProducer } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'

const folder = temporaryFolder()
let runs = 0

/** What a producer may write of a forecast, right and wrong. */
interface Values {
  readonly price: number
  readonly source: number
  readonly change: number
  readonly target: string
  readonly bounds: readonly (number | null)[]
  readonly agreement: number
}

const TARGET = '2026-01-01T02:00:00+00:00'
const price = fc.oneof(
  fc.double({ min: 1, max: 1e6, noNaN: true }),
  fc.constantFrom(0, -1, 0.003, 50_000, 50_000),
)
const values: fc.Arbitrary<Values> = fc
  .record({
    price,
    source: price,
    off: fc.constantFrom(0, 0, 0, 0.01, 0.03, 50),
    target: fc.constantFrom(TARGET, TARGET, TARGET, '2026-01-01T03:00:00+00:00'),
    bounds: fc.constantFrom([1, 2, 3], [null, null, null], [3, 2, 4], [1, null, 3]),
    agreement: fc.constantFrom(0.5, 0.5, 0.5, 1.5),
  })
  .map(({ off, ...rest }) => {
    const change = rest.source === 0 ? 0 : (rest.price / rest.source - 1) * 100
    return { ...rest, change: change * 1.0001 + off }
  })

function resourceOf({ price, source, change, target, bounds, agreement }: Values) {
  const base = sample()
  const [lower_usd = null, median_usd = null, upper_usd = null] = bounds
  return {
    ...base,
    target_at: target,
    estimate: { price_usd: price, change_pct: change },
    interval: { level: 0.8, lower_usd, median_usd, upper_usd },
    confidence: { ...base.confidence, score: agreement, evidence: { model_agreement: agreement } },
    lineage: { ...base.lineage, source: { ...base.lineage.source, price_usd: source } },
  } satisfies ForecastResource
}

/** A producer's history of one row, which says the same. */
function historyOf(at: string, { price, source, change, target, bounds, agreement }: Values) {
  writeProducer(at, [{ hour: 0, model: 'alpha', horizon: 2, run: 'run-1' }])
  alter(at, 'UPDATE forecast_origins SET source_price_usd = ?', source)
  const columns = `target_at = ?, predicted_price_usd = ?, predicted_change_pct = ?,
    q10_usd = ?, q50_usd = ?, q90_usd = ?, model_agreement = ?`
  const values = [target, price, change, ...bounds, agreement]
  alter(at, `UPDATE forecast_predictions SET ${columns}`, ...values)
  return at
}

/** Whether each of them calls the row sound. */
async function verdicts(row: Values) {
  const at = join(folder, `${++runs}`)
  mkdirSync(at)
  const resource = resourceOf(row)
  const options = { now: EPOCH * 1000 }
  const imported = await importResources(join(at, 'i.sqlite'), [resource], options)
  const history = historyOf(join(at, 'h.sqlite'), row)
  const verified = await verifyHistory(history)
  const reader = opened(history)
  const settings = { baseUrl: undefined, staleAfterSeconds: 60, inPlace: true }
  const out = join(at, 'site')
  const published = await publishSite({ reader, out, now: EPOCH * 1000, ...settings }).catch(
    () => undefined,
  )
  const judge = new RuleChecks(STATIC_RULES)
  checkBody(judge, 'static-page', Buffer.from(JSON.stringify(STATIC_PAGE([resource]))), 'page')
  rmSync(at, { recursive: true })
  return {
    import: hasNoErrors(imported.findings) && imported.written === 1,
    verify: hasNoErrors(verified.findings),
    publish: published !== undefined && hasNoErrors(published.findings),
    conformance: judge.findings.length === 0,
  }
}

const SOUND: Values = {
  price: 50_500,
  source: 50_000,
  change: 1,
  target: TARGET,
  bounds: [1, 2, 3],
  agreement: 0.5,
}
/** Each of them alike. */
const all = (is: boolean) => ({ import: is, verify: is, publish: is, conformance: is })

describe('import, verify, publish and conformance', () => {
  // Specification, section 2.1.
  it.each<[string, Partial<Values>, boolean]>([
    ['a forecast as it should be', {}, true],
    ['a change of 50 % where the price is the source price', { price: 50_000, change: 50 }, false],
    ['a change rounded to two digits', { price: 50_501.3, change: 1 }, true],
    ['a target an hour late', { target: '2026-01-01T03:00:00+00:00' }, false],
    ['a price of 0', { price: 0, change: -100 }, false],
    ['a source price below 0', { source: -1, change: -5_050_100 }, false],
    ['bounds that cross', { bounds: [3, 2, 4] }, false],
  ])('say the same of %s', async (_name, change, sound) => {
    expect(await verdicts({ ...SOUND, ...change })).toEqual(all(sound))
  })

  it('agree on any row', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (row) => {
        const found = await verdicts(row)
        expect(found).toEqual(all(found.conformance))
      }),
      { numRuns: 40 },
    )
  })
})
