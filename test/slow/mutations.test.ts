import { describe, expect, it } from 'vitest'
import { planRows, strataRows } from '../../src/contract/findings/plan.js'
import { registrationRows } from '../../src/contract/findings/registration.js'
import type { FindingRow } from '../../src/contract/findings/row.js'
import readingSchema from '../../src/contract/schemas/reading.schema.json' with { type: 'json' }
import { REASONS } from '../../src/pairing/paired-attempt.js'
import { GATE } from './mutations/gate.js'
import { INFERENCE } from './mutations/inference.js'
import { survivors } from './mutations/mutants.js'
import { PAIRING } from './mutations/pairing.js'
import { RECORDS } from './mutations/records.js'
import { OF_REGISTRATION } from './mutations/registration.js'

const ALL = [...PAIRING, ...INFERENCE, ...OF_REGISTRATION, ...RECORDS, ...GATE]

it('every rule that is taken out is missed by a test of its own room', () => {
  const alive = survivors(ALL).map(([file, text, put]) => `${file}: ${text} -> ${put}`)
  expect(alive).toEqual([])
})

describe('a rule that is taken out', () => {
  const named = ALL.flatMap(([, , , , of = '']) => of.split(', ').filter(Boolean))

  it('is that of every reason of pairing', () => {
    expect(named).toEqual(expect.arrayContaining(REASONS.filter((reason) => reason !== 'scored')))
  })

  it('is that of every reason of a disposition', () => {
    const items = readingSchema.properties.dispositions.anyOf[0]?.items
    const { reasons } = items!.properties
    expect(named).toEqual(expect.arrayContaining(reasons.items.properties.code.enum))
  })

  it('is that of every refusal of register', () => {
    const rows: readonly [string, Pick<FindingRow<never>, 'severities' | 'faults'>][] =
      Object.entries({
        ...planRows,
        ...strataRows,
        ...registrationRows,
      })
    const refusals = rows
      .filter(([, { severities }]) => severities[0] === 'error')
      .flatMap(([code, { faults }]) =>
        faults.length === 0 ? [code] : faults.map((fault) => `${code} ${fault}`),
      )
    // Of these the catalogue keeps no list of faults: what a name is none of.
    const kinds = ['bound', 'stratum', 'baseline'].map((of) => `name-unknown ${of}`)
    const known = refusals.filter((one) => one !== 'name-unknown')
    expect(named).toEqual(expect.arrayContaining([...known, ...kinds]))
  })
})
