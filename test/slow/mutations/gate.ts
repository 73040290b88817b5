import type { Mutation } from './mutation.js'

const [STATES, LEDGERS, CONTENT] = [
  'gate/rules/states.ts',
  'gate/rules/ledgers.ts',
  'gate/rules/content.ts',
]
const RULES = 'gate/rules'

export const GATE: readonly Mutation[] = [
  // What was changed and changed back is said to be undone only where it has its meaning again.
  [
    STATES,
    '!location.inWorkTree && this.#final?.meaning === frozen.meaning',
    '!location.inWorkTree',
    RULES,
  ],
  [
    STATES,
    "if (kind === 'link' || kind === 'other') this.#notAFile(WORK_TREE)",
    'if (false) return this as never',
    RULES,
  ],
  [STATES, 'if (staged.length === 0) this.#deleted(INDEX)', '', RULES],
  [STATES, 'for (const each of staged) this.#blob(each, INDEX)', '', RULES],
  [
    STATES,
    'if (after === undefined) this.#deleted(location)\n      else this.#blob(after, location)',
    '',
    RULES,
  ],
  [STATES, 'if (base.length > 0 && this.#frozen.length === 0) {', 'if (false) {', RULES],
  [
    STATES,
    'if (target !== undefined)\n    return finding',
    'if (false)\n    return finding',
    RULES,
  ],
  [STATES, 'findings.set(path, [fault])', '', RULES],
  [CONTENT, 'if (isSameText(frozen.bytes, state.bytes)) return []', '', RULES],
  [CONTENT, "strictBytes ? 'error' : 'warning'", "'warning'", RULES],
  [
    CONTENT,
    'if (!state.document.ok) {\n    const unreadable',
    'if (!state.document.ok) return []\n  if (false) {\n    const unreadable',
    RULES,
  ],
  [
    LEDGERS,
    'if (this.#final !== undefined) return this.#lost(WORK_TREE.name, this.#final)',
    '',
    RULES,
  ],
  [LEDGERS, 'this.#bases.some(hasLines) ? [finding(', 'false ? [finding(', RULES],
  [LEDGERS, '[...this.#past(), ...this.#staged()]', '[...this.#staged()]', RULES],
  [LEDGERS, '[...this.#past(), ...this.#staged()]', '[...this.#past()]', RULES],
  [LEDGERS, 'if (kept < (lengths[longest] ?? 0)) return kept + 1', '', RULES],
]
