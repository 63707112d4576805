#!/usr/bin/env node
import { buildFor } from './build-once.js';
import { launch } from './launch.js';

buildFor('start');
await launch('main.ts');
