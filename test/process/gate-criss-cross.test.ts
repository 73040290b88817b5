import { testHistories } from './run-history.js'

// In a file of their own, so that they run beside the others: each is gated as three jobs or more. The
// rarer ones, whose names begin with slow-, are in test/slow.
testHistories('gate after criss-cross merges', (name) => name.startsWith('criss-cross-'))
