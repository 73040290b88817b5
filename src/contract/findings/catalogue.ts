import { accessRows } from './access.js'
import { commitmentRows } from './commitment.js'
import { conformanceRows } from './conformance.js'
import { contractRows } from './contract.js'
import { documentRows } from './document.js'
import { evidenceRows } from './evidence.js'
import { exchangeRows } from './exchange.js'
import { gateRows } from './gate.js'
import { historyRows } from './history.js'
import { importRows } from './import.js'
import { lintRows } from './lint.js'
import { logRows } from './log.js'
import { logProofRows } from './log-proof.js'
import { naturalTableRows } from './natural.js'
import { outcomesRows } from './outcomes.js'
import { pairingRows } from './pairing.js'
import { planRows } from './plan.js'
import { protocolRows } from './protocol.js'
import { refusalRows } from './refusal.js'
import { registrationRows } from './registration.js'
import { scoringRows } from './scoring.js'
import { siteRows } from './site.js'
import { stampRows } from './stamps.js'
import { strataRows } from './strata.js'
import { tableRows } from './table.js'
import { timeRows } from './time.js'

/** Every code there is, with its severity, arguments, sentence and help: one row each. */
export const CATALOGUE = {
  ...documentRows,
  ...contractRows,
  ...protocolRows,
  ...gateRows,
  ...lintRows,
  ...planRows,
  ...strataRows,
  ...registrationRows,
  ...timeRows,
  ...stampRows,
  ...outcomesRows,
  ...tableRows,
  ...importRows,
  ...naturalTableRows,
  ...exchangeRows,
  ...historyRows,
  ...logRows,
  ...logProofRows,
  ...pairingRows,
  ...scoringRows,
  ...commitmentRows,
  ...evidenceRows,
  ...accessRows,
  ...siteRows,
  ...conformanceRows,
  ...refusalRows,
} as const

/** The same by subject, in the order of the documentation. */
export const SECTIONS = [
  { title: 'Text: bytes, JSON, and what RFC 7493 forbids', rows: documentRows },
  { title: 'Form: what a document or payload may hold', rows: contractRows },
  { title: 'Protocols and their ledger', rows: protocolRows },
  { title: 'Comparison and the gate', rows: gateRows },
  { title: 'Lint: designs that cannot answer their question', rows: lintRows },
  { title: 'Plans', rows: planRows },
  { title: 'Strata', rows: strataRows },
  { title: 'Registrations', rows: registrationRows },
  { title: 'Proof of time', rows: timeRows },
  { title: 'Stamps beside a ledger', rows: stampRows },
  { title: 'Outcomes', rows: outcomesRows },
  { title: 'Tables: CSV, NDJSON and Parquet', rows: tableRows },
  { title: 'Import', rows: importRows },
  { title: 'Import of tables', rows: naturalTableRows },
  { title: 'Exchange', rows: exchangeRows },
  { title: 'Forecast history', rows: historyRows },
  { title: 'The log of a history', rows: logRows },
  { title: 'Sealed rows and proofs', rows: logProofRows },
  { title: 'Pairing', rows: pairingRows },
  { title: 'Scoring', rows: scoringRows },
  { title: 'Stamps and commitments of an evaluation', rows: commitmentRows },
  { title: 'Evidence and audit', rows: evidenceRows },
  { title: 'The record of readings', rows: accessRows },
  { title: 'The static site', rows: siteRows },
  { title: 'Conformance to the specification', rows: conformanceRows },
  { title: 'Inputs that cannot be judged, and requests that are refused', rows: refusalRows },
] as const
