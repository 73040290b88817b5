import { testHistories } from './run-history.js'

// A sample: test/slow/gate.test.ts runs all of them.
testHistories(3)
