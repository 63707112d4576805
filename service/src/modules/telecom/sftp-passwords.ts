// Passwords of the file drop: made by the service, so that a light scrypt is enough for them.
import { Passwords } from '../../platform/passwords.ts';

/** 16 MiB and some 50 ms each. */
export const sftpPasswords = new Passwords({ N: 16384, r: 8, p: 1 });
