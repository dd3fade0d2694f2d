(using_declaration) @declaration.const
