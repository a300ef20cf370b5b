/** The word by which guard knows a file that it has written whole; a checksum follows. */
export const stampWord = "guard-file-sha256-";
