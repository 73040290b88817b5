import { testHistories } from '../process/run-history.js'

testHistories('gate after rarer criss-cross merges', (name) => name.startsWith('slow-'))
