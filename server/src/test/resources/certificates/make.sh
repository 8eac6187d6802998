#!/bin/sh
# Makes the certificates that tests use, good for a hundred years. They protect nothing.
set -eu
cd "$(dirname "$0")"
days=36500

authority() { # file, name
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days "$days" \
        -subj "/CN=$2" -keyout "$1.key" -out "$1.pem"
}

certificate() { # file, authority, common name, alternative names, days
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$3" -keyout "$1.key" -out "$1.csr"
    printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$4" >"$1.ext"
    openssl x509 -req -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -days "$5" -extfile "$1.ext" -out "$1.pem"
    rm "$1.csr" "$1.ext"
}

authority ca "Holdfast test authority"
authority other-ca "Another test authority"
for name in n1 n2 n3 n4 w; do
    certificate "$name" ca "$name" "IP:127.0.0.1,DNS:localhost,URI:holdfast://member/$name" "$days"
done
# The same name, by an authority that members do not believe.
certificate forged-n2 other-ca n2 "IP:127.0.0.1,DNS:localhost,URI:holdfast://member/n2" "$days"
# By the right authority, but no member's, whatever its common name says.
certificate client ca n2 "IP:127.0.0.1,DNS:localhost" "$days"
# A later one of n1, for reloading.
certificate n1-later ca "n1 later" "IP:127.0.0.1,DNS:localhost,URI:holdfast://member/n1" "$days"
rm -f ./*.srl other-ca.key ca.key
