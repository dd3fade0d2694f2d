# A vpc.
terraform { required_version = ">= 1.0" }
provider "aws" { region = var.region }
variable "region" {
  # resource "a" "not_one" {}
  type = string
  description = "resource a nor_this {}"
  default = "eu"
}
locals {
  name = "x"
  other = local.name
}
resource "aws_vpc" "main" {
  cidr_block = var.cidr
  tags = { Name = local.name }
  dynamic "ingress" { for_each = var.x
   content { a = ingress.value } }
}
data "aws_ami" "ubuntu" { owners = ["x"] }
module "vpc" { source = "./modules/vpc" }
output "id" { value = aws_vpc.main.id }
a = "b"
