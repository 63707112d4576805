#!/usr/bin/env node
import { launch } from './launch.js';

await launch('../tools/reference/generate.ts');
