import { commitmentRows } from './commitment.js'
import { conformanceRows } from './conformance.js'
import { contractRows } from './contract.js'
import { documentRows } from './document.js'
import { accessRows, evidenceRows } from './evidence.js'
import { exchangeRows } from './exchange.js'
import { gateRows } from './gate.js'
import { generalRows } from './general.js'
import { historyRows } from './history.js'
import { lintRows } from './lint.js'
import { logProofRows, logRows, witnessRows } from './log.js'
import { importRows, naturalTableRows } from './natural.js'
import { outcomesRows } from './outcomes.js'
import { periodsRows } from './periods.js'
import { planRows, strataRows } from './plan.js'
import { protocolRows } from './protocol.js'
import { recordRows } from './record.js'
import { registrationRows } from './registration.js'
import { pairingRows, scoringRows } from './scoring.js'
import { siteRows } from './site.js'
import { tableRows } from './table.js'
import { stampRows, timeRows } from './time.js'
import { truthRows } from './truth.js'

export interface Section {
  readonly title: string
  readonly rows: object
  readonly advice?: string
}

const TOO_LATE =
  'Leave it as it is: what was not shown in time cannot be shown later. Stamp the next registration, and its log, before its first origin.'

/** All codes, by subject and in the order of the documentation; the advice is for rows without help of their own. */
export const SECTIONS = [
  {
    title: 'Text: bytes, JSON, and what RFC 7493 forbids',
    rows: documentRows,
    advice: 'Correct the text at the line and column that the finding names.',
  },
  {
    title: 'Form: what a document or payload may hold',
    rows: contractRows,
    advice:
      'Correct the value at the place that the finding names, or the program that wrote it; `foreproof schema` prints every form.',
  },
  {
    title: 'Protocols and their ledger',
    rows: protocolRows,
    advice:
      'Restore the ledger as it was committed: its lines are never edited, only added by foreproof.',
  },
  {
    title: 'Comparison and the gate',
    rows: gateRows,
    advice:
      'Read what differs: a change that loosens the test makes a claim easier to reach, and needs a new version of the protocol.',
  },
  { title: 'Lint: designs that cannot answer their question', rows: lintRows },
  { title: 'Lists of periods', rows: periodsRows },
  {
    title: 'Plans',
    rows: planRows,
    advice: 'Correct the plan before it is registered; it cannot be changed afterwards.',
  },
  {
    title: 'Strata',
    rows: strataRows,
    advice:
      'Correct the strata of the plan before it is registered; they cannot be changed afterwards.',
  },
  {
    title: 'Registrations',
    rows: registrationRows,
    advice:
      'Restore the registration, the ledger and the protocol as they were committed; to change them, register a new evaluation.',
  },
  { title: 'Proof of time', rows: timeRows, advice: TOO_LATE },
  { title: 'Stamps beside a ledger', rows: stampRows },
  {
    title: 'Outcomes',
    rows: outcomesRows,
    advice: 'Compare the file with its source, and import outcomes again where they differ.',
  },
  {
    title: 'Outcomes of any series',
    rows: truthRows,
    advice: 'Compare the table with its source, and import outcomes again where they differ.',
  },
  { title: 'Tables: CSV, NDJSON and Parquet', rows: tableRows },
  { title: 'Import', rows: importRows },
  { title: 'Import of tables', rows: naturalTableRows },
  {
    title: 'Exchange',
    rows: exchangeRows,
    advice:
      'Correct the file at the line that the finding names, or name the outcomes that are meant.',
  },
  { title: 'Forecast history', rows: historyRows },
  { title: 'The log of a history', rows: logRows },
  { title: 'Witnesses of a log', rows: witnessRows },
  { title: 'Sealed rows and proofs', rows: logProofRows },
  {
    title: 'Pairing',
    rows: pairingRows,
    advice:
      'Check that window and horizons are those that were meant; such rows never enter a score.',
  },
  { title: 'Scoring', rows: scoringRows },
  { title: 'Stamps and commitments of an evaluation', rows: commitmentRows, advice: TOO_LATE },
  { title: 'Evidence and audit', rows: evidenceRows },
  { title: 'The record of readings', rows: accessRows },
  { title: 'The record of a ledger', rows: recordRows },
  { title: 'The static site', rows: siteRows },
  {
    title: 'Conformance to the specification',
    rows: conformanceRows,
    advice:
      'Change the service or the site until it does what the sentence says; `foreproof conformance` checks it again.',
  },
  {
    title: 'Inputs that cannot be judged, requests that are refused, and lists that are cut',
    rows: generalRows,
  },
] as const satisfies readonly Section[]

type Rows = (typeof SECTIONS)[number]['rows']

/** A type with the members of all types of a union. */
type AllOf<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer A) => void
  ? A
  : never

/** The row of every code: its severity, arguments, sentence and help. */
export const CATALOGUE: AllOf<Rows> = Object.assign({}, ...SECTIONS.map(({ rows }) => rows))
