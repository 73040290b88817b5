import { describe, expect, it } from 'vitest'
import { chosenModels } from '../../src/cli/commands/pair.js'

describe('chosenModels', () => {
  it('splits at commas, unless a name of the history has one', () => {
    expect(chosenModels(['a,b', 'a'], [])).toEqual(['a', 'b'])
    expect(chosenModels(['a,b'], ['a,b'])).toEqual(['a,b'])
  })

  it('is wrong usage where no name is left', () => {
    expect(() => chosenModels([' ,'], ['a'])).toThrow(
      expect.objectContaining({ code: 'usage', exitCode: 2 }),
    )
  })
})
