; import a.b.C as D.
(import (qualified_identifier) @source) @import
