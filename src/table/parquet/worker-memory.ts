/** With what the program that asks has, less than a gibibyte. */
const MEMORY_BYTES = 640 * 1_048_576
const EVERY_MS = 25

const parent = process.ppid

// A thread, because the one that unpacks may do nothing else for long. The limit of the heap does not count
// buffers; and without its parent this process has nothing left to do.
setInterval(() => {
  if (process.memoryUsage.rss() > MEMORY_BYTES || process.ppid !== parent) {
    process.kill(process.pid, 'SIGKILL')
  }
}, EVERY_MS)
