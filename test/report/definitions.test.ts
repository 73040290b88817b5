import { describe, expect, it } from 'vitest'
import type { Registration } from '../../src/contract/types.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { createRegistration } from '../../src/registration/build.js'
import { listDefinitions } from '../../src/report/definitions/definitions.js'
import { authority, BY_VERDICT, cosineProtocol, NOW, plan, protocol } from '../registration/made.js'

const registration = createRegistration(plan(), compileRules(protocol()), NOW)
const says = (of: string, by: Registration = registration) =>
  listDefinitions(by).find((each) => each.of === of)?.text ?? ''

describe('what is computed', () => {
  it('follows a change of any number', () => {
    const under = protocol()
    under.uncertainty.replicates = 99_999
    under.uncertainty.seed = -3
    const limits = { harm: 0.07, epsilon: 0.0001 }
    const made = createRegistration(plan({ limits }), compileRules(under), NOW)
    expect(says('p', made)).toContain('/ 100000')
    expect(says('bootstrap', made)).toContain('seedrandom("-3")')
    expect(says('not_decided', made)).toContain('0.07 of that loss at each horizon')
    expect(says('direction_error', made)).toContain('|f| > 0.0001')
    expect(JSON.stringify(listDefinitions(made))).not.toMatch(/undefined|NaN|\[object/)
  })

  it('says of stamps and commitments what the registration asks for, and is silent where it does not', () => {
    expect(says('registration_time') + says('commitment')).toBe('')
    const authorities = ['one', 'two', 'three'].map((name) => authority(name, 'a'))
    const time = { at_least: 2, authorities }
    const stamped = createRegistration(plan({ time }), compileRules(protocol()), NOW)
    expect(says('registration_time', stamped)).toMatch(/one, two and three.*at least 2 of them/)
    expect(says('commitment', stamped)).toBe('')
    const committed = createRegistration(
      plan({ time, commitment: 'stamped' }),
      compileRules(protocol()),
      NOW,
    )
    expect(says('commitment', committed)).toMatch(/by which 2 of these .* than 2 minutes/)
    expect(says('commitment', committed)).toContain("a checkpoint of the history's log that")
    const commitment_log = 'example.org/made'
    const over = { time, commitment: 'stamped', commitment_log } as const
    const named = createRegistration(plan(over), compileRules(protocol()), NOW)
    expect(named.commitment_log).toBe(commitment_log)
    expect(says('commitment', named)).toContain('a checkpoint of the log example.org/made that')
  })

  it('names no built-in model and no rule that takes no part', () => {
    const under = protocol()
    under.estimands.comparisons.required = ['incumbent']
    const mode = 'backtest'
    const window = { from: '2025-01-01T00:00:00Z', to: '2025-03-31T23:00:00Z' }
    const made = createRegistration(plan({ mode, window }), compileRules(under), NOW)
    expect(says('ar1', made) + says('built_in_quantiles', made) + says('publication', made)).toBe(
      '',
    )
    expect(says('eligible_for_human_review', made)).toBe('')
    const decided = createRegistration(
      plan({ mode, window }),
      compileRules(cosineProtocol(BY_VERDICT)),
      NOW,
    )
    expect(says('eligible_for_human_review', decided)).toMatch(/^Never/)
  })
})
