before <- function() 1

damaged <- function(x {
  y <- c(1,
}

after <- function() before(
