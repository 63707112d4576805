// The console's entry point: styles, and the words of the chosen language, which are there before any page is read.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './theme/global.css';
import { loadWords } from './words/catalogue.ts';
import { language } from './words/language.ts';

document.documentElement.lang = language;
// Not awaited: files of the console import the words from this one, which has to come to its end before them.
void loadWords().then(() => import('./start.tsx'));
