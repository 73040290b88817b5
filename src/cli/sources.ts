import type { Document, UnreadableDocument } from '../document/read.js'

/** Keeps the texts of the documents in which something was found, for the lines around findings. */
export class Sources {
  readonly #texts = new Map<string, string>()

  keep(document: Document | UnreadableDocument): void {
    if (document.text !== '') this.#texts.set(document.file, document.text)
  }

  readonly of = (file: string): string | undefined => this.#texts.get(file)
}

/** `1 protocol`, `2 protocols`, `2 entries`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
