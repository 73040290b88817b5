import { canonicalize } from '../../document/canonical.js'
import type { EvaluationResult } from '../result/types.js'
import type { DigestedFile } from './file-digests.js'

/** Says what the predicate means; docs/evidence.md describes it. Another shape gets another name. */
const PREDICATE_TYPE = 'urn:foreproof:predicate:evaluation:v1'

/**
 * The in-toto statement of an evaluation (Statement v1), unsigned: its subjects are the files of the folder
 * and the inputs, by their digests.
 * @param files all files that it covers, the description included.
 * @returns canonical JSON (RFC 8785) and a line feed: the same folder gives the same bytes.
 */
export function statementText(result: EvaluationResult, files: readonly DigestedFile[]): string {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      ...files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
      ...inputSubjects(result),
    ],
    predicateType: PREDICATE_TYPE,
    predicate: predicateOf(result),
  }
  return `${canonicalize(statement)}\n`
}

/** Only the series of closes is the digest of a file; the other names say that theirs are not. */
function inputSubjects({ inputs }: EvaluationResult) {
  const { history, protocol, registration, vintage } = inputs
  return [
    { name: 'input:history', digest: { foreproofRowsV1: history.sha256 } },
    { name: 'input:outcomes', digest: { sha256: vintage.sha256 } },
    { name: 'input:protocol', digest: { foreproofDocumentV1: protocol.sha256 } },
    { name: 'input:registration', digest: { foreproofDocumentV1: registration.sha256 } },
  ]
}

function predicateOf(result: EvaluationResult) {
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
      mode: result.mode,
      exploratory: result.exploratory,
      earlierReadings: result.earlier_readings,
    },
    verdict: result.dispositions.map(({ candidate, disposition, reasons }) => ({
      candidate,
      disposition,
      reasons: [...new Set(reasons.map(({ code }) => code))],
    })),
    code: { ...result.code },
  }
}
