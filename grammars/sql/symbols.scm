; SQL: tables with columns, views, functions, triggers, types, indexes, sequences, schemas.
(comment) @comment.run
(marginalia) @comment.run
(statement) @wrapper

(create_table
  (object_reference schema: (_)? @container name: (_) @name)
  (column_definitions)? @body) @symbol.class.table
(create_view
  (object_reference schema: (_)? @container name: (_) @name)
  (create_query)? @body) @symbol.class.view
(create_materialized_view
  (object_reference schema: (_)? @container name: (_) @name)
  (create_query)? @body) @symbol.class.view
(create_type (object_reference schema: (_)? @container name: (_) @name)) @symbol.type.type
(create_function
  (object_reference schema: (_)? @container name: (_) @name)
  (function_body)? @body) @symbol.function.function
(create_trigger (object_reference schema: (_)? @container name: (_) @name)) @symbol.function.trigger
(create_sequence (object_reference schema: (_)? @container name: (_) @name)) @symbol.variable.sequence
(create_index column: (identifier) @name) @symbol.variable.index
(create_schema (identifier) @name) @symbol.type.schema
(create_database (identifier) @name) @symbol.type.database
(column_definition name: (_) @name) @symbol.property.column
; ALTER TABLE a ADD COLUMN b: of a.
(alter_table (object_reference name: (_) @name)) @container
