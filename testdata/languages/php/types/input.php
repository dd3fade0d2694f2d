<?php
class Engine { public function start(): static { return $this; } }

class Car
{
    protected Engine|null $engine;
    private (Engine&Countable)|string $other;
    public int $speed = 1;

    public function __construct(private ?Engine $spare = null, array ...$more) {}

    public function go(Engine $e, $plain = new Engine): self
    {
        $made = new Engine();
        $copy = clone $made;
        $either = $e ?: $made ?? $copy;
        $list = [$e, 'a' => $made, ...$more];
        $first = $list[0]->start();
        $found = match (true) { $e === $made => $e, default => $copy };
        if ($this->engine instanceof Engine && $plain instanceof Car) { $plain->go($this->engine); }
        $later = function (Engine $x) { yield $x; yield from [$x]; };
        static $kept = null;
        ['k' => $k, 1 => [$inner]] = $list;
        return $this;
    }
}
