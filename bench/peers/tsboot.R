# boot::tsboot with fixed blocks and the mean, one test.
suppressMessages(library(boot))
arguments <- as.integer(commandArgs(trailingOnly = TRUE))
set.seed(410)
x <- rnorm(arguments[1])
began <- sum(proc.time()[1:2])
result <- tsboot(x, mean, R = arguments[2], l = 24, sim = "fixed", endcorr = FALSE)
cat(sprintf("%.6f\n", sum(proc.time()[1:2]) - began))
