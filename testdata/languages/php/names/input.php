<p>Text <?php
namespace Shop\Cart;

use Shop\{Item, Price as Cost, function round_up, const RATE};
use function Shop\Text\trim_all as trimmed;
use Shop\Events;

abstract class Cart extends \Base implements namespace\Holds, Events\Emits
{
    use Counts, Logs { Counts::add insteadof Logs; Logs::add as protected log; }

    const MAX = 10, MIN = self::MAX - 9;
    public static ?Cart $last = null;

    public function __construct(private readonly Item $first, Cost ...$rest)
    {
        parent::__construct($first);
        static::$last = new static($first);
        self::$last?->add(item: $first, ...$rest);
        [$a, 'k' => $b] = [$this, trimmed('x')];
        foreach ($rest as $key => $cost) { echo "$cost->value {$cost->value()} $key[0]"; }
        try { round_up(RATE); } catch (\Error | Events\Failed $e) { throw $e; }
        $run = fn(Item $i) => $i->price($a, RATE.Events\KEY);
        $call = function () use (&$run, $b): Item { global $shop; return $run($shop)->first(...); };
        $anonymous = new class($a) extends Cart { public int $count = 0; };
        $x ??= Cart::MAX; $this->$x; Events\Emits::class; $run instanceof Cart;
    }
}

enum Size: string { case Small = 's'; case Large = 'l'; const Default = self::Small; }

namespace Shop\Other;

function go(): void { \strlen('x'); namespace\go(); Cart\run(); require __DIR__ . '/x.php'; }
?>
<b><?= go() ?></b>
