// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "./Other.sol";
import {A, B as C} from "lib/X.sol";
/// Max.
uint256 constant MAX = 10;
type Price is uint128;
error Bad(uint256 code);
struct Point { uint256 x; uint256 y; }
enum Color { Red, Green }
function free(uint256 x) pure returns (uint256) { return x; }
/// @title Token
abstract contract Token is Base(1), Named {
  // function notOne() {}
  string text = "function norThis() {}";
  using SafeMath for uint256;
  uint256 public constant RATE = 1;
  mapping(address => uint256) private _balances;
  event Sent(address indexed to, uint256 amount);
  error Low();
  struct In { uint256 z; }
  enum E { X }
  modifier onlyOwner() { require(msg.sender == owner); _; }
  constructor(string memory n) Base(n) { _name = n; }
  /// Sends.
  function send(address to, uint256 amount) external virtual override onlyOwner returns (bool) { uint256 v = free(amount); _balances[to] += v; emit Sent(to, v); revert Low(); Point memory p = Point(1, 2); Other.go(p.x); return true; }
  receive() external payable {}
  fallback() external {}
}
interface Named { function name() external view returns (string memory); }
library Lib { function add(uint256 a) internal {} }
