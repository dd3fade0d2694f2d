<?php
namespace A;

/**
 * A bag.
 *
 * @template TKey of array-key
 * @template-covariant TValue
 * @extends Base<TKey, TValue>
 * @property-read Item $item what it has
 * @method static Item|null find(int $id)
 */
class Bag extends Base
{
    /** @var array<string, \A\B\Item[]> */
    private array $items;

    /** @var Item $only */
    public $only, $last;

    /**
     * @template T
     * @param callable(TValue, TKey): T $call  with Item
     * @param array{first: Item, rest?: list<Item>}|class-string<T> ...$rest
     * @param ?Item $maybe
     * @return ($maybe is null ? static : self<T>)
     * @psalm-return Bag<TKey, T>
     * @throws \LogicException
     */
    public function map(callable $call, ?Item $maybe = null, ...$rest)
    {
        /** @var Item $item */
        $item = $rest[0];
        /** @var Item $else */
        $other = x();
        return $item;
    }
}
