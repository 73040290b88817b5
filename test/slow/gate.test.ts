import { testHistories } from '../gate/run-history.js'

testHistories(1)
