# Doc
#' Greets.
#' @export
greet <- function(x, n = 1) {
  y <- helper(x) # not_one <- function() 1
  text <- "nor_this <- function() 1"
  inner <- function(z) z
  obj$field <- 2
  base::paste(y, n)
}
other = function() 1
function(x) x -> right
LIMIT <- 10
lam <- \(x) x
setClass("Person", representation(name = "character"))
setGeneric("area", function(shape) standardGeneric("area"))
setMethod("area", "Circle", function(shape) 1)
Person <- R6Class("Person", public = list(name = NULL, initialize = function(name) { self$name <- name }, hi = function() cat("x")))
`%+%` <- function(a, b) a
print.foo <- function(x) x
library(dplyr)
source("other.R")
x %>% f()
assign("v", 1)
