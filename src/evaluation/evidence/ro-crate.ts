import { canonicalize } from '../../document/canonical.js'
import type { EvaluationResult } from '../result/types.js'
import type { DigestedFile } from './file-digests.js'
import { FILES } from './folder.js'

const VERSION = 'https://w3id.org/ro/crate/1.2'

/** What a file is, by its name or how that ends. The texts are a part of the format, like its members. */
const KINDS: readonly (readonly [ending: string, name: string, mediaType: string])[] = [
  [FILES.pairs, 'Every expected attempt, with what became of it', 'application/x-ndjson'],
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
 * The folder as an RO-Crate (version 1.2), for archives and for those who search them.
 * @param files all files with digests.
 * @param at when the result was written, RFC 3339.
 * @returns canonical JSON (RFC 8785) and a line feed: the same folder gives the same bytes.
 */
export function crateText(
  result: EvaluationResult,
  files: readonly DigestedFile[],
  at: string,
): string {
  const described = [...files.map(fileOf), bare(FILES.inputs), bare(FILES.statement)]
  const graph = [
    {
      '@id': FILES.crate,
      '@type': 'CreativeWork',
      about: { '@id': './' },
      conformsTo: { '@id': VERSION },
    },
    rootOf(result, described, at),
    ...described,
    ...inputsOf(result),
    ...actionOf(result, at),
  ]
  return `${canonicalize({ '@context': `${VERSION}/context`, '@graph': graph })}\n`
}

function rootOf(result: EvaluationResult, parts: readonly { '@id': string }[], at: string) {
  const { registration, protocol, vintage } = result.inputs
  const verdicts = result.dispositions.map((of) => `${of.candidate} is ${of.disposition}`)
  return {
    '@id': './',
    '@type': 'Dataset',
    name: `Evidence of the evaluation ${registration.name}`,
    description:
      `A ${result.mode} evaluation of forecasts under the protocol ${protocol.version}, ` +
      `against the closes ${vintage.id} of ${vintage.source}. Conclusions: ${verdicts.join('; ')}.`,
    datePublished: at,
    license: 'Not stated here: ask whoever published this folder.',
    identifier: result.result_sha256,
    hasPart: parts.map(ref),
    mentions: [{ '@id': '#score' }],
  }
}

const ref = ({ '@id': id }: { readonly '@id': string }) => ({ '@id': id })

const fileOf = ({ name, size, sha256 }: DigestedFile) => ({
  ...bare(name),
  contentSize: String(size),
  sha256,
})

function bare(file: string) {
  const [, name, encodingFormat] = KINDS.find(([ending]) => file.endsWith(ending)) ?? ['', '', '']
  // Names of revocation lists are whatever the operator called them; an id is a URI.
  const id = file.split('/').map(encodeURIComponent).join('/')
  return { '@id': id, '@type': 'File', name, encodingFormat }
}

/** The inputs do not lie in the folder: they are known by their digests. */
function inputsOf({ inputs }: EvaluationResult) {
  const { history, protocol, registration, vintage } = inputs
  const input = (kind: string, name: string, identifier: string) => ({
    '@id': `#input-${kind}`,
    '@type': 'CreativeWork',
    name,
    identifier,
  })
  return [
    input('history', 'Forecasts of the window', history.sha256),
    input('outcomes', `Closes ${vintage.id}`, vintage.sha256),
    input('protocol', `Protocol ${protocol.version}`, protocol.sha256),
    input('registration', `Registration ${registration.name}`, registration.sha256),
  ]
}

function actionOf(result: EvaluationResult, at: string) {
  const { name, version, sha256 } = result.code
  return [
    {
      '@id': '#score',
      '@type': 'CreateAction',
      name: 'Scoring',
      endTime: at,
      instrument: { '@id': '#foreproof' },
      object: inputsOf(result).map(ref),
      result: { '@id': './' },
    },
    { '@id': '#foreproof', '@type': 'SoftwareApplication', name, version, identifier: sha256 },
  ]
}
