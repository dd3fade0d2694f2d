; import A, import struct A.B
(import_declaration (identifier) @source) @import
