import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { InferenceMethod, Plan, Protocol } from '../../src/contract/types.js'
import { buildRegistration } from '../../src/registration/build.js'
import { protocolLimits } from '../../src/registration/limits.js'
import { planFindings } from '../../src/registration/plan-rules.js'
import { cosineProtocol, ewc, foundIn, NOW, plan, sealed } from './made.js'

const VERDICT: InferenceMethod = {
  method: 'ewc-t',
  weights: { verdict: 0.6, deciding: 0.3, other: 0.1 },
}
const found = (changed: Partial<Plan>, under = cosineProtocol()) =>
  planFindings(plan(changed), under, NOW).map(({ code, severity, pointer }) =>
    [severity, code, pointer].join(' '),
  )
const frozen = (name: string): Protocol =>
  JSON.parse(readFileSync(new URL(`../../protocols/${name}.json`, import.meta.url), 'utf8'))

describe('the limits of a protocol', () => {
  it.each(['btcusd-hourly-1', 'btcusd-hourly-2'])('are read from the texts of %s', (name) => {
    expect(protocolLimits(frozen(name))).toEqual({
      ...{ per_horizon_regression: 0.05, directional_loss: 0.02, direction_epsilon: 1e-6 },
      ...{ availability_limit: 0.02, availability_limit_stratum: 0.05 },
    })
  })

  it('are those that a text states, and the usual ones where it states none or several', () => {
    const under = frozen('btcusd-hourly-2')
    under.design.limits.per_horizon_regression =
      'At most 0.1 (a tenth) at any horizon of 2.5 hours.'
    under.design.limits.directional_loss = 'Somewhere between 0.03 and 0.04.'
    under.estimands.point.secondary.direction = 'No direction within 1e-5, or v0.5, or 0.25%.'
    expect(protocolLimits(under)).toMatchObject({
      ...{ per_horizon_regression: 0.1, directional_loss: 0.02, direction_epsilon: 1e-5 },
    })
  })
})

describe('a plan with verdict hypotheses', () => {
  it.each([
    ['per_horizon_regression', 100],
    ['directional_loss', 0.03],
    ['direction_epsilon', 0.05],
    ['availability_limit', 0.021],
    ['availability_limit_stratum', 0.5],
  ])('may not loosen %s', (name, limit) => {
    const limits = { [name]: limit }
    const refused = `error limit-beyond-protocol /limits/${name}`
    expect(found({ inference: VERDICT, limits })).toEqual([refused])
    // Earlier plans were warned.
    expect(found({ inference: ewc(), limits })).toEqual([`warning limit-loosened /limits/${name}`])
  })

  it('may be stricter, and has the numbers of the protocol where it gives none', () => {
    const under = cosineProtocol()
    under.design.limits.per_horizon_regression = 'At most 0.03.'
    const strict = plan({ inference: VERDICT, limits: { directional_loss: 0.01 } })
    expect(planFindings(strict, under, NOW)).toEqual([])
    expect(buildRegistration(strict, under, NOW).limits).toMatchObject({
      ...{ per_horizon_regression: 0.03, directional_loss: 0.01 },
    })
  })

  it('is a registration that is refused where a limit was loosened afterwards', () => {
    const under = cosineProtocol()
    const registration = buildRegistration(plan({ inference: VERDICT }), under, NOW)
    expect(foundIn(registration, under)).toEqual([])
    const { limits } = registration
    const loosened = sealed({ ...registration, limits: { ...limits, direction_epsilon: 0.05 } })
    expect(foundIn(loosened, under)).toContain('limit-beyond-protocol /limits/direction_epsilon')
  })

  it('leaves the deciding tests at least 0.15, and the verdict at most 0.8', () => {
    const weighed = (verdict: number, deciding: number, other: number): InferenceMethod => ({
      method: 'ewc-t',
      weights: { verdict, deciding, other },
    })
    expect(found({ inference: weighed(0.8, 0.15, 0.05) })).toEqual([])
    expect(found({ inference: weighed(0.8, 0.1, 0.1) })).toEqual([
      'error deciding-weight-small /inference/weights/deciding',
    ])
    expect(found({ inference: weighed(0.81, 0.15, 0.04) })).toEqual([
      'error out-of-bounds /inference/weights/verdict',
    ])
    expect(found({ inference: weighed(0.6, 0.3, 0.2) })).toEqual([
      'error weights-not-one /inference/weights',
    ])
  })
})
