// The French catalogue as one chunk: the console's own texts, and the words of the service that it shows.
import codes from '../../../service/data/words/fr-codes.json' with { type: 'json' };
import named from '../../../service/data/words/fr-names.json' with { type: 'json' };
import own from './fr.json' with { type: 'json' };

export const french = { ...own, codes, named };
