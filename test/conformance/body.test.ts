import { expect, it } from 'vitest'
import { brokenRules } from '../../src/conformance/body.js'
import { finding } from '../../src/contract/findings/finding.js'

// One finding lists all that a body lacks; every rule that it breaks has to be reported all the same.
it.each([
  [['api_version'], ['api-version']],
  [['data'], ['envelope']],
  [
    ['api_version', 'data'],
    ['api-version', 'envelope'],
  ],
])('a body without %j breaks %j', (keys, rules) => {
  const fault = finding('missing-key', { keys }, { pointer: '' })
  expect(brokenRules(fault, () => 'envelope')).toEqual(rules)
})
