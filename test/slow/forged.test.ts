import { expect, it } from 'vitest'
import { forgeriesOf, testForgeries } from '../evaluation/forgeries/run.js'

it('knows more than sixty forgeries, and thirty of stamps and logs', () => {
  expect(forgeriesOf('plain').length).toBeGreaterThanOrEqual(60)
  expect(forgeriesOf('stamped').length).toBeGreaterThanOrEqual(30)
})

testForgeries('all')
