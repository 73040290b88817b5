import { testHistories } from '../process/run-history.js'

testHistories(1)
