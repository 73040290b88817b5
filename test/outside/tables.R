# The same forecasts again by data.table: Rscript tables.R FOLDER
folder <- commandArgs(trailingOnly = TRUE)
frame <- data.table::fread(file.path(folder, "frame.csv"), encoding = "UTF-8")
# fread leaves quotes in cells doubled.
frame$model <- gsub('""', '"', frame$model, fixed = TRUE)
stopifnot(inherits(frame$origin_at, "POSIXct"))
data.table::fwrite(frame, file.path(folder, "fwrite.csv"))
