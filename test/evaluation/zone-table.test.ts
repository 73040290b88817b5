import { afterEach, expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { registeredInstants } from '../../src/registration/instants.js'
import { exampleOf } from '../registration/series-examples.js'
import { audited, scoreInto, scoreWorld } from './score-into.js'
import { makeSeriesFolder } from './series-folder.js'

const { versions } = process
const { DateTimeFormat } = Intl

/** A table of time zones of this version, in which no clock is ever put forward. */
function laterTable(tz: string | undefined): void {
  Object.defineProperty(process, 'versions', { value: { ...versions, tz } })
  Intl.DateTimeFormat = class extends DateTimeFormat {
    override format(): string {
      return 'GMT+01:00'
    }
  } as typeof DateTimeFormat
}

afterEach(() => {
  Object.defineProperty(process, 'versions', { value: versions })
  Intl.DateTimeFormat = DateTimeFormat
})

/** Two days after the last days of March 2024 it is an hour earlier than without summer time. */
const BERLIN = { protocol: { zone: 'Europe/Berlin' } }

it('due, known and settled of every key are in a registration, by their digest', async () => {
  const { protocol, periods } = await exampleOf('weekly')
  const window = { from: '2026-W48', to: '2026-W48' }
  // The week begins on Sunday, 29 November, in New York; due 73 hours before its end, known five days after that of the
  // target, settled after 28 days.
  const lines = [
    '2026-W48,2026-W47,2026-12-03T04:00:00Z,2026-12-04T05:00:00Z,2026-12-27T05:00:00Z',
    '2026-W48,2026-W48,2026-12-03T04:00:00Z,2026-12-11T05:00:00Z,2027-01-03T05:00:00Z',
    '2026-W48,2026-W49,2026-12-03T04:00:00Z,2026-12-18T05:00:00Z,2027-01-10T05:00:00Z',
    '2026-W48,2026-W50,2026-12-03T04:00:00Z,2026-12-25T05:00:00Z,2027-01-17T05:00:00Z',
    '2026-W48,2026-W51,2026-12-03T04:00:00Z,2027-01-01T05:00:00Z,2027-01-24T05:00:00Z',
  ]
  const sha256 = sha256Hex(lines.map((line) => `${line}\n`).join(''))
  expect(registeredInstants(window, compileRules(protocol, periods), periods)).toEqual({
    sha256,
    tz: versions.tz,
  })
})

it.each([
  ['2099z', 'version 2099z of the table of time zones'],
  // Bun and browsers do not say which one they have.
  [undefined, 'a table of time zones of unknown version'],
])('a later table that moves an instant accuses nobody: %s', async (tz, named) => {
  const world = await makeSeriesFolder(BERLIN)
  const { folder } = (await scoreInto(world, 'first')) as { folder: string }
  laterTable(tz)
  const says = {
    code: 'unavailable',
    exitCode: 3,
    message: `the registration was made with version ${versions.tz} of the table of time zones; ${named}, which is in use here, gives other times for due, known or settled`,
  }
  await expect(scoreWorld(world, 'second')).rejects.toMatchObject(says)
  await expect(audited(folder)).rejects.toMatchObject(says)
})

it('a later table that moves no instant of the window changes nothing', async () => {
  const world = await makeSeriesFolder()
  const { folder } = (await scoreInto(world, 'first')) as { folder: string }
  laterTable('2099z')
  expect(await audited(folder)).toMatchObject({ ok: true, findings: [] })
})
