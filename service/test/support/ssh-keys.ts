// Pairs of SSH keys for tests. ssh2 writes about one Ed25519 pair in 250 a byte short, so that nothing can read it:
// such a pair is discarded.
import ssh2 from 'ssh2';

export interface KeyPair {
  /** The one line of a .pub file. */
  readonly public: string;
  readonly private: string;
}

export function ed25519Pair(): KeyPair {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    const sound = [pair.public, pair.private].every((text) => !(ssh2.utils.parseKey(text) instanceof Error));
    if (sound) return pair;
  }
}
