import { expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { vintageFindings } from '../../src/registration/vintage-rules.js'
import { hours, NOW, plan } from './made.js'

/** Facts of a vintage that holds all that the plan of the helper asks for. */
const vintage = (source: string) => ({
  first: NOW - hours(10_000),
  last: NOW + hours(10_000),
  manifest: { vintage_id: 'v1', sha256: 'ab', source },
})

it.each([
  ['unspecified', /outcomes import FILE --source NAME/],
  ['kraken', /Correct the plan, or give the vintage that it names/],
])('a vintage from %s that the plan does not name comes with a way out', (source, help) => {
  const given = plan({ mode: 'retrospective', outcomes: { source: 'coinbase' } })
  const [found, ...others] = vintageFindings(given, vintage(source), [2])
  expect([found?.code, found?.pointer, others]).toEqual(['vintage-differs', '/outcomes/source', []])
  expect(found && messageOf(found).help).toMatch(help)
})
