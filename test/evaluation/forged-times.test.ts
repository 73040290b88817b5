import { testStampedForgeries } from './forgeries/run.js'

// test/slow/forged-times.test.ts has all of them.
testStampedForgeries('one of each kind')
