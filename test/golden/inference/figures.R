# Holm's adjusted p-values and type-7 quantiles by R's own stats package.
# Rscript figures.R > figures.csv
# Columns: what, case, index, input, argument, figure (17 significant digits).
set.seed(410)
line <- function(what, case, index, input, argument, figure) {
  number <- function(x) ifelse(is.na(x), "NA", sprintf("%.17g", x))
  cat(paste(what, case, index, number(input), number(argument), number(figure), sep = ","), sep = "\n")
}
cat("what,case,index,input,argument,figure\n")
sizes <- c(1, 2, 7, 29, 116, 400)
for (case in seq_along(sizes)) {
  m <- sizes[case]
  counts <- round(exp(runif(m, 0, log(5000))))
  p <- pmin(1, 2 * counts / 10001)
  # Every fifth case has tests without a p-value, which stay in the family.
  if (m > 5) p[sample(m, m %/% 5)] <- NA
  line("holm", case, seq_len(m), p, rep(m, m), p.adjust(p, "holm", n = m))
}
sizes <- c(1, 2, 3, 10, 99, 1000)
for (case in seq_along(sizes)) {
  x <- rnorm(sizes[case])
  line("sample", case, seq_along(x), x, rep(NA, length(x)), rep(NA, length(x)))
  levels <- c(0.05, 0.05 / 3, 0.01, 0.05 / 250, 0.4)
  q <- c(levels / 2, 1 - levels / 2)
  line("quantile", case, seq_along(q), q, c(levels, levels), quantile(x, q, type = 7, names = FALSE))
}
