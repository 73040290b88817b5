import type { Forger } from '../forger.js'
import { editText } from '../world.js'

/** Spoils a copy; may return what is to happen while the audit pairs. */
type Spoil = (of: Forger) => unknown
/** What is told of it: the code of a finding, or of the error that ends the audit. */
type Told = string
export type Case = readonly [name: string, spoil: Spoil, told: Told]

export const edit = (name: string, find: string | RegExp, put: string) => (of: Forger) =>
  editText(of.file(name), (text) => text.replace(find, put))
