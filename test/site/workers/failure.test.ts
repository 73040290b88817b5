import { expect, it } from 'vitest'
import { ForeproofError } from '../../../src/contract/error.js'
import { finding } from '../../../src/contract/findings/finding.js'
import { HistoryMoved } from '../../../src/site/rows.js'
import { causeOf, failureOf } from '../../../src/site/workers/page-worker.js'

/** As the other side of a message sees it. */
const told = (cause: unknown) => causeOf(structuredClone(failureOf(cause)))

it('an error crosses from a worker with all that it says', () => {
  expect(told(new HistoryMoved())).toBeInstanceOf(HistoryMoved)
  const findings = [finding('empty-text', {}, { pointer: '/q10' })]
  const refused = new ForeproofError('invalid-input', 'no', { file: 'f', help: 'h', findings })
  expect(told(refused)).toBeInstanceOf(ForeproofError)
  expect(told(refused)).toMatchObject({
    code: 'invalid-input',
    message: 'no',
    file: 'f',
    help: 'h',
    findings,
  })
  const full = Object.assign(new Error('disk full'), { code: 'ENOSPC', syscall: 'write' })
  expect(told(full)).toBeInstanceOf(Error)
  expect(told(full)).toMatchObject({ message: 'disk full', code: 'ENOSPC', syscall: 'write' })
})
