# Student's t by R's own stats package: both tails together, and their quantiles.
# Rscript student.R > student.csv
# Columns: what, nu, argument, figure (17 significant digits).
line <- function(what, nu, argument, figure) {
  cat(sprintf("%s,%d,%.17g,%.17g", what, nu, argument, figure), sep = "\n")
}
cat("what,nu,argument,figure\n")
for (nu in 4:16) {
  # Where p is 1e-200, and some way beyond what a test of prices can come to.
  far <- -qt(log(0.5) - 200 * log(10), nu, log.p = TRUE)
  t <- c(1e-9, 1e-4, 0.01, 0.3, 0.9, 0.999999, 1, 1.000001, exp(seq(log(1.1), log(far), length.out = 24)))
  line("tail", nu, t, 2 * pt(-t, nu))
  level <- c(0.999, 0.9, 0.5, 0.37, 0.1, 0.05, 0.01, 0.05 / 29, 1e-5, 0.05 / 2784, 1e-9, 1e-30, 1e-100, 1e-200)
  line("quantile", nu, level, -qt(level / 2, nu))
}
