import { existsSync } from 'node:fs'
import { beforeAll, describe, it } from 'vitest'
import { hourlyTask } from '../../src/evaluation/task.js'
import { compileRules, rulesOver } from '../../src/protocol/rules/compile.js'
import { buildRegistration } from '../../src/registration/build.js'
import { buildStrata } from '../../src/registration/strata.js'
import { makeVintage } from '../../src/truth/closes/vintage.js'
import { golden } from '../inference/golden.js'
import { batches, type ReadResult, resultOf } from './made.js'
import { expectAgreement, expectDuality, GOLDEN, REAL_CLOSES, realFamily } from './real-family.js'
import { NOW } from './world.js'

describe.runIf(existsSync(REAL_CLOSES)).each(GOLDEN)('a family on four real months: %s', (name) => {
  let result: ReadResult
  beforeAll(async () => {
    const { plan, protocol, closes, rows } = realFamily(200, name)
    const vintage = makeVintage(closes, 'kept apart')
    const registration = buildRegistration(plan, compileRules(protocol), NOW)
    const strata = buildStrata(registration.rules.strata, vintage)
    const rules = rulesOver(registration.rules, [])
    const task = hourlyTask({ registration, rules, tooLax: [], vintage, strata })
    result = (await resultOf(task, () => batches(rows))).result
  })

  it('has the estimates, p, bounds and ladder that numpy finds', () => {
    expectAgreement(result, golden(name))
  })

  it.runIf(name === 'verdict.csv')(
    'has adjusted bounds without 0 where a test is rejected, and nowhere else',
    () => {
      expectDuality(result.tests)
    },
  )
})
