#!/usr/bin/env node
import { buildFor } from './build-once.js';
import { launch } from './launch.js';

buildFor('demo');
await launch('adapters/cli/main.ts');
