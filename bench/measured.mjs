/** The command line with what it took, as one line of JSON on standard error: node bench/measured.mjs COMMAND… */
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const figures = { cpu: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 }
  process.stderr.write(`${JSON.stringify(figures)}\n`)
})
await import('../dist/cli/main.js')
