package dev.holdfast.guard.jdbc;

import java.util.List;

/**
 * What {@link TokenTrigger} is for PostgreSQL, for MySQL and MariaDB.
 *
 * <p>Their triggers see rows before and after, and not which columns a statement set. So tokens are shown in a column of
 * its own, which the triggers empty: what is in it was put there by this very statement.
 */
final class ShownTokenTrigger {
    /** As long as a message may be on MySQL. */
    private static final int MESSAGE = 128;

    private final Name table;
    private final String token;
    private final String shown;

    ShownTokenTrigger(Name table, Name token, Name shown) {
        this.table = table;
        this.token = quoted(token);
        this.shown = quoted(shown);
    }

    List<String> ddl() {
        Name inserted = table.sibling("_fence_1_inserted");
        Name checked = table.sibling("_fence_2_checked");
        Name kept = table.sibling("_fence_3_kept");
        return List.of(
                drop(inserted),
                drop(checked),
                drop(kept),
                trigger(inserted, "INSERT", "SET NEW.%s = NULL;".formatted(shown)),
                trigger(checked, "UPDATE", """
                        DECLARE refusal varchar(%1$d) DEFAULT NULL;
                        IF NEW.%2$s IS NULL THEN
                            SET refusal = LEFT('the update shows no token in %5$s of table %4$s', %1$d);
                        ELSEIF NEW.%2$s <= 0 THEN
                            SET refusal = LEFT(CONCAT('must be positive, is ', NEW.%2$s, ': token of table %4$s'), %1$d);
                        ELSEIF NEW.%2$s < OLD.%3$s THEN
                            SET refusal = LEFT(CONCAT('stale token: ', NEW.%2$s, ' was presented, ', OLD.%3$s,
                                ' has entered in table %4$s'), %1$d);
                        END IF;
                        IF refusal IS NOT NULL THEN
                            SIGNAL SQLSTATE '23514' SET MESSAGE_TEXT = refusal;
                        END IF;
                        SET NEW.%3$s = NEW.%2$s, NEW.%2$s = NULL;""".formatted(MESSAGE, shown, token, table, bare(shown))),
                trigger(kept, "DELETE", """
                        DECLARE refusal varchar(%1$d)
                            DEFAULT LEFT('rows are not deleted, for their tokens would be forgotten: table %2$s', %1$d);
                        SIGNAL SQLSTATE '23514' SET MESSAGE_TEXT = refusal;""".formatted(MESSAGE, table)),
                // What was shown while there were no triggers would be there for the next update, too.
                "UPDATE %1$s SET %2$s = GREATEST(%2$s, %3$s, 1) WHERE %2$s IS NOT NULL"
                        .formatted(quoted(table), shown, token));
    }

    private static String drop(Name name) {
        return "DROP TRIGGER IF EXISTS " + quoted(name);
    }

    private String trigger(Name name, String event, String body) {
        return """
                CREATE TRIGGER %s BEFORE %s ON %s FOR EACH ROW
                BEGIN
                %sEND""".formatted(quoted(name), event, quoted(table), body.indent(4));
    }

    private static String bare(String quoted) {
        return quoted.replace("`", "");
    }

    private static String quoted(Name name) {
        return Dialect.MYSQL.quoted(name);
    }
}
