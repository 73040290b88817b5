interface Entry<V> {
  readonly value: V
  readonly bytes: number
}

/**
 * Keeps values by key within a budget of bytes. Two generations: what is used moves to the young one;
 * when that is half the budget, the old one goes at once. As good as least-recently-used, at the cost of
 * a look-up in a map.
 */
export class Retained<V> {
  private young = new Map<string, Entry<V>>()
  private old = new Map<string, Entry<V>>()
  private youngBytes = 0

  constructor(private readonly budget: number) {}

  get(key: string): V | undefined {
    const young = this.young.get(key)
    if (young !== undefined) return young.value
    const old = this.old.get(key)
    if (old === undefined) return undefined
    this.keep(key, old)
    return old.value
  }

  set(key: string, value: V, bytes: number): void {
    this.keep(key, { value, bytes })
  }

  clear(): void {
    this.young = new Map()
    this.old = new Map()
    this.youngBytes = 0
  }

  private keep(key: string, entry: Entry<V>): void {
    const half = this.budget / 2
    if (entry.bytes > half) return
    if (this.youngBytes + entry.bytes > half) {
      this.old = this.young
      this.young = new Map()
      this.youngBytes = 0
    }
    this.young.set(key, entry)
    this.youngBytes += entry.bytes
  }
}
