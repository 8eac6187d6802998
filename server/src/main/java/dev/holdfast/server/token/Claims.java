package dev.holdfast.server.token;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.holdfast.server.access.KeyPermission;
import dev.holdfast.server.access.Principal;
import dev.holdfast.server.access.Verb;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads who a token is about: {@code sub}, {@code tenant}, and {@code permissions}, a list of
 * <code>{"prefix": "orders/", "verbs": ["read", "lock"]}</code>.
 *
 * <p>What is there but not understood makes the whole token worthless: half of a permission might be more than was
 * meant.
 */
final class Claims {
    private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,256}");
    private static final Pattern TENANT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final int MAX_PERMISSIONS = 100;
    private static final int MAX_PREFIX = 1_024;

    private Claims() {}

    /**
     * Who it is.
     *
     * @throws Tokens.UnfitToken if the claims are not of this form
     */
    static Principal principal(JWTClaimsSet claims, long knownUntilMillis) throws Tokens.UnfitToken {
        String name = text(claims, "sub");
        if (!NAME.matcher(name).matches()) {
            throw new Tokens.UnfitToken("sub must be 1 to 256 visible ASCII characters");
        }
        String tenant = text(claims, "tenant");
        if (claims.getClaim("tenant") != null && !TENANT.matcher(tenant).matches()) {
            throw new Tokens.UnfitToken("tenant must be letters, digits, '.', '_' and '-', at most 63");
        }
        return Principal.of(name, tenant, grants(claims.getClaim("permissions")), knownUntilMillis);
    }

    private static String text(JWTClaimsSet claims, String name) throws Tokens.UnfitToken {
        try {
            String text = claims.getStringClaim(name);
            return text == null ? "" : text;
        } catch (ParseException e) {
            throw new Tokens.UnfitToken(name + " must be a text");
        }
    }

    private static List<KeyPermission> grants(Object permissions) throws Tokens.UnfitToken {
        if (permissions == null) {
            return List.of();
        }
        if (!(permissions instanceof List<?> list) || list.size() > MAX_PERMISSIONS) {
            throw new Tokens.UnfitToken("permissions must be a list of at most " + MAX_PERMISSIONS);
        }
        List<KeyPermission> grants = new ArrayList<>();
        for (Object each : list) {
            if (!(each instanceof Map<?, ?> permission)
                    || permission.size() != 2
                    || !(permission.get("prefix") instanceof String prefix)
                    || prefix.length() > MAX_PREFIX
                    || !(permission.get("verbs") instanceof List<?> verbs)) {
                throw new Tokens.UnfitToken("each of permissions must be {\"prefix\": a text, \"verbs\": a list}");
            }
            for (Object verb : verbs) {
                grants.add(new KeyPermission(prefix, verb(verb)));
            }
        }
        return grants;
    }

    private static Verb verb(Object word) throws Tokens.UnfitToken {
        return Arrays.stream(Verb.values())
                .filter(verb -> verb.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> new Tokens.UnfitToken("verbs are read, lock and admin"));
    }
}
