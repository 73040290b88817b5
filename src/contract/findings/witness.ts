import { row, warning } from './row.js'

const WITNESS = { witness: 'example.org/w1' }
const LATER = 'What was sealed is kept, and run again it is asked once more.'

/** What is said of witnesses of a log, by those who ask them. */
export const witnessRows = {
  'witness-silent': warning(
    '{witness} gave no cosignature this time: {why}',
    { ...WITNESS, why: 'https://w1.example.org/add-checkpoint: cannot be reached (ECONNREFUSED)' },
    LATER,
  ),
  'witness-refused': row('error', 'warning')(
    '{witness} does not cosign: {why}',
    { ...WITNESS, why: 'it does not know this log (status 404)' },
    'Ask who runs the witness; the policy may have another key or address of it.',
  ),
  'witness-rolled-back': row('error', 'warning')(
    '{witness} says that it has seen {size entry|entries}, but it has cosigned {before}',
    { ...WITNESS, size: 120, before: 240 },
    'Its state was set back, so what it says of this log proves no more. It was not asked any further; tell who runs it, who has to begin with a new key and a new name.',
  ),
  'log-behind-witness': row('error', 'warning')(
    '{witness} has seen {size entry|entries} of this log, which has {here}',
    { ...WITNESS, size: 240, here: 216 },
    'A history that was restored from a copy lacks what was sealed since. Where the quorum is missing for it, nothing was sealed: bring it up from what was published (foreproof history resume), and seal then. What was sealed and published nowhere ends the log: begin another, under a new name and key.',
  ),
  'witness-quorum-missing': row('error', 'warning')(
    'the checkpoint of {size entry|entries} lacks the quorum: {missing} did not cosign',
    { size: 240, missing: ['example.org/w1'] },
    LATER,
  ),
} as const
