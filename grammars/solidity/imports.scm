; import "./A.sol"; import {A} from "./A.sol"
(import_directive source: (_) @source) @import.include
