import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { ByteWriter } from 'hyparquet-writer'
import { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js'
import { beforeAll, expect, test } from 'vitest'
import { toTable } from '../../src/table/table.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { BIN, foreproof } from '../support/run.js'
import { written } from '../table/made.js'

// Codes of the Parquet format: https://github.com/apache/parquet-format, parquet.thrift.
const INT64 = 2
const DOUBLE = 5
const TEXT = 6
const OPTIONAL = 1
const REPEATED = 2
const UTF8 = 0
const PLAIN = 0
const DICTIONARY = 8
const DELTA = 5
const DELTA_TEXT = 7
const CODECS = { none: 0, snappy: 1, gzip: 2, brotli: 4, zstd: 6 }
const MEBIBYTE = 1_048_576

const folder = temporaryFolder()
const history = join(folder, 'history.sqlite')

beforeAll(async () => {
  const rows = join(folder, 'sound.csv')
  const head = 'origin_at,horizon_hours,model,price_usd,source_price_usd'
  writeFileSync(rows, `${head}\n2026-01-31T12:00:00Z,4,seer,50500,50000\n`)
  const { code } = await foreproof(['history', 'import', rows, '--history', history])
  expect(code).toBe(0)
})

type Struct = Parameters<typeof serializeTCompactProtocol>[1]

function thrift(struct: Struct): Buffer {
  const writer = new ByteWriter()
  serializeTCompactProtocol(writer, struct)
  return Buffer.from(writer.getBytes())
}

const element = (name: string, type = INT64, repetition = 0): Struct => ({
  field_1: type,
  field_3: repetition,
  field_4: name,
  ...(type === TEXT && { field_6: UTF8 }),
})

const NAMES = ['origin_at', 'horizon_hours', 'model', 'price_usd', 'source_price_usd']
const INTEGERS = NAMES.map((name) => element(name))
const TEXTS = NAMES.map((name) => element(name, TEXT))

/**
 * A file that declares what it is given.
 * @param rows - of one row group; there are `groups` of them, all of the same bytes
 * @param pages - the bytes of every column: pages, each after its header
 */
function parquet(
  rows: number,
  pages: Buffer,
  columns: readonly Struct[] = INTEGERS,
  { groups = 1, codec = CODECS.none } = {},
) {
  const chunk = ({ field_1: type, field_4: name }: Struct) => ({
    field_2: 4n,
    field_3: {
      field_1: type,
      field_2: [PLAIN],
      field_3: [name],
      field_4: codec,
      field_5: BigInt(rows),
      field_6: BigInt(pages.length),
      field_7: BigInt(pages.length),
      field_9: 4n,
    },
  })
  const footer = thrift({
    field_1: 2,
    field_2: [{ field_4: 'root', field_5: columns.length }, ...columns],
    field_3: BigInt(rows * groups),
    field_4: Array.from({ length: groups }, () => ({
      field_1: columns.map(chunk),
      field_2: BigInt(pages.length),
      field_3: BigInt(rows),
    })),
  })
  return enclosed(pages, footer)
}

function enclosed(pages: Buffer, footer: Buffer, size = footer.length): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(size)
  return Buffer.concat([Buffer.from('PAR1'), pages, footer, length, Buffer.from('PAR1')])
}

/** @param size - what it declares to unpack to */
function page(values: number, bytes: Buffer, encoding = PLAIN, size = bytes.length): Buffer {
  const kind = { field_1: values, field_2: encoding, field_3: 3, field_4: 3 }
  const header = { field_1: 0, field_2: size, field_3: bytes.length, field_5: kind }
  return Buffer.concat([thrift(header), bytes])
}

function dictionary(entries: number, bytes: Buffer): Buffer {
  const kind = { field_1: entries, field_2: PLAIN }
  const header = { field_1: 2, field_2: bytes.length, field_3: bytes.length, field_7: kind }
  return Buffer.concat([thrift(header), bytes])
}

function varint(n: number): Buffer {
  const bytes: number[] = []
  for (; n > 127; n = Math.floor(n / 128)) bytes.push((n % 128) | 128)
  return Buffer.from([...bytes, n])
}

const ZEROES = Buffer.alloc(8)
/** In a row of 2 ** 30 zeroes, as runs of levels and indexes are written. */
const RUN = Buffer.concat([varint(2 ** 31 - 2), Buffer.from([0])])
const TWO_GIBIBYTES = 2 ** 31 - 1

/** One value in a page that is packed, and declares to unpack to so much. */
function packed(codec: keyof typeof CODECS, size: number, bytes = ZEROES): Buffer {
  return parquet(1, page(1, bytes, PLAIN, size), INTEGERS, { codec: CODECS[codec] })
}

const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const zeros = () => Buffer.alloc(300 * MEBIBYTE)

/** Texts that each begin with all of the one before, and are a byte longer. */
function growing(count: number): Buffer {
  const head = Buffer.concat([varint(128 * 1024), varint(1), varint(count)])
  const prefixes = Buffer.concat([head, varint(0), Buffer.from([2, 0])])
  const suffixes = Buffer.concat([head, varint(2), Buffer.from([0, 0])])
  return Buffer.concat([prefixes, suffixes, Buffer.alloc(count, 'm')])
}

const one = page(1, ZEROES)
const lists = Buffer.concat([
  Buffer.from([0x19]),
  ...Array(100_000).fill([0xf9, 0xff, 0xff, 0xff, 0x0f]).map(Buffer.from),
])
const sameBytes = page(190_000, Buffer.from([0]), DICTIONARY)
const longRun = page(1000, Buffer.concat([Buffer.from([6, 0, 0, 0]), RUN]))
const blocks = Buffer.concat([varint(2 ** 31 - 128), varint(2 ** 31 - 1), ZEROES])
const longText = page(1, Buffer.from([255, 255, 255, 255, 1]))
const optional = NAMES.map((name) => element(name, DOUBLE, OPTIONAL))
const repeated = NAMES.map((name) => element(name, INT64, REPEATED))
const many = Array.from({ length: 20_000 }, (_, n) => element(`c${n}`))

/** By what they have: what is said of the file, and what makes it. */
const BOMBS: Readonly<Record<string, readonly [says: RegExp, bytes: () => Buffer]>> = {
  'rows that cannot be in it': [/declares 1099511627776 rows/, () => parquet(2 ** 40, one)],
  'a page of two billion values': [
    /a page of 2147483647 values for 1 rows/,
    () => parquet(1, page(2 ** 31 - 1, ZEROES)),
  ],
  'a dictionary of two billion entries': [
    /a page of 2147483647 values/,
    () => parquet(1, Buffer.concat([dictionary(2 ** 31 - 1, ZEROES), one])),
  ],
  'thousands of columns': [/declares 20000 columns/, () => parquet(10_000, one, many)],
  'rows of ever the same bytes in many row groups': [
    /declares 380000000 rows/,
    () => parquet(190_000, sameBytes, INTEGERS, { groups: 2_000 }),
  ],
  'a run longer than its page': [/more memory/, () => parquet(1000, longRun, optional)],
  'levels of nested lists': [
    /is a group of columns|no cell of a table/,
    () => parquet(1, page(2 ** 30, RUN), repeated),
  ],
  'a page of gzip that declares two gibibytes': [
    /more memory/,
    () => packed('gzip', TWO_GIBIBYTES, gzipSync(zeros())),
  ],
  'a page of gzip that unpacks to more than it declares': [
    /Parquet file/,
    () => packed('gzip', 8, gzipSync(zeros())),
  ],
  'a page of Brotli that unpacks to more than it declares': [
    /Parquet file/,
    () => packed('brotli', 8, brotliCompressSync(zeros(), QUICKLY)),
  ],
  'a page of Snappy that declares two gibibytes': [
    /more memory/,
    () => packed('snappy', TWO_GIBIBYTES),
  ],
  'a page of Zstandard that declares two gibibytes': [
    /more memory/,
    () => packed('zstd', TWO_GIBIBYTES),
  ],
  'a delta with blocks of two billion parts': [
    /Parquet file/,
    () => parquet(200, page(200, blocks, DELTA)),
  ],
  'texts that grow with every row': [
    /Parquet file/,
    () => parquet(100_000, page(100_000, growing(100_000), DELTA_TEXT), TEXTS),
  ],
  'a text of four gibibytes': [/damaged/, () => parquet(1, longText, TEXTS)],
  'a directory longer than the file': [
    /a directory of 4294967295 bytes/,
    () => enclosed(one, Buffer.alloc(1), 2 ** 32 - 1),
  ],
  'a directory of lists of half a billion elements': [
    /Parquet file/,
    () => enclosed(Buffer.alloc(0), lists),
  ],
}

/** The most memory that the processes of a group had at a time, in MiB. */
function memoryOf(group: number): number {
  let pages = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (Number(fields[2]) === group) pages += Number(fields[21])
    } catch {
      // It has ended meanwhile.
    }
  }
  return (pages * 4096) / MEBIBYTE
}

async function imported(file: string) {
  const started = performance.now()
  const argv = [BIN, 'history', 'import', file, '--history', history]
  const child = spawn(process.execPath, argv, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  let megabytes = 0
  const look = () => {
    megabytes = Math.max(megabytes, memoryOf(child.pid ?? 0))
  }
  const looking = process.platform === 'linux' ? setInterval(look, 20) : undefined
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(looking)
  return { code, text, megabytes, seconds: (performance.now() - started) / 1000 }
}

test.each(Object.entries(BOMBS))('a Parquet file with %s is refused', async (_, [says, bytes]) => {
  const before = readFileSync(history)
  const file = join(folder, 'bomb.parquet')
  writeFileSync(file, bytes())
  const { code, text, megabytes, seconds } = await imported(file)
  expect(text).toMatch(says)
  expect(text).toContain(file)
  expect(text).not.toMatch(/\n\s+at .*:\d+:\d+/)
  expect(code).toBe(1)
  expect(megabytes).toBeLessThan(1024)
  expect(seconds).toBeLessThan(60)
  expect(readFileSync(history).equals(before)).toBe(true)
})

test('a dictionary may have entries that no row has', async () => {
  const file = join(folder, 'categories.parquet')
  const first = page(1, Buffer.from([0]), DICTIONARY)
  writeFileSync(file, parquet(1, Buffer.concat([dictionary(40, Buffer.alloc(320)), first])))
  const { text } = await imported(file)
  expect(text).toContain('origin_at "0"')
})

// Some of these files ask for runs of a billion values: without a process that is stopped, they would
// take all memory, or an hour.
test('a damaged Parquet file is imported or refused, with any byte changed', async () => {
  const types = ['instant', 'integer', 'text', 'number', 'number'] as const
  const columns = NAMES.map((name, at) => ({ name, type: types[at]! }))
  const hour = (n: number) => new Date(Date.UTC(2026, 0, 1, n)).toISOString()
  const rows = Array.from({ length: 50 }, (_, n) => [
    hour(n),
    4,
    n % 7 ? 'a' : 'b',
    n + 1 / 3,
    n + 0.3,
  ])
  const bytes = await written(toTable(columns, rows))
  const file = join(folder, 'mutant.parquet')
  const codes = new Set<number | null>()
  for (let at = 4; at < bytes.length - 8; at += 41) {
    writeFileSync(file, bytes.with(at, 0xff))
    const line = `history import ${file} --history ${join(folder, `${at}.sqlite`)}`
    const { code, stdout, stderr } = await inProcess(line)
    codes.add(code)
    expect([stderr, stdout.split('\n').length <= 20], `byte ${at}`).toEqual(['', true])
    expect(stdout, `byte ${at}`).not.toMatch(/\n\s+at .*:\d+:\d+|Error:/)
  }
  expect([...codes].sort()).toEqual([0, 1])
})
