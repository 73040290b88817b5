import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkedInstant, MICROS_PER_HOUR } from '../../../src/contract/instant.js'
import { importOutcomes } from '../../../src/truth/closes/import-closes.js'
import { readVintage } from '../../../src/truth/closes/vintage.js'
import { writeVintage } from '../../../src/truth/vintage-files.js'
import { temporaryFolder } from '../../support/folder.js'

const folder = temporaryFolder()

const at = checkedInstant

async function imported(text: string) {
  const input = (async function* () {
    yield text
  })()
  const result = await importOutcomes('bars.csv', { input })
  if (!result.ok) throw new Error(result.findings.map(({ code }) => code).join())
  return result
}

const GAPPY = `close_at,close_usd
2024-01-01T01:00:00Z,42452.66
2024-01-01T02:00:00Z,42594
2024-01-01T04:00:00Z,42600.5
2024-01-01T09:00:00Z,42601
`

describe('a vintage', () => {
  it('lists missing hours as gaps and answers only where there is a close', async () => {
    const { manifest, closes } = await imported(GAPPY)
    expect(manifest).toMatchObject({
      first: '2024-01-01T01:00:00Z',
      last: '2024-01-01T09:00:00Z',
      count: 4,
      gaps: [
        { from: '2024-01-01T03:00:00Z', to: '2024-01-01T03:00:00Z', hours: 1 },
        { from: '2024-01-01T05:00:00Z', to: '2024-01-01T08:00:00Z', hours: 4 },
      ],
    })
    const out = join(folder, 'gappy')
    expect(writeVintage(out, manifest, closes)).toBe('written')
    const vintage = readVintage(out)
    expect(vintage.manifest).toEqual(manifest)
    expect(vintage.closeAt(at('2024-01-01T02:00:00Z'))).toBe(42594)
    for (const none of ['2024-01-01T00:00:00Z', '2024-01-01T03:00:00Z', '2024-01-01T10:00:00Z']) {
      expect(vintage.closeAt(at(none))).toBeUndefined()
    }
    expect(vintage.closeAt(at('2024-01-01T02:00:00.000001Z'))).toBeUndefined()
    expect(readVintage(join(out, 'closes.csv')).manifest).toEqual(manifest)
    expect(readVintage(join(out, 'manifest.json')).manifest).toEqual(manifest)
  })

  it('written again changes nothing; another one is refused and leaves it alone', async () => {
    const out = join(folder, 'twice', 'deep')
    const one = await imported(GAPPY)
    expect(writeVintage(out, one.manifest, one.closes)).toBe('written')
    expect(writeVintage(out, one.manifest, one.closes)).toBe('unchanged')
    const other = await imported(GAPPY.replace('42601', '42602'))
    expect(() => writeVintage(out, other.manifest, other.closes)).toThrow(/something else/)
    expect(readFileSync(join(out, 'closes.csv'), 'utf8')).toBe(one.closes)
  })

  it('never replaces a file or a folder that holds something', async () => {
    const { manifest, closes } = await imported(GAPPY)
    const file = join(folder, 'a-file')
    writeFileSync(file, 'mine')
    expect(() => writeVintage(file, manifest, closes)).toThrow(/something else/)
    const full = join(folder, 'full')
    mkdirSync(full)
    writeFileSync(join(full, 'mine'), 'mine')
    expect(() => writeVintage(full, manifest, closes)).toThrow(/something else/)
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(existsSync(join(full, 'closes.csv'))).toBe(false)
  })

  it('is refused when series and manifest do not belong together', async () => {
    const { manifest, closes } = await imported(GAPPY)
    const out = join(folder, 'changed')
    writeVintage(out, manifest, closes)
    const change = (file: string, from: string, to: string) => {
      const path = join(out, file)
      const text = readFileSync(path, 'utf8')
      expect(text).toContain(from)
      writeFileSync(path, text.replace(from, to))
      expect(() => readVintage(out)).toThrow(/but that of closes.csv is|gaps|normal form|no member/)
      writeFileSync(path, text)
    }
    change('closes.csv', '42594', '42595')
    change('closes.csv', '42594.0', '42594')
    change('closes.csv', '2024-01-01T04:00:00Z,42600.5\n', '')
    change('manifest.json', '"count": 4', '"count": 5')
    change('manifest.json', '"hours": 1', '"hours": 2')
    change('manifest.json', '"count": 4', '"more": 1, "count": 4')
    change('manifest.json', manifest.sha256, manifest.sha256.replace(/^./, 'f'))
    change('manifest.json', manifest.vintage_id, `${manifest.vintage_id}x`)
    expect(readVintage(out).manifest).toEqual(manifest)
  })

  it('is the same one where a checkout changed line ends, and none where they stand alone', async () => {
    const { manifest, closes } = await imported(GAPPY)
    const out = join(folder, 'crlf')
    writeVintage(out, manifest, closes)
    for (const file of ['closes.csv', 'manifest.json']) {
      writeFileSync(join(out, file), readFileSync(join(out, file), 'utf8').replaceAll('\n', '\r\n'))
      expect(readVintage(out).manifest).toEqual(manifest)
    }
    expect(readVintage(join(out, 'closes.csv')).manifest.sha256).toBe(manifest.sha256)
    writeFileSync(join(out, 'closes.csv'), closes.replaceAll('\n', '\r'))
    expect(() => readVintage(out)).toThrow('the header is not')
  })

  it.each([
    ['', /header/],
    ['close_at,close_usd\n', /no closes/],
    ['close_at,close_usd\n2024-01-01T01:00:00Z,1.0', /line break/],
    ['close_at,close_usd\n2024-01-01T01:30:00Z,1.0\n', /hour/],
    ['close_at,close_usd\n2024-01-01T01:00:00Z,-1.0\n', /greater than zero/],
    ['close_at,close_usd\n2024-01-01T01:00:00Z,1.0\n2024-01-01T01:00:00Z,1.0\n', /not later/],
    ['close_at,close_usd\n2024-01-01T02:00:00+01:00,1.0\n', /normal form/],
  ])('a series that is not in normal form is no vintage: %j', (text, message) => {
    const path = join(folder, 'series.csv')
    writeFileSync(path, text)
    expect(() => readVintage(path)).toThrow(message)
  })

  it('a folder without a series, a path without anything', () => {
    mkdirSync(join(folder, 'hollow'))
    expect(() => readVintage(join(folder, 'hollow'))).toThrow(/holds no closes.csv/)
    expect(() => readVintage(join(folder, 'nothing'))).toThrow(/no such file/)
  })

  it('survives import, write and read: every close, every gap, and the normal form again', async () => {
    const bars = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 0, max: 400 }), fc.double({ min: 1e-3, max: 1e9, noNaN: true })),
      { minLength: 2, maxLength: 60, selector: ([hour]) => hour },
    )
    const start = at('2024-01-01T00:00:00Z')
    let run = 0
    await fc.assert(
      fc.asyncProperty(bars, async (all) => {
        const sorted = [...all, [401, 1] as const, [402, 1] as const].sort((a, b) => a[0] - b[0])
        const rows = sorted.map(
          ([hour, price]) => `${(start + hour * MICROS_PER_HOUR) / 1e6},1,1,1,${price},1,1\n`,
        )
        const { manifest, closes } = await imported(rows.join(''))
        const out = join(folder, `run-${run++}`)
        writeVintage(out, manifest, closes)
        const vintage = readVintage(out)
        for (const [hour, price] of sorted) {
          expect(vintage.closeAt(start + (hour + 1) * MICROS_PER_HOUR)).toBe(price)
        }
        const missing = manifest.gaps.reduce((sum, gap) => sum + gap.hours, 0)
        const span = (vintage.last - vintage.first) / MICROS_PER_HOUR + 1
        expect(manifest.count + missing).toBe(span)
        expect((await imported(closes)).manifest.sha256).toBe(manifest.sha256)
      }),
      { numRuns: 40 },
    )
  })
})
