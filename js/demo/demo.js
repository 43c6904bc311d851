// The page: each part by itself.
import { checking } from './checking.js';
import { at, copying, say } from './dom.js';
import { exchange } from './exchange.js';
import { files } from './files.js';
import { signing } from './signing.js';

copying();
signing();
exchange();
checking();
files();
// The peers are loaded when they are measured.
let measuring;
at('measure').addEventListener('click', async () => {
  try {
    measuring ??= (await import('./speed.js')).speed();
    measuring();
  } catch (error) {
    say(at('speed-state'), error.message);
  }
});
document.body.dataset.ready = 'yes';
