import { expect, it } from 'vitest'
import { canonicalize } from '../../src/document/canonical.js'
import { sha256Hex } from '../../src/document/digest.js'
import { DigestedRows, digestOfRows } from '../../src/evaluation/history.js'
import { storedForm, toForecastRow, toResource } from '../../src/forecast/resource.js'
import type { HistoryRow } from '../../src/forecast/row.js'
import { forecastEntry } from '../../src/history/leaf.js'
import { sample } from '../history/samples.js'

const digestOf = (...rows: HistoryRow[]) =>
  digestOfRows(
    new DigestedRows(async function* (onStored) {
      onStored(rows)
      yield []
    }),
  )

it('a row that no export can say is in the digest of a history, whatever is wrong with it', async () => {
  const sound = toForecastRow(storedForm(sample()))
  const line = `${forecastEntry(toResource(sound))}\n`
  expect(await digestOf(sound)).toMatchObject({ sha256: sha256Hex(line), rows: 1 })
  const faulty = [null, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 'high']
  const digests = [await digestOf(sound)]
  for (const priceUsd of faulty) digests.push(await digestOf(sound, { ...sound, priceUsd }))
  const [only, ...others] = digests.map(({ sha256 }) => sha256)
  // A price that is missing and one that is a text are paired alike.
  expect(new Set(others).size).toBe(3)
  expect(others).not.toContain(only)
  expect(digests.at(-1)?.rows).toBe(2)
  // Kept whole, with columns that say otherwise: pairing reads these.
  const whole = canonicalize(toResource(sound))
  const kept = await digestOf({ ...sound, whole })
  expect(kept.sha256).toBe(only)
  const edited = await digestOf({ ...sound, whole, priceUsd: sound.priceUsd + 1 })
  expect(edited.sha256).not.toBe(only)
})
