import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { ByteWriter } from 'hyparquet-writer'
import { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { BIN, foreproof } from '../support/run.js'

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

interface Made {
  readonly columns?: readonly Struct[]
  /** Of one row group; there are as many as `groups` says, all of the same bytes. */
  readonly rows: number
  readonly groups?: number
  /** The bytes of every column: pages, each after its header. */
  readonly pages: Buffer
  readonly codec?: number
}

const NAMES = ['origin_at', 'horizon_hours', 'model', 'price_usd', 'source_price_usd']

/** A file that declares what it is told to. */
function parquet({
  columns = NAMES.map((n) => element(n)),
  rows,
  groups = 1,
  pages,
  codec = 0,
}: Made) {
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

interface Page {
  readonly values: number
  readonly encoding?: number
  /** What it declares to unpack to. */
  readonly size?: number
}

function page({ values, encoding = PLAIN, size }: Page, bytes: Buffer): Buffer {
  const kind = { field_1: values, field_2: encoding, field_3: 3, field_4: 3 }
  const header = { field_1: 0, field_2: size ?? bytes.length, field_3: bytes.length, field_5: kind }
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

const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

function packed(codec: 'gzip' | 'brotli', size: number): Buffer {
  const bytes = Buffer.alloc(300 * MEBIBYTE)
  const small = codec === 'gzip' ? gzipSync(bytes) : brotliCompressSync(bytes, QUICKLY)
  const pages = page({ values: 1, size }, small)
  return parquet({ rows: 1, pages, codec: CODECS[codec] })
}

/** Texts that each begin with all of the one before, and are a byte longer. */
function growing(count: number): Buffer {
  const head = Buffer.concat([varint(128 * 1024), varint(1), varint(count)])
  const prefixes = Buffer.concat([head, varint(0), Buffer.from([2, 0])])
  const suffixes = Buffer.concat([head, varint(2), Buffer.from([0, 0])])
  return Buffer.concat([prefixes, suffixes, Buffer.alloc(count, 'm')])
}

const one = page({ values: 1 }, ZEROES)
const texts = NAMES.map((name) => element(name, TEXT))
const lists = Buffer.concat([
  Buffer.from([0x19]),
  ...Array(100_000).fill([0xf9, 0xff, 0xff, 0xff, 0x0f]).map(Buffer.from),
])

const BOMBS: readonly (readonly [name: string, bytes: () => Buffer, says: RegExp])[] = [
  [
    'rows that cannot be in it',
    () => parquet({ rows: 2 ** 40, pages: one }),
    /declares 1099511627776 rows/,
  ],
  [
    'a page of two billion values',
    () => parquet({ rows: 1, pages: page({ values: 2 ** 31 - 1 }, ZEROES) }),
    /a page of 2147483647 values for 1 rows/,
  ],
  [
    'a dictionary of two billion entries',
    () => parquet({ rows: 1, pages: Buffer.concat([dictionary(2 ** 31 - 1, ZEROES), one]) }),
    /a page of 2147483647 values/,
  ],
  [
    'thousands of columns',
    () =>
      parquet({
        columns: Array.from({ length: 20_000 }, (_, n) => element(`c${n}`)),
        rows: 10_000,
        pages: one,
      }),
    /declares 20000 columns/,
  ],
  [
    'rows of ever the same bytes in many row groups',
    () =>
      parquet({
        rows: 190_000,
        groups: 2_000,
        pages: page({ values: 190_000, encoding: DICTIONARY }, Buffer.from([0])),
      }),
    /declares 380000000 rows/,
  ],
  [
    'a run longer than its page',
    () =>
      parquet({
        columns: NAMES.map((n) => element(n, DOUBLE, OPTIONAL)),
        rows: 1000,
        pages: page({ values: 1000 }, Buffer.concat([Buffer.from([6, 0, 0, 0]), RUN])),
      }),
    /more memory/,
  ],
  [
    'levels of nested lists',
    () =>
      parquet({
        columns: NAMES.map((n) => element(n, INT64, REPEATED)),
        rows: 1,
        pages: page({ values: 2 ** 30 }, RUN),
      }),
    /is a group of columns|no cell of a table/,
  ],
  ['a page that declares two gibibytes', () => packed('gzip', 2 ** 31 - 1), /more memory/],
  ['a page of gzip that unpacks to more than it declares', () => packed('gzip', 8), /Parquet file/],
  [
    'a page of Brotli that unpacks to more than it declares',
    () => packed('brotli', 8),
    /Parquet file/,
  ],
  [
    'a page of Snappy that declares two gibibytes',
    () =>
      parquet({
        rows: 1,
        pages: page({ values: 1, size: 2 ** 31 - 1 }, ZEROES),
        codec: CODECS.snappy,
      }),
    /more memory/,
  ],
  [
    'a page of Zstandard that declares two gibibytes',
    () =>
      parquet({
        rows: 1,
        pages: page({ values: 1, size: 2 ** 31 - 1 }, ZEROES),
        codec: CODECS.zstd,
      }),
    /more memory/,
  ],
  [
    'a delta with blocks of two billion parts',
    () =>
      parquet({
        rows: 200,
        pages: page(
          { values: 200, encoding: DELTA },
          Buffer.concat([varint(2 ** 31 - 128), varint(2 ** 31 - 1), ZEROES]),
        ),
      }),
    /Parquet file/,
  ],
  [
    'texts that grow with every row',
    () =>
      parquet({
        columns: texts,
        rows: 100_000,
        pages: page({ values: 100_000, encoding: DELTA_TEXT }, growing(100_000)),
      }),
    /Parquet file/,
  ],
  [
    'a text of four gibibytes',
    () =>
      parquet({
        columns: texts,
        rows: 1,
        pages: page({ values: 1 }, Buffer.from([255, 255, 255, 255, 1])),
      }),
    /damaged/,
  ],
  [
    'a directory longer than the file',
    () => enclosed(one, Buffer.alloc(1), 2 ** 32 - 1),
    /a directory of 4294967295 bytes/,
  ],
  [
    'a directory of lists of half a billion elements',
    () => enclosed(Buffer.alloc(0), lists),
    /Parquet file/,
  ],
]

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

test.each(BOMBS)('a Parquet file with %s is refused', async (_, bytes, says) => {
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
  const one = page({ values: 1, encoding: DICTIONARY }, Buffer.from([0]))
  writeFileSync(
    file,
    parquet({ rows: 1, pages: Buffer.concat([dictionary(40, Buffer.alloc(320)), one]) }),
  )
  const { text } = await imported(file)
  expect(text).toContain('origin_at "0"')
})
