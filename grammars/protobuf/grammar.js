// Protocol Buffers: proto2, proto3 and editions, as protobuf.dev specifies them. src/parser.c is made of
// this (docs/how-it-works.md, "Adding a language").
const list = (rule) => seq(rule, repeat(seq(',', rule)));

module.exports = grammar({
  name: 'protobuf',
  word: ($) => $.identifier,
  extras: ($) => [/\s/, $.comment],
  rules: {
    file: ($) =>
      repeat(choice($.syntax, $.package, $.import, $.option, $.message, $.enum, $.service, $.extend, ';')),

    syntax: ($) => seq(choice('syntax', 'edition'), '=', $.string, ';'),
    package: ($) => seq('package', field('name', alias($.type_name, $.full_name)), ';'),
    import: ($) => seq('import', optional(choice('weak', 'public', 'option')), field('path', $.string), ';'),

    option: ($) => seq('option', $.option_name, '=', $._constant, ';'),
    option_name: ($) => seq($._option_part, repeat(seq('.', $._option_part))),
    _option_part: ($) => choice($.identifier, seq('(', alias($.type_name, $.full_name), ')')),
    options: ($) => seq('[', list(seq($.option_name, '=', $._constant)), ']'),

    message: ($) =>
      seq(optional(choice('export', 'local')), 'message', field('name', $.identifier), field('body', $.message_body)),
    message_body: ($) =>
      seq(
        '{',
        repeat(
          choice(
            $.field, $.map_field, $.group, $.oneof, $.message, $.enum, $.extend, $.option, $.extensions, $.reserved, ';'
          )
        ),
        '}'
      ),
    _label: (_) => choice('optional', 'required', 'repeated'),
    field: ($) =>
      seq(
        optional($._label), field('type', $._type), field('name', $.identifier), '=', $.integer, optional($.options), ';'
      ),
    map_field: ($) =>
      seq(
        'map', '<', $._type, ',', field('type', $._type), '>', field('name', $.identifier), '=', $.integer,
        optional($.options), ';'
      ),
    group: ($) =>
      seq(
        optional($._label), 'group', field('name', $.identifier), '=', $.integer, optional($.options),
        field('body', $.message_body)
      ),
    oneof: ($) =>
      seq('oneof', field('name', $.identifier), '{', repeat(choice($.field, $.group, $.option, ';')), '}'),
    extend: ($) => seq('extend', field('type', $.type_name), '{', repeat(choice($.field, $.group, ';')), '}'),
    extensions: ($) => seq('extensions', list($.range), optional($.options), ';'),
    reserved: ($) => seq('reserved', choice(list($.range), list(choice($.string, $.identifier))), ';'),
    range: ($) => seq($._number, optional(seq('to', choice($._number, 'max')))),

    enum: ($) =>
      seq(optional(choice('export', 'local')), 'enum', field('name', $.identifier), field('body', $.enum_body)),
    enum_body: ($) => seq('{', repeat(choice($.enum_value, $.option, $.reserved, ';')), '}'),
    enum_value: ($) => seq(field('name', $.identifier), '=', $._number, optional($.options), ';'),

    service: ($) => seq('service', field('name', $.identifier), field('body', $.service_body)),
    service_body: ($) => seq('{', repeat(choice($.rpc, $.option, ';')), '}'),
    rpc: ($) =>
      seq(
        'rpc', field('name', $.identifier), $._stream, 'returns', $._stream,
        choice(';', field('body', $.rpc_body))
      ),
    _stream: ($) => seq('(', optional('stream'), $.type_name, ')'),
    rpc_body: ($) => seq('{', repeat(choice($.option, ';')), '}'),

    _type: ($) => choice($.scalar, $.type_name),
    scalar: (_) =>
      choice(
        'double', 'float', 'int32', 'int64', 'uint32', 'uint64', 'sint32', 'sint64', 'fixed32', 'fixed64', 'sfixed32',
        'sfixed64', 'bool', 'string', 'bytes'
      ),
    type_name: ($) => seq(optional('.'), $.identifier, repeat(seq('.', $.identifier))),

    _constant: ($) => choice($.boolean, alias($.type_name, $.full_name), $._number, $._strings, $.block, $.array),
    boolean: (_) => choice('true', 'false'),
    _strings: ($) => prec.right(repeat1($.string)),
    array: ($) => seq('[', optional(list($._constant)), ']'),
    block: ($) => seq(choice('{', '<'), repeat($.pair), choice('}', '>')),
    pair: ($) =>
      seq(
        choice($.identifier, seq('[', $.type_name, optional(seq('/', $.type_name)), ']')), optional(':'), $._constant,
        optional(choice(',', ';'))
      ),

    identifier: (_) => /[A-Za-z_][A-Za-z0-9_]*/,
    integer: (_) => token(/0[xX][0-9a-fA-F]+|[0-9]+/),
    float: (_) => token(/[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/),
    _number: ($) => seq(optional(choice('-', '+')), choice($.integer, $.float)),
    string: (_) => token(choice(/"([^"\\\n]|\\.)*"/, /'([^'\\\n]|\\.)*'/)),
    comment: (_) => token(choice(/\/\/[^\n]*/, /\/\*[^*]*\*+([^/*][^*]*\*+)*\//)),
  },
});
