/** Names that variables with secrets have. */

const secretName =
  /(?:^|_)(?:TOKENS?|SECRETS?|PASS|PASSWORD|PASSWD|PASSPHRASE|PWD|CREDENTIALS?|PAT|KEY|APIKEY|AUTH)(?:_(?:BASE64|B64|JSON|\d+))?$/;
const publicName =
  /(?:^|_)(?:PUBLIC|CACHE|PRIMARY|FOREIGN|SORT|PARTITION|ROW|OBJECT|ISSUE|PROJECT|HOST|TRANSLATION|I18N|MAP|BUCKET|ITEM|DICT|JSON|OLD|NEXT_PUBLIC)_KEY$|^(?:PWD|OLDPWD|KEY|AUTH|PASS)$|^(?:NEXT_PUBLIC|VITE|REACT_APP|EXPO_PUBLIC)_/;

/** True for names that variables with secrets have. */
export function isSecretName(name: string): boolean {
  const upper = name.replace(/^env:/i, "").replaceAll(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  return (secretName.test(upper) && !publicName.test(upper)) ||
    /SECRET_ACCESS|ACCESS_KEY$|_TOKEN$/.test(upper);
}
