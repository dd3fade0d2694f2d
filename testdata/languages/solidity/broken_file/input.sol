contract Before {
  function kept() public {}
}

contract Damaged is {
  uint256 = 1;
  function half( {
    return this.
}

function after() { Before( }
