; import qualified A.B as C (d)
(import module: (module) @source) @import
