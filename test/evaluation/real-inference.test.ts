import { existsSync } from 'node:fs'
import { beforeAll, describe, it } from 'vitest'
import { hourlyTask } from '../../src/evaluation/task.js'
import { compileRules, rulesOver } from '../../src/protocol/rules/compile.js'
import { createRegistration } from '../../src/registration/build.js'
import { compileStrata } from '../../src/registration/strata.js'
import { createVintage } from '../../src/truth/closes/vintage.js'
import { golden } from '../inference/golden.js'
import { batches, type ReadResult, resultOf } from './made.js'
import { expectAgreement, expectDuality, GOLDEN, REAL_CLOSES, realFamily } from './real-family.js'
import { NOW } from './world.js'

describe.runIf(existsSync(REAL_CLOSES)).each(GOLDEN)('a family on four real months: %s', (name) => {
  let result: ReadResult
  beforeAll(async () => {
    const { plan, protocol, closes, rows } = realFamily(200, name)
    const vintage = createVintage(closes, 'kept apart')
    const registration = createRegistration(plan, compileRules(protocol), NOW)
    const strata = compileStrata(registration.rules.strata, vintage)
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
