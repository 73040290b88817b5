import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Forger, OpenResult } from '../forger.js'
import { sql } from '../stamped-world.js'
import { editText } from '../world.js'

/** Spoils a copy; may return what is to happen while the audit pairs. */
type Spoil = (of: Forger) => unknown
/**
 * What is said of it: the link that is broken, where one is, and the code of the finding, with its fault where that
 * matters; or the code of the error that ends the audit.
 */
type Expected = string
export type Case = readonly [name: string, spoil: Spoil, expected: Expected]

/** Cases with the same finding, by their names. */
export const cases = (expected: Expected, spoils: Readonly<Record<string, Spoil>>): Case[] =>
  Object.entries(spoils).map(([name, spoil]) => [name, spoil, expected])

export const edit = (name: string, find: string | RegExp, put: string) => (of: Forger) =>
  editText(of.file(name), (text) => text.replace(find, put))

/** Changes a result, with all that names it. */
export const result = (change: (result: OpenResult) => unknown) => (of: Forger) => of.result(change)

/** Changes the pairs, with all that names them. */
export const pairs = (change: (text: string) => string) => (of: Forger) => of.pairs(change)

export const without = (name: string) => (of: Forger) => rmSync(of.file(name))

/** Changes rows of the history. */
export const inHistory = (statement: string) => (of: Forger) =>
  expect(sql(join(of.world, 'history.sqlite'), statement)).toBeGreaterThan(0)
