const a = 1;
@@@ ??? <<< 
const b = ;
function ok() { return b; }
