import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BIN, ROOT } from '../support/run.js'

/** A page of `docs/`, and every block of code in it. */
export function guide(page: string) {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  const snippets = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language = '', code = '']) => ({ language, text: code }),
  )
  /** The only block in a language. */
  const snippet = (language: string): string => {
    const found = snippets.filter((each) => each.language === language)
    if (found.length !== 1) throw new Error(`${found.length} blocks of ${language}`)
    return found[0]?.text ?? ''
  }
  return { text, snippets, snippet }
}

/** A text with one thing in it exchanged, which has to be there. */
export function exchange(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`no ${from} in: ${text}`)
  return text.replaceAll(from, to)
}

/** The tarball of the package, made in a folder; its name there. */
export function packedInto(folder: string): string {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const packed = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  return filename
}

/** Puts a program into a folder that runs what is built here; those who want `npx foreproof` call it `npx`. */
export function putProgram(folder: string, name: 'foreproof' | 'npx' = 'foreproof'): void {
  mkdirSync(folder, { recursive: true })
  const shift = name === 'npx' ? 'shift\n' : ''
  const text = `#!/bin/sh\n${shift}exec '${process.execPath}' '${BIN}' "$@"\n`
  writeFileSync(join(folder, name), text, { mode: 0o755 })
}
