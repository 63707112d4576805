// Passwords of the file drop. The service generates them, so light scrypt parameters are enough.
import { Passwords } from '../../platform/passwords.ts';

/** 16 MiB and some 50 ms each. */
export const sftpPasswords = new Passwords({ N: 16384, r: 8, p: 1 });
