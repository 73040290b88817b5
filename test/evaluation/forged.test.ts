import { testForgeries } from './forgeries/run.js'

// test/slow/forged.test.ts has all of them.
testForgeries('one of each kind')
