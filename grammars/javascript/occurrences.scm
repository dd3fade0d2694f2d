; class A extends B, class A extends ns.B
(class_heritage [(identifier) (member_expression)] @extends)
