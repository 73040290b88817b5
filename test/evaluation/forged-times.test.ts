import { testStampedForgeries } from './forgeries/run.js'

// The first two: test/slow/forged-times.test.ts has all of them.
testStampedForgeries((place) => place < 2)
