import { expect, it } from 'vitest'
import { STAMPED_FORGERIES, testStampedForgeries } from '../evaluation/forgeries/run.js'

it('knows more than thirty forgeries of stamps and logs', () => {
  expect(Object.values(STAMPED_FORGERIES).flat().length).toBeGreaterThanOrEqual(30)
})

testStampedForgeries('all')
