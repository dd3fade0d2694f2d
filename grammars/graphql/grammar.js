// GraphQL: schemas and operations, as the specification of October 2021 has them. src/parser.c is made of
// this (docs/how-it-works.md, "Adding a language").
module.exports = grammar({
  name: 'graphql',
  word: ($) => $.name,
  extras: ($) => [/[\s,\uFEFF]/, $.comment],
  rules: {
    document: ($) => repeat(choice($.description, $._definition)),
    _definition: ($) =>
      choice(
        $.operation, $.selection_set, $.fragment, $.schema, $.scalar, $.object, $.interface, $.union, $.enum, $.input,
        $.directive_definition
      ),

    operation: ($) =>
      seq(
        $.operation_kind, optional(field('name', $.name)), optional($.variables), repeat($.directive),
        field('body', $.selection_set)
      ),
    operation_kind: (_) => choice('query', 'mutation', 'subscription'),
    variables: ($) => seq('(', repeat($.variable_definition), ')'),
    variable_definition: ($) =>
      seq($.variable, ':', field('type', $._type), optional($.default), repeat($.directive)),
    default: ($) => seq('=', $._value),
    selection_set: ($) => seq('{', repeat(choice($.field, $.spread, $.inline_fragment)), '}'),
    field: ($) =>
      prec.right(
        seq(
          optional(seq(field('alias', $.name), ':')), field('name', $.name), optional($.arguments),
          repeat($.directive), optional($.selection_set)
        )
      ),
    arguments: ($) => seq('(', repeat($.argument), ')'),
    argument: ($) => seq(field('name', $.name), ':', $._value),
    spread: ($) => seq('...', field('name', $.fragment_name), repeat($.directive)),
    inline_fragment: ($) => seq('...', optional($.type_condition), repeat($.directive), $.selection_set),
    type_condition: ($) => seq('on', $.named_type),
    fragment: ($) =>
      seq(
        'fragment', field('name', $.fragment_name), $.type_condition, repeat($.directive),
        field('body', $.selection_set)
      ),
    fragment_name: ($) => $.name,

    schema: ($) =>
      seq(optional('extend'), 'schema', repeat($.directive), '{', repeat($.root_operation), '}'),
    root_operation: ($) => seq($.operation_kind, ':', $.named_type),
    scalar: ($) => seq(optional('extend'), 'scalar', field('name', $.name), repeat($.directive)),
    object: ($) =>
      prec.right(
        seq(
          optional('extend'), 'type', field('name', $.name), optional($.implements), repeat($.directive),
          optional(field('body', $.fields))
        )
      ),
    interface: ($) =>
      prec.right(
        seq(
          optional('extend'), 'interface', field('name', $.name), optional($.implements), repeat($.directive),
          optional(field('body', $.fields))
        )
      ),
    implements: ($) =>
      prec.right(seq('implements', optional('&'), $.named_type, repeat(seq(optional('&'), $.named_type)))),
    fields: ($) => seq('{', repeat(choice($.description, $.field_definition)), '}'),
    field_definition: ($) =>
      seq(
        field('name', $.name), optional($.parameters), ':', field('type', $._type), repeat($.directive)
      ),
    parameters: ($) => seq('(', repeat(choice($.description, alias($.input_value, $.parameter))), ')'),
    input_value: ($) =>
      seq(field('name', $.name), ':', field('type', $._type), optional($.default), repeat($.directive)),
    union: ($) =>
      prec.right(
        seq(
          optional('extend'), 'union', field('name', $.name), repeat($.directive),
          optional(seq('=', optional('|'), $.named_type, repeat(seq('|', $.named_type))))
        )
      ),
    enum: ($) =>
      prec.right(
        seq(
          optional('extend'), 'enum', field('name', $.name), repeat($.directive), optional(field('body', $.values))
        )
      ),
    values: ($) => seq('{', repeat(choice($.description, $.enum_value)), '}'),
    enum_value: ($) => seq(field('name', $.name), repeat($.directive)),
    input: ($) =>
      prec.right(
        seq(
          optional('extend'), 'input', field('name', $.name), repeat($.directive),
          optional(field('body', $.input_fields))
        )
      ),
    input_fields: ($) => seq('{', repeat(choice($.description, $.input_value)), '}'),
    directive_definition: ($) =>
      prec.right(
        seq(
          'directive', '@', field('name', $.name), optional($.parameters), optional('repeatable'), 'on',
          optional('|'), $.location, repeat(seq('|', $.location))
        )
      ),
    location: ($) => $.name,
    directive: ($) => prec.right(seq('@', field('name', $.name), optional($.arguments))),

    _type: ($) => choice($.named_type, $.list_type, $.non_null_type),
    named_type: ($) => $.name,
    list_type: ($) => seq('[', $._type, ']'),
    non_null_type: ($) => seq(choice($.named_type, $.list_type), '!'),

    _value: ($) => choice($.variable, $.number, $.string, $.block_string, $.enum_constant, $.list, $.object_value),
    variable: ($) => seq('$', $.name),
    enum_constant: ($) => $.name,
    list: ($) => seq('[', repeat($._value), ']'),
    object_value: ($) => seq('{', repeat($.argument), '}'),

    description: ($) => choice($.string, $.block_string),
    name: (_) => /[_A-Za-z][_0-9A-Za-z]*/,
    number: (_) => /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/,
    string: (_) => token(/"([^"\\\n]|\\.)*"/),
    block_string: (_) => token(/"""([^"\\]|\\[^"]|\\"|"[^"]|""[^"])*"""/),
    comment: (_) => token(/#[^\n]*/),
  },
});
