// The entrance of the client library: everything its users may import.
export const apiVersion = '1.0';
