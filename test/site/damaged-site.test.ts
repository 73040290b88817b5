import { testDamagedSites } from './damaged.js'

// A sample: test/slow/damaged-site.test.ts tries all of them.
testDamagedSites(6)
