import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from '../../contract/error.js'
import { canonicalize } from '../../document/canonical.js'
import { sha256Hex } from '../../document/digest.js'
import { digestFile } from '../../files/regular.js'
import { yieldToEventLoop } from '../../files/waiting.js'
import { countingDispositions, notAskedSaid } from '../result/readings.js'
import type { Result } from '../result/result.js'
import { FILES, type FileName, LOG_FILES, MAX_BYTES_OF, ownFiles, TIME } from './folder.js'

/** The texts of the two files that describe the others. The statement covers the RO-Crate, too. */
export interface Description {
  readonly [FILES.crate]: string
  readonly [FILES.statement]: string
}

/** @param at when the result was written, RFC 3339. */
export function describe(result: Result, files: readonly DigestedFile[], at: string): Description {
  const crate = crateText(result, files, at)
  const covered = [...files, digested(FILES.crate, crate)].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  return { [FILES.crate]: crate, [FILES.statement]: statementText(result, covered) }
}

/** The size and digest of a file with this text. */
export function digested(name: string, text: string): DigestedFile {
  return { name, size: Buffer.byteLength(text), sha256: sha256Hex(text) }
}

/** The properties of a file in a statement and a description. */
export interface DigestedFile {
  /** Relative to the evidence folder. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly sha256: string
}

/** Files that are not described by a digest: paths may change, and these two name all others. */
const UNDIGESTED: ReadonlySet<string> = new Set([FILES.inputs, FILES.crate, FILES.statement])

/**
 * The files that support a result, sorted by name. The pairs are not read again, because the result has their digest.
 * @throws {ForeproofError} if one cannot be read; `interrupted`.
 */
export async function digestedFiles(
  folder: string,
  { inputs, time }: Result,
  signal: AbortSignal | undefined,
): Promise<DigestedFile[]> {
  const files: DigestedFile[] = []
  for (const name of ownFiles(folder)) {
    const stray = time === null && name.startsWith(`${TIME}/`)
    if (stray || UNDIGESTED.has(name)) continue
    const path = join(folder, name)
    const sha256 =
      name === FILES.pairs
        ? inputs.pairs.sha256
        : await digestFile(path, sizeLimit(name), () => yieldToEventLoop(signal))
    files.push({ name, size: fileSize(path), sha256 })
  }
  return files
}

function sizeLimit(name: string): number {
  if (Object.hasOwn(MAX_BYTES_OF, name)) return MAX_BYTES_OF[name as FileName]
  return name === LOG_FILES.entries ? MAX_BYTES_OF[FILES.pairs] : MAX_BYTES_OF[FILES.result]
}

function fileSize(path: string): number {
  try {
    return statSync(path).size
  } catch (cause) {
    throw fileError(cause, path)
  }
}

const VERSION = 'https://w3id.org/ro/crate/1.2'

/** The description of a file, by its name or ending. The texts are a part of the format, like its members. */
const KINDS: readonly (readonly [ending: string, name: string, mediaType: string])[] = [
  [FILES.pairs, 'Every expected attempt, with what became of it', 'application/gzip'],
  [FILES.cells, 'Every series at every step, with its figures', 'application/x-ndjson'],
  [FILES.result, 'Every figure of the evaluation', 'application/json'],
  [FILES.html, 'Report', 'text/html'],
  [FILES.markdown, 'Report in short', 'text/markdown'],
  [FILES.access, 'Record of who read the outcomes when', 'application/jsonl'],
  [FILES.inputs, 'Where the inputs lay', 'application/json'],
  [FILES.statement, 'in-toto statement', 'application/vnd.in-toto+json'],
  ['.pem', 'Certificate of a time stamp authority', 'application/x-pem-file'],
  ['.crl', 'List of revoked certificates', 'application/pkix-crl'],
  ['.tsr', 'Time stamp', 'application/timestamp-reply'],
  ['entries.ndjson', 'Leaves of the log of forecasts', 'application/x-ndjson'],
  ['', 'Checkpoint of the log of forecasts', 'text/plain'],
]

/**
 * The folder as an RO-Crate (version 1.2), for archives and search.
 * @param files all files with digests.
 * @param at when the result was written, RFC 3339.
 * @returns canonical JSON (RFC 8785) and a line feed: the same folder gives the same bytes.
 */
function crateText(result: Result, files: readonly DigestedFile[], at: string): string {
  const described = [...files.map(describeFile), bare(FILES.inputs), bare(FILES.statement)]
  const graph = [
    {
      '@id': FILES.crate,
      '@type': 'CreativeWork',
      about: { '@id': './' },
      conformsTo: { '@id': VERSION },
    },
    describeRoot(result, described, at),
    ...described,
    ...describeInputs(result),
    ...describeAction(result, at),
  ]
  return `${canonicalize({ '@context': `${VERSION}/context`, '@graph': graph })}\n`
}

function describeRoot(result: Result, parts: readonly { '@id': string }[], at: string) {
  const { registration, protocol, outcomes } = result.inputs
  const verdicts = countingDispositions(result).map(
    ({ candidate, disposition: of }) => `${candidate} is ${of}${notAskedSaid(result, of)}`,
  )
  return {
    '@id': './',
    '@type': 'Dataset',
    name: `Evidence of the evaluation ${registration.name}`,
    description:
      `${result.kind === 'backtest' ? 'A backtest' : 'An evaluation'} of forecasts under the protocol ${protocol.version}, ` +
      `against the outcomes ${outcomes.id} of ${outcomes.source}. ${verdicts.length === 0 ? 'Nothing is decided.' : `Conclusions: ${verdicts.join('; ')}.`}`,
    datePublished: at,
    license: 'Not stated here: ask whoever published this folder.',
    identifier: result.result_sha256,
    hasPart: parts.map(ref),
    mentions: [{ '@id': '#score' }],
  }
}

const ref = ({ '@id': id }: { readonly '@id': string }) => ({ '@id': id })

/** The digest of the pairs covers their lines, because another gzip of them is equivalent. */
const describeFile = ({ name, size, sha256 }: DigestedFile) => ({
  ...bare(name),
  ...(name === FILES.pairs
    ? { description: `Lines of JSON, compressed. SHA-256 of the lines: ${sha256}` }
    : { contentSize: String(size), sha256 }),
})

function bare(file: string) {
  const [, name, encodingFormat] = KINDS.find(([ending]) => file.endsWith(ending)) ?? ['', '', '']
  // The operator may give revocation lists any name, but an id must be a URI.
  const id = file.split('/').map(encodeURIComponent).join('/')
  return { '@id': id, '@type': 'File', name, encodingFormat }
}

/**
 * The inputs are not in the folder, so they are identified by their digests. Only that of the series of closes is the
 * digest of a file; the names of the others state that theirs are not.
 */
function inputsIn({ inputs }: Result) {
  const { history, protocol, registration, outcomes } = inputs
  return [
    ['history', 'Forecasts of the window', 'foreproofRowsV1', history.sha256],
    ['outcomes', `Outcomes ${outcomes.id}`, 'sha256', outcomes.sha256],
    ['protocol', `Protocol ${protocol.version}`, 'foreproofDocumentV1', protocol.sha256],
    [
      'registration',
      `Registration ${registration.name}`,
      'foreproofDocumentV1',
      registration.sha256,
    ],
  ] as const
}

const describeInputs = (result: Result) =>
  inputsIn(result).map(([kind, name, , identifier]) => {
    return { '@id': `#input-${kind}`, '@type': 'CreativeWork', name, identifier }
  })

function describeAction(result: Result, at: string) {
  const { name, version, sha256 } = result.code
  return [
    {
      '@id': '#score',
      '@type': 'CreateAction',
      name: 'Scoring',
      endTime: at,
      instrument: { '@id': '#foreproof' },
      object: describeInputs(result).map(ref),
      result: { '@id': './' },
    },
    { '@id': '#foreproof', '@type': 'SoftwareApplication', name, version, identifier: sha256 },
  ]
}

/** Identifies the meaning of the predicate, described in docs/reference/evidence-files.md. Another shape needs another name. */
const PREDICATE_TYPE = 'urn:foreproof:predicate:evaluation:v1'

/**
 * The in-toto statement of an evaluation (Statement v1), unsigned: its subjects are the files of the folder
 * and the inputs, by their digests.
 * @param files all files that it covers, the description included.
 * @returns canonical JSON (RFC 8785) and a line feed: the same folder gives the same bytes.
 */
function statementText(result: Result, files: readonly DigestedFile[]): string {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      ...files.map(({ name, sha256 }) => ({ name: subjectName(name), digest: { sha256 } })),
      ...inputsIn(result).map(([kind, , digest, sha256]) => {
        return { name: `input:${kind}`, digest: { [digest]: sha256 } }
      }),
    ],
    predicateType: PREDICATE_TYPE,
    predicate: createPredicate(result),
  }
  return `${canonicalize(statement)}\n`
}

/** The pairs are listed by their uncompressed content. */
const subjectName = (name: string) => (name === FILES.pairs ? name.replace(/\.gz$/, '') : name)

function createPredicate(result: Result) {
  const { protocol, registration } = result.inputs
  return {
    registration: {
      name: registration.name,
      registeredAt: registration.registered_at,
      sha256: registration.sha256,
      ledgerEntrySha256: registration.ledger_entry_sha256,
    },
    protocol: {
      version: protocol.version,
      sha256: protocol.sha256,
      ledgerEntrySha256: protocol.ledger_entry_sha256,
    },
    result: {
      sha256: result.result_sha256,
      pairsSha256: result.inputs.pairs.sha256,
      cellsSha256: result.cells.sha256,
      kind: result.kind,
      exploratory: result.exploratory,
      earlierReadings: result.earlier_readings,
    },
    verdict: countingDispositions(result).map(({ candidate, disposition, reasons }) => ({
      candidate,
      disposition,
      reasons: [...new Set(reasons.map(({ code }) => code))],
    })),
    code: { ...result.code },
  }
}
