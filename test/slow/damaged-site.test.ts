import { testDamagedSites } from '../site/damaged.js'

testDamagedSites(1)
