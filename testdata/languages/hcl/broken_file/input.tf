variable "before" {
  type = string
}

resource "aws_vpc" "damaged" {
  cidr = [
}

output "after" { value = var.
