# The upper tail of a noncentral t by R's own stats package.
# Rscript noncentral.R > noncentral.csv
# Columns: degrees, t, shift, figure (10 decimals).
cat("degrees,t,shift,figure\n")
for (nu in c(4, 8, 16, 37.5)) for (d in c(0, 1, 3, 6)) for (t in c(-1, 0.5, 2.5, 4.5)) {
  cat(sprintf("%g,%g,%g,%.10f\n", nu, t, d, pt(t, nu, ncp = d, lower.tail = FALSE)))
}
