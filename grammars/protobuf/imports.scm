; import "a/b.proto"
(import path: (string) @source) @import.include
