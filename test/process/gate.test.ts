import { testHistories } from './run-history.js'

testHistories('gate', (name) => !/^(?:slow-)?criss-cross-/.test(name))
