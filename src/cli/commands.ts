import type { CommandEntry } from './command.js'
import { GATE, VERIFY } from './gate-commands.js'

/** By the heading under which `--help` lists them, in the order of its list. */
const GROUPS: Readonly<Record<string, readonly Omit<CommandEntry, 'group'>[]>> = {
  Protocols: [
    {
      name: 'init',
      describe: 'Write what an evaluation begins with, from a protocol draft to a CI workflow',
      load: () => import('./commands/init.js'),
    },
    {
      name: 'validate',
      describe: 'Check that protocols have the right form',
      load: () => import('./commands/validate.js'),
    },
    {
      name: 'lint',
      describe: 'Find designs that cannot reach a conclusion',
      load: () => import('./commands/lint.js'),
    },
    {
      name: 'freeze',
      describe: 'Freeze a draft: digest, file and ledger entry',
      load: () => import('./commands/freeze.js'),
    },
    VERIFY,
    {
      name: 'compare',
      describe: 'List every difference between two protocols',
      load: () => import('./commands/compare.js'),
    },
    {
      name: 'digest',
      describe: 'Print the digest of documents',
      load: () => import('./commands/digest.js'),
    },
    {
      name: 'canonicalize',
      describe: 'Print the canonical form (RFC 8785) of a document',
      load: () => import('./commands/canonicalize.js'),
    },
    GATE,
    {
      name: 'ledger rebase',
      describe: 'Repair a ledger after two branches froze at the same time',
      load: () => import('./commands/ledger-rebase.js'),
    },
  ],
  Data: [
    {
      name: 'outcomes import',
      describe: 'Turn an exchange export of hourly bars into a vintage of closes',
      load: () => import('./commands/outcomes-import.js'),
    },
    {
      name: 'history init',
      describe: 'Make the tables of a forecast history in PostgreSQL',
      load: () => import('./commands/history-init.js'),
    },
    {
      name: 'history import',
      describe: 'Put forecasts, recorded attempts or API pages into a forecast history',
      load: () => import('./commands/history-import.js'),
    },
    {
      name: 'history pull',
      describe: 'Mirror the forecasts of a site, a service or a built folder',
      load: () => import('./commands/history-pull.js'),
    },
    {
      name: 'history export',
      describe: 'Write forecasts and recorded attempts in a form that can be imported again',
      load: () => import('./commands/history-export.js'),
    },
    {
      name: 'history copy',
      describe: 'Copy a history, whole, into a new one: a SQLite file or PostgreSQL',
      load: () => import('./commands/history-copy.js'),
    },
    {
      name: 'history backup',
      describe: 'Copy a SQLite history while it is in use, also over a file that is served',
      load: () => import('./commands/history-backup.js'),
    },
    {
      name: 'history verify',
      describe: 'Check every row of a forecast history',
      load: () => import('./commands/history-verify.js'),
    },
    {
      name: 'history stats',
      describe: 'Count what a forecast history holds',
      load: () => import('./commands/history-stats.js'),
    },
  ],
  Evaluation: [
    {
      name: 'power',
      describe: 'Say what a plan can find, before it is registered',
      load: () => import('./commands/power.js'),
    },
    {
      name: 'register',
      describe: 'Register an evaluation: every test by name, before any outcome is read',
      load: () => import('./commands/register.js'),
    },
    {
      name: 'pair',
      describe: 'Give every expected forecast attempt its status, and count them',
      load: () => import('./commands/pair.js'),
    },
    {
      name: 'score',
      describe: 'Score a registered evaluation and write its evidence and report',
      load: () => import('./commands/score.js'),
    },
    {
      name: 'audit',
      describe: 'Recompute an evaluation and name the first broken link',
      load: () => import('./commands/audit.js'),
    },
    {
      name: 'report',
      describe: 'Draw an evaluation again from its result, or several into one page',
      load: () => import('./commands/report.js'),
    },
    {
      name: 'export',
      describe: 'Write an evaluation as a table, or forecasts in a format of others',
      load: () => import('./commands/export.js'),
    },
  ],
  Time: [
    {
      name: 'stamp',
      describe: 'Have an entry of the ledger stamped by time-stamp authorities',
      load: () => import('./commands/stamp.js'),
    },
    {
      name: 'history seal',
      describe: 'Write a checkpoint over every row of a history, and have it stamped',
      load: () => import('./commands/history-seal.js'),
    },
    {
      name: 'history prove',
      describe: 'Print a proof that a forecast or attempt is in the log of its history',
      load: () => import('./commands/history-prove.js'),
    },
    {
      name: 'history check-proof',
      describe: 'Check a proof out of a log, with nothing else at hand',
      load: () => import('./commands/history-check-proof.js'),
    },
  ],
  Service: [
    {
      name: 'serve',
      describe: 'Serve a forecast history over HTTP to callers with an API key',
      load: () => import('./commands/serve.js'),
    },
    {
      name: 'keys new',
      describe: 'Make an API key, print it once, and add its digest to a keys file',
      load: () => import('./commands/keys-new.js'),
    },
    {
      name: 'keys list',
      describe: 'List the keys of a keys file by name',
      load: () => import('./commands/keys-list.js'),
    },
    {
      name: 'keys revoke',
      describe: 'Remove a key from a keys file',
      load: () => import('./commands/keys-revoke.js'),
    },
    {
      name: 'health write',
      describe: 'Write the report of a pipeline on its health, which serve reads',
      load: () => import('./commands/health-write.js'),
    },
    {
      name: 'health check',
      describe: 'Check the report of a pipeline, and say what serve makes of it',
      load: () => import('./commands/health-check.js'),
    },
    {
      name: 'publish',
      describe: 'Build the static site of a history, or bring it up to date',
      load: () => import('./commands/publish.js'),
    },
    {
      name: 'conformance',
      describe: 'Check a service, a site or a built folder against the specification',
      load: () => import('./commands/conformance.js'),
    },
  ],
  Other: [
    {
      name: 'demo',
      describe: 'Run every step on synthetic data, from a frozen protocol to an audited verdict',
      load: () => import('./commands/demo.js'),
    },
    {
      name: 'explain',
      describe: 'Explain the code of a finding: what it says, and what to do',
      load: () => import('./commands/explain.js'),
    },
    {
      name: 'schema',
      describe: 'Print a schema of the contract, or its OpenAPI document',
      load: () => import('./commands/schema.js'),
    },
    {
      name: 'completion',
      describe: 'Print a completion script for a shell',
      load: () => import('./commands/completion.js'),
    },
  ],
}

/**
 * Every command, with what `--help` needs to list it. The code of a command is loaded only when it
 * runs, for start-up time is a promise of this tool.
 */
export const COMMANDS: readonly CommandEntry[] = Object.entries(GROUPS).flatMap(
  ([group, entries]) => entries.map((entry) => ({ ...entry, group })),
)
