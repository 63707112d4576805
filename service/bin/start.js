#!/usr/bin/env node
import { buildConsoleFor } from './build-console.js';
import { launch } from './launch.js';

buildConsoleFor('start');
await launch('main.ts');
