import type { CommandEntry } from './command.js'

/** Every command by its heading in `--help`, in that order. */
const GROUPS = {
  Protocols: {
    init: 'Write the files of a new evaluation: draft, plan, CI workflow, README',
    validate: 'Check that protocols have the right form',
    lint: 'Find designs that cannot reach a conclusion, or only a weak one',
    freeze: 'Freeze a draft: compute its digest, write it once, enter it in the ledger',
    verify: 'Check frozen protocols: form, digest, and the ledger beside them',
    compare: 'List every difference between two protocols; exit with 1 if there is one',
    digest: 'Print the SHA-256 of the canonical form of documents',
    canonicalize: 'Print the canonical form (RFC 8785) of a document, without a line end',
    gate: 'Refuse changes to frozen protocols in a git history',
    'ledger rebase': 'Repair a ledger after two branches froze at the same time',
  },
  Data: {
    periods: 'Write a list of periods (hours, days, weeks, sessions), or check one',
    'outcomes import': 'Import closes of an exchange, or outcomes of any series, as a vintage',
    'history init': 'Make the tables of a forecast history in PostgreSQL; SQLite needs none',
    'history import': 'Import tables of forecasts, attempts or API pages into a history',
    'history pull': 'Mirror the forecasts of a site, a service or a built folder',
    'history export': 'Export forecasts and recorded attempts, ready to import again',
    'history copy': 'Copy a whole history into a new SQLite file or into PostgreSQL',
    'history resume': 'Bring a restored or new history up to the published log of a site',
    'history backup': 'Back up a SQLite history while it is in use, or restore one that is served',
    'history verify': 'Check every row of a forecast history; nothing is written',
    'history stats': 'Count what a forecast history holds, by model and horizon',
  },
  Evaluation: {
    power: 'Predict what a plan can find, before you register it',
    register: 'Register an evaluation: every test by name, before any outcome is read',
    pair: 'Assign a status to every expected forecast attempt, and count them',
    score: 'Score a registered evaluation once, and write its evidence and report',
    close: 'Say in the ledger that a registration will not be scored, and why',
    correct: 'Say in the ledger that a later result replaces the first, and why',
    record: 'Show everything that was ever registered in a ledger, on one page',
    'record check': 'Check a record, and derive it by your own clock, anchors and witnesses',
    audit: 'Recompute an evaluation from its inputs and name the first broken link',
    'verify-page': 'Write verify.html, which recomputes a verdict in a browser',
    report: 'Draw the report of an evaluation again, or its charts as files',
    export: 'Export an evaluation as a table, or forecasts as a hub',
  },
  Time: {
    stamp: 'Have an entry of the ledger stamped by time-stamp authorities (RFC 3161)',
    'history seal': 'Write a checkpoint over every row of a history and have it stamped',
    witness: 'Cosign checkpoints of other logs after checking that each extends the last',
    'history prove': 'Print a proof that a forecast or attempt is in the log of its history',
    'history check-proof': 'Check a proof without any other file',
  },
  Service: {
    serve: 'Serve a forecast history over HTTP, read only, to callers with an API key',
    'keys new': 'Make an API key, print it once, and add its digest to a keys file',
    'keys list': 'List the keys of a keys file: names, fingerprints, limits, expiry',
    'keys revoke': 'Remove a key from a keys file; a running service notices within a second',
    'health write': 'Write the health report of a pipeline, which serve reads',
    'health check': 'Check a health report, and show how serve reads it',
    publish: 'Build or update the static site of a history',
    conformance: 'Check a service, a site or a built folder against the specification',
  },
  Other: {
    demo: 'Run every step on synthetic data, from freezing the rules to verdicts and an audit',
    explain: 'Explain the code of a finding; without a code, list them all',
    schema: 'Print a schema of the contract, or its OpenAPI document',
    completion: 'Print a script that completes commands and options in a shell',
  },
}

/** The code of a command is in the file of its name, and loaded only to run it, because start-up has to be fast. */
const load = (name: string): ReturnType<CommandEntry['load']> =>
  import(new URL(`commands/${name.replace(' ', '-')}.js`, import.meta.url).href)

export const COMMANDS: readonly CommandEntry[] = Object.entries(GROUPS).flatMap(
  ([group, commands]) =>
    Object.entries(commands).map(([name, describe]) => ({
      group,
      name,
      describe,
      load: () => load(name),
    })),
)
