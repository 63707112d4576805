#!/usr/bin/env node
import { buildConsoleFor } from './build-console.js';
import { launch } from './launch.js';

buildConsoleFor('demo');
await launch('entrances/cli/main.ts');
