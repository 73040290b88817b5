// Replaces evaluation/evidence/pairs-limit.ts: a tab has less time and memory than a command.
export const PAIRS_LIMIT = {
  max: 256 * 1_048_576,
  help: 'Use the command line: foreproof audit.',
}
