import { expect, it } from 'vitest'
import { FORGERIES, testForgeries } from '../evaluation/forgeries/run.js'

it('knows more than sixty forgeries', () => {
  expect(Object.values(FORGERIES).flat().length).toBeGreaterThanOrEqual(60)
})

testForgeries('all')
