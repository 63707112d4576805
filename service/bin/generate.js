#!/usr/bin/env node
import { launch } from './launch.js';

await launch('entrances/cli/generate.ts');
