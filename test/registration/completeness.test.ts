import { expect, it } from 'vitest'
import type { Registration } from '../../src/contract/types.js'
import { buildRegistration } from '../../src/registration/build.js'
import { familyDigest } from '../../src/registration/family.js'
import { cosineProtocol, earlyForm, ewc, foundIn, NOW, plan, protocol, sealed } from './made.js'

const inference = ewc()
const cosine = buildRegistration(plan({ inference }), protocol(), NOW)

const found = (changed: Registration, under = protocol()) => foundIn(sealed(changed), under)

const RULES: readonly [string, (registration: Registration) => unknown][] = [
  ['/limits/availability_limit', ({ limits }) => delete limits.availability_limit],
  ['/limits/availability_limit_stratum', ({ limits }) => delete limits.availability_limit_stratum],
  ['/limits/direction_pairs_factor', ({ limits }) => delete limits.direction_pairs_factor],
  ['/publication_lag_minutes', (registration) => delete registration.publication_lag_minutes],
  ['/scorer', (registration) => delete registration.scorer],
]
const all = RULES.map(([pointer]) => `registration-differs missing ${pointer}`)

it.each(RULES)('a registration without %s alone is refused', (pointer, remove) => {
  for (const made of [cosine, buildRegistration(plan(), protocol(), NOW)]) {
    const changed = structuredClone(made)
    remove(changed)
    expect(found(changed)).toEqual([`registration-differs missing ${pointer}`])
  }
})

it('a registration by the cosine test without any of them is refused', () => {
  expect(found(cosine)).toEqual([])
  expect(found({ ...earlyForm(cosine), inference })).toEqual(all)
  const bootstrap = earlyForm(buildRegistration(plan(), protocol(), NOW))
  expect(found({ ...bootstrap, commitment: 'self_declared' })).toEqual(all)
})

it('an early one has none of them, under a protocol of its time', () => {
  const early = earlyForm(cosine)
  const bootstrap = { ...early, family_sha256: familyDigest(early.family) }
  expect(found(bootstrap)).toEqual([])
  const later = cosineProtocol()
  const { protocol_version: version, protocol_sha256: sha256 } = later
  expect(found({ ...bootstrap, protocol: { version, sha256 } }, later)).toEqual(all)
})
