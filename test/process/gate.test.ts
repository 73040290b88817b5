import { testHistories } from './run-history.js'

testHistories('gate', (name) => !name.startsWith('criss-cross-'))
