#!/usr/bin/env node
// comment
import('./cli.js').then(({ run }) => run(process.argv));
