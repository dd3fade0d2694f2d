<?php
class Before
{
    public function kept(): int { return 1; }
}

class Damaged extends
{
    public $field
    public function half( {
        return $this->
    }

function after() { return new Before(; }
