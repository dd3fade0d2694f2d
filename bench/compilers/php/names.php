<?php
// The names in PHP files and what they define, by PHP's own tokens: paths on standard input, a line
// of JSON for each. Columns are 1-based, in UTF-16 units.
foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $path) {
    $text = @file_get_contents($path);
    if ($text !== false) {
        echo json_encode(['path' => $path] + (new Reader($text))->read(), JSON_INVALID_UTF8_SUBSTITUTE), "\n";
    }
}

final class Reader
{
    private array $starts = [0];
    private array $names = [];
    private array $defs = [];

    public function __construct(private string $text)
    {
        for ($i = strpos($text, "\n"); $i !== false; $i = strpos($text, "\n", $i + 1)) {
            $this->starts[] = $i + 1;
        }
    }

    private function place(int $pos): array
    {
        $low = 0;
        $high = count($this->starts) - 1;
        while ($low < $high) {
            $mid = intdiv($low + $high + 1, 2);
            if ($this->starts[$mid] <= $pos) {
                $low = $mid;
            } else {
                $high = $mid - 1;
            }
        }
        $before = substr($this->text, $this->starts[$low], $pos - $this->starts[$low]);
        return [$low + 1, intdiv(strlen(mb_convert_encoding($before, 'UTF-16LE', 'UTF-8')), 2) + 1];
    }

    private function define(string $name, int $pos, string $kind, ?int $owner, int $start, bool $local, bool $doc = false): int
    {
        [$line, $col] = $this->place($pos);
        $qname = $owner === null ? $name : $this->defs[$owner]['qname'] . '.' . $name;
        $this->defs[] = ['name' => $name, 'line' => $line, 'col' => $col, 'kind' => $kind, 'owner' => $owner,
            'start' => $this->place($start)[0], 'local' => $local, 'doc' => $doc, 'qname' => $qname];
        return count($this->defs) - 1;
    }

    private function doc(PhpToken $token, array &$pending): void
    {
        if (preg_match_all('/[A-Za-z_]\w*/', $token->text, $found, PREG_OFFSET_CAPTURE)) {
            foreach ($found[0] as [$word, $offset]) {
                [$line, $col] = $this->place($token->pos + $offset);
                $this->names[] = ['doc', $word, $line, $col, ''];
            }
        }
        $pending = [];
        $pattern = '/@(?:(?:psalm|phpstan)-)?(property(?:-read|-write)?|method)\b([^\n]*)/';
        if (preg_match_all($pattern, $token->text, $found, PREG_OFFSET_CAPTURE)) {
            foreach ($found[1] as $i => [$tag]) {
                [$rest, $offset] = $found[2][$i];
                $is = $tag === 'method' ? '/(\w+)\s*\(/' : '/\$(\w+)/';
                if (preg_match($is, $rest, $name, PREG_OFFSET_CAPTURE)) {
                    $pending[] = [$name[1][0], $token->pos + $offset + $name[1][1], $tag === 'method' ? 'method' : 'property'];
                }
            }
        }
    }

    public function read(): array
    {
        $tokens = array_values(array_filter(PhpToken::tokenize($this->text), fn ($t) => !$t->is([T_WHITESPACE, T_COMMENT])));
        $bodies = [];   // [depth, definition or null, is a function]
        $next_body = null;
        $depth = 0;
        $parens = 0;
        $use = '';
        $docs = [];
        $statement = 0; // where the statement or member began
        $promotes = false;
        $params = 0;    // depth of parentheses of a function's parameters
        $const = false;
        $case = false;
        $previous = null;
        $count = count($tokens);
        foreach ($tokens as $i => $token) {
            if ($token->id === T_DOC_COMMENT) {
                $this->doc($token, $docs);
                continue;
            }
            $next = null;
            for ($j = $i + 1; $j < $count && $next === null; ++$j) {
                $next = $tokens[$j]->id === T_DOC_COMMENT ? null : $tokens[$j];
            }
            $body = end($bodies) ?: null;
            $in_class = $body !== null && !$body[2] && $body[0] === $depth;
            $owner = null;
            for ($j = count($bodies) - 1; $j >= 0; --$j) {
                if (!$bodies[$j][2]) {
                    $owner = $bodies[$j][1];
                    break;
                }
            }
            $functions = array_filter($bodies, fn ($b) => $b[2]);
            $local = (bool) $functions;
            $inside = null; // the outermost function
            foreach ($functions as $one) {
                $inside ??= $one[1];
            }
            if ($statement < 0) {
                $statement = $token->pos;
            }
            $after = $previous !== null && $previous->is([T_OBJECT_OPERATOR, T_NULLSAFE_OBJECT_OPERATOR, T_DOUBLE_COLON]);
            $word = preg_match('/^[A-Za-z_\x80-\xff][\w\x80-\xff]*$/', $token->text) === 1;
            $defines = false;
            // Definitions.
            $is_class = $token->is([T_CLASS, T_INTERFACE, T_TRAIT, T_ENUM]) && !$after;
            if ($is_class) {
                $next_body = [null, null, false];
                $pending = $docs;
                $docs = [];
            }
            if ($word && $previous !== null && $previous->is([T_CLASS, T_INTERFACE, T_TRAIT, T_ENUM]) && $next_body !== null && !$token->is([T_EXTENDS, T_IMPLEMENTS])) {
                $kind = ['class' => 'class', 'interface' => 'interface', 'trait' => 'class', 'enum' => 'enum'][strtolower($previous->text)];
                $next_body[1] = $this->define($token->text, $token->pos, $kind, null, $statement, $local);
                foreach ($pending as [$name, $pos, $kind]) {
                    $this->define($name, $pos, $kind, $next_body[1], $pos, false, true);
                }
                $defines = true;
            } elseif ($word && $previous !== null && ($previous->id === T_FUNCTION || $previous->text === '&' && $tokens[$i - 2]->id === T_FUNCTION) && $next?->text === '(' && $use !== 'import') {
                if ($in_class) {
                    $is_constructor = strtolower($token->text) === '__construct';
                    $function = $this->define($token->text, $token->pos, $is_constructor ? 'constructor' : 'method', $owner, $statement, $owner === null);
                    $promotes = $is_constructor;
                } else {
                    $function = $this->define($token->text, $token->pos, 'function', null, $statement, $local);
                }
                $params = $parens + 1;
                $next_body = [null, $function, true];
                $defines = true;
            } elseif ($token->id === T_FUNCTION && $use !== 'import') {
                $next_body = [null, null, true];
            } elseif ($token->id === T_CONST && $use === '') {
                $const = true;
            } elseif ($const && $word && $parens === 0 && $next?->text === '=') {
                $this->define($token->text, $token->pos, $in_class ? 'property' : 'variable', $in_class ? $owner : null, $statement, $local && !$in_class);
                $defines = true;
            } elseif ($in_class && $token->id === T_CASE) {
                $case = true;
            } elseif ($case && $word && $previous->id === T_CASE) {
                $this->define($token->text, $token->pos, 'enum_member', $owner, $statement, $local && $owner === null);
                $defines = true;
            } elseif ($token->id === T_VARIABLE && $in_class && $parens === 0 && !$after && $previous !== null && $previous->text !== '=') {
                $this->define(substr($token->text, 1), $token->pos + 1, 'property', $owner, $statement, $owner === null);
            } elseif ($token->id === T_VARIABLE && $promotes && $parens === $params && $owner !== null) {
                for ($j = $i - 1; $j > 0 && !in_array($tokens[$j]->text, [',', '(']) ; --$j) {
                    if ($tokens[$j]->is([T_PRIVATE, T_PROTECTED, T_PUBLIC, T_READONLY])) {
                        $this->define(substr($token->text, 1), $token->pos + 1, 'property', $owner, $tokens[$j]->pos, false);
                        break;
                    }
                }
            } elseif (strtolower($token->text) === 'define' && $next?->text === '(' && isset($tokens[$i + 2]) && $tokens[$i + 2]->id === T_CONSTANT_ENCAPSED_STRING) {
                $this->define(substr($tokens[$i + 2]->text, 1, -1), $tokens[$i + 2]->pos + 1, 'variable', null, $statement, $local);
            }
            // Depth.
            if ($token->is(['{', T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES])) {
                ++$depth;
                if ($token->text === '{' && $next_body !== null && $parens === 0 || $token->text === '{' && $next_body !== null && !$next_body[2]) {
                    $next_body[0] = $depth;
                    $bodies[] = $next_body;
                    $next_body = null;
                } elseif ($token->text === '{' && $next_body !== null) {
                    $next_body[0] = $depth;
                    $bodies[] = $next_body;
                    $next_body = null;
                }
                if ($use === 'trait') {
                    $use = 'adapt';
                }
            } elseif ($token->text === '}') {
                if ($use === 'adapt') {
                    $use = '';
                }
                if ($bodies && end($bodies)[0] === $depth) {
                    array_pop($bodies);
                }
                --$depth;
            } elseif ($token->text === '(') {
                ++$parens;
            } elseif ($token->text === ')') {
                $promotes = $promotes && $parens !== $params;
                --$parens;
            }
            if ($token->id === T_USE && $previous?->text !== ')') {
                $use = $in_class ? 'trait' : 'import';
            }
            // Names.
            $is_name = $word && !$token->is([T_VARIABLE]) && ($token->id === T_STRING || $after) || $token->is([T_NAME_QUALIFIED, T_NAME_FULLY_QUALIFIED, T_NAME_RELATIVE]);
            if ($token->id === T_VARIABLE && $previous?->id === T_DOUBLE_COLON) {
                $is_name = true;
            }
            if ($is_name && !$defines && !($after && strtolower($token->text) === 'class')) {
                $offset = strrpos($token->text, '\\');
                $offset = $offset === false ? 0 : $offset + 1;
                if ($token->id === T_VARIABLE) {
                    ++$offset;
                }
                [$line, $col] = $this->place($token->pos + $offset);
                $role = match (true) {
                    $use === 'import' => $previous->id === T_AS ? 'alias' : 'import',
                    $use === 'trait' => 'inherit',
                    $use === 'adapt' => 'adapt',
                    $next_body !== null && !$next_body[2] && $parens === 0 => 'inherit',
                    $previous?->id === T_NEW => 'new',
                    !$after && $next?->text === ':' && in_array($previous?->text, ['(', ',']) => 'keyword',
                    $after => 'member',
                    default => 'bare',
                };
                $this->names[] = [$role, substr($token->text, $offset), $line, $col, $next?->text === '(' ? 'call' : '', $role === 'inherit' && $use === '' ? ($next_body[1] ?? null) : $owner, $inside];
            }
            if (in_array($token->text, [';', '{', '}']) && $parens === 0) {
                $statement = -1;
                $const = false;
                $case = false;
                if ($token->text === ';') {
                    if ($use !== 'adapt') {
                        $use = '';
                    }
                    if ($next_body !== null && $next_body[2]) {
                        $next_body = null;
                    }
                }
            }
            $previous = $token;
        }
        return ['names' => $this->names, 'defs' => $this->defs];
    }
}
