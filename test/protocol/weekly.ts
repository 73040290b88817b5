import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { describePeriods } from '../../src/periods/list.js'
import { weekPeriods } from '../../src/periods/make.js'
import { ROOT } from '../support/run.js'
import { day, NEW_YORK } from '../truth/sample.js'
import { changedIn } from './sample.js'

/** The weeks of three years. */
export const WEEKS = weekPeriods(
  { from: day('2025-08-03'), to: day('2028-08-06') },
  'sunday',
  NEW_YORK,
)

/** Of weekly admissions: due on the Wednesday after the week, 23:00; known on the Friday. */
export function weekly(): SeriesProtocol {
  const file = join(ROOT, 'templates/series/weekly/draft.json')
  const draft = JSON.parse(readFileSync(file, 'utf8'))
  const [primary, , coverage] = draft.scores
  const errors = { window: 104, minimum: 20 }
  return changedIn(draft, {
    '/protocol_version': 'admissions-1',
    '/periods': { ...describePeriods(WEEKS), made_by: 'weeks from Sunday' },
    '/origins/due/offset': 'P3DT23H',
    '/horizons': [0, 1, 2, 3],
    '/scores': [primary, coverage],
    '/baselines/0/errors': errors,
    '/baselines/1/errors': { ...errors },
  })
}
