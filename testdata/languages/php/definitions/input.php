<?php
namespace App\Model;

use Foo\Bar as Baz;
use function Foo\helper;
use Foo\{One, Two as Deux};
require_once __DIR__ . '/other.php';
require 'lib/a.php';

const LIMIT = 10, OTHER = 2;
define('OLD', 1);

/**
 * A user.
 */
#[Entity]
abstract class User extends Base implements \Countable, Named
{
    use Loggable, Other { foo as protected bar; }
    public const A = 1;
    private ?string $name = null, $b;
    public static int $count = 0;
    var $old;
    public string $hooked { get => $this->name; set { $this->name = $value; } }

    public function __construct(private readonly int $id, protected array $x = [], $plain = 1) {}
    /** Gets. */
    // function not_one() {} in a comment; "function nor_this() {}" in a string
    abstract protected function get(string $a, int ...$rest): ?User;
    private static function make(): static { return new static(self::A, parent::x()); $this->get($a); $f = fn($x) => $x + 1; helper(1); Baz::go(); }
}
interface Named { const Z = 1; public function name(): string; }
trait Loggable { protected $log; public function foo() {} }
enum Suit: string { case Hearts = 'h'; const B = self::Hearts; public function label(): string { return match($this) { self::Hearts => 'x' }; } }
function free(int $a, &$b) { function inner() {} $c = new class(1) extends User { public $p; function m() {} }; }
if (!function_exists('cond')) { function cond() {} }
$global = "class NotAClass {}";
[$a, $b] = f();
foreach ($a as $k => $v) { echo "$k {$v->prop} ${x}"; }
$x?->y->z();
?>
<html><?= $x ?></html>
