import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import {
  expectAgreement,
  expectDuality,
  REAL_CLOSES,
  realFamily,
} from '../evaluation/real-family.js'
import { forecastLine } from '../evaluation/world.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'

const golden = (name: string) =>
  fileURLToPath(new URL(`../golden/inference/${name}`, import.meta.url))

describe.runIf(existsSync(REAL_CLOSES))('a scored family on four real months', () => {
  let folder: string
  let tests: EvaluationResult['tests']
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await foreproof(args, { cwd: folder })
    expect([args[0], code, code === 0 ? '' : stdout + stderr]).toEqual([args[0], 0, ''])
  }

  beforeAll(async () => {
    folder = temporaryFolder()
    const { plan, protocol, text, rows } = realFamily(10_000)
    write('closes.csv', text)
    write('forecasts.ndjson', `${rows.map(forecastLine).join('\n')}\n`)
    write('draft.json', JSON.stringify(protocol))
    write('plan.json', JSON.stringify(plan))
    await run('freeze', 'draft.json')
    await run('outcomes', 'import', 'closes.csv', '--out', 'vintage', '--source', 'kept apart')
    await run('history', 'import', 'forecasts.ndjson', '--history', 'history.sqlite')
    const outcomes = ['--outcomes', 'vintage']
    await run('register', 'plan.json', '--protocol', 'protocols/real-1.json', ...outcomes)
    const inputs = ['--history', 'history.sqlite', ...outcomes]
    await run('score', '--registration', 'registration.json', ...inputs, '--out', 'evidence')
    const result = readFileSync(join(folder, 'evidence', 'result.json'), 'utf8')
    tests = (JSON.parse(result) as EvaluationResult).tests
  })

  it('numpy finds the same from its pairs, to 1e-10, and the golden figures again', () => {
    const python = process.env.PYTHON ?? '/usr/bin/python3'
    const files = ['registration.json', 'protocols/real-1.json', 'closes.csv']
    const args = [golden('family.py'), ...files, 'evidence/pairs.ndjson']
    const text = execFileSync(python, args, { cwd: folder, encoding: 'utf8' })
    expectAgreement(tests, text)
    // WRITE_GOLDEN=1 writes the golden file that test/evaluation/real-inference.test.ts reads.
    if (process.env.WRITE_GOLDEN) writeFileSync(golden('family.csv'), text)
    expectAgreement(tests, readFileSync(golden('family.csv'), 'utf8'))
  })

  it('has adjusted bounds without 0 where a test is rejected, and nowhere else', () => {
    expectDuality(tests)
  })
})
