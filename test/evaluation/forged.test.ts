import { testForgeries } from './forgeries/run.js'

// Two of each group: test/slow/forged.test.ts has all of them.
testForgeries((place) => place < 2)
