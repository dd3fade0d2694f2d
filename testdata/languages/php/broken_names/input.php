<?php
namespace A\{;
use B\{C, ;
/** @param array<string, ( $x @return {{{ @template @method ( */
class Bag { use ; public function f(Item $x, { $x->->y; A:: ; new ; $this-> } 
function g( { return f($b.D, ''
