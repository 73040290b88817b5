import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, it } from 'vitest'
import { evaluate } from '../../src/evaluation/evaluate.js'
import { hourlyTask } from '../../src/evaluation/hourly-task.js'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import { makeVintage } from '../../src/outcomes/vintage.js'
import { buildRegistration } from '../../src/registration/build.js'
import { buildStrata } from '../../src/registration/strata.js'
import { batches, runMetadata } from './made.js'
import {
  expectAgreement,
  expectDuality,
  type Golden,
  REAL_CLOSES,
  realFamily,
  SHARES,
} from './real-family.js'
import { NOW } from './world.js'

// Made by numpy; the script lies beside them, and test/outside runs it again.
const golden = (name: string) => new URL(`../golden/inference/${name}`, import.meta.url)

describe.runIf(existsSync(REAL_CLOSES)).each(Object.keys(SHARES) as Golden[])(
  'a family of 1,392 tests on four real months: %s',
  (name) => {
    let result: EvaluationResult
    beforeAll(async () => {
      const { plan, protocol, closes, rows } = realFamily(200, name)
      const vintage = makeVintage(closes, 'kept apart')
      const registration = buildRegistration(plan, protocol, NOW)
      const { closeAt } = vintage
      const strata = buildStrata(registration.strata, { closeAt })
      const task = hourlyTask({ registration, protocol, vintage, strata })
      const done = await evaluate(
        task,
        () => batches(rows),
        () => undefined,
      )
      result = done.result(runMetadata(done.paired.pairs))
    }, 60_000)

    it('has the estimates, p, bounds and ladder that numpy finds', () => {
      expectAgreement(result, readFileSync(golden(name), 'utf8'))
    })

    it('has adjusted bounds without 0 where a test is rejected, and nowhere else', () => {
      expectDuality(result.tests)
    })
  },
)
