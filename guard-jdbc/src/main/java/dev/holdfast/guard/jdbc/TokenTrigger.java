package dev.holdfast.guard.jdbc;

import java.util.List;

/**
 * Triggers that hold every writer of a table to its token column, also one that knows nothing of guards.
 *
 * <p>A row trigger does not see whether an update named the column or left it as it was. A trigger on updates
 * <em>of</em> the column runs only if it was named; so one of those turns the sign of the new token, and the next, which
 * runs for all updates, turns it back and refuses what it finds unturned, or as it was: a row may have been inserted with
 * a negative token. PostgreSQL runs triggers in the order of their
 * names.
 */
final class TokenTrigger {
    private static final String NAMED = "_fence_1_named";
    private static final String CHECKED = "_fence_2_checked";
    private static final String KEPT = "_fence_3_kept";
    private static final String EMPTIED = "_fence_4_emptied";

    private final Name table;
    private final String column;

    TokenTrigger(Name table, Name column) {
        this.table = table;
        this.column = quoted(column);
    }

    List<String> ddl() {
        return List.of(
                function(NAMED, """
                        IF NEW.%1$s IS NULL OR NEW.%1$s <= 0 THEN
                            RAISE EXCEPTION 'fencing token of table %2$s: must be positive, is %%', NEW.%1$s
                                USING ERRCODE = 'check_violation';
                        END IF;
                        NEW.%1$s := -NEW.%1$s;
                        RETURN NEW;"""),
                function(CHECKED, """
                        IF NEW.%1$s IS NULL OR NEW.%1$s >= 0 OR NEW.%1$s = OLD.%1$s THEN
                            RAISE EXCEPTION 'fencing token of table %2$s: the update names none'
                                USING ERRCODE = 'check_violation', HINT = 'Set column %3$s to the token of your lock.';
                        END IF;
                        NEW.%1$s := -NEW.%1$s;
                        IF NEW.%1$s < OLD.%1$s THEN
                            RAISE EXCEPTION 'stale fencing token for table %2$s: %% was presented, %% has entered',
                                NEW.%1$s, OLD.%1$s
                                USING ERRCODE = 'check_violation', HINT = 'The lock is held by somebody else by now.';
                        END IF;
                        RETURN NEW;"""),
                function(KEPT, """
                        RAISE EXCEPTION 'rows of table %2$s are not deleted: their fencing tokens would be forgotten'
                            USING ERRCODE = 'check_violation', HINT = 'Mark the row as deleted instead.';"""),
                trigger(NAMED, "UPDATE OF " + column),
                trigger(CHECKED, "UPDATE"),
                trigger(KEPT, "DELETE"),
                trigger(EMPTIED, KEPT, "TRUNCATE", "STATEMENT"));
    }

    private String function(String suffix, String body) {
        // Names are letters, digits and underscores, so they can stand in the texts.
        String filled = body.formatted(column, table, column.replace("\"", ""));
        return """
                CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql AS $holdfast$
                BEGIN
                %s
                END
                $holdfast$""".formatted(quoted(table.sibling(suffix)), filled.indent(4).stripTrailing());
    }

    private String trigger(String suffix, String event) {
        return trigger(suffix, suffix, event, "ROW");
    }

    private String trigger(String suffix, String function, String event, String each) {
        return "CREATE OR REPLACE TRIGGER \"%s\" BEFORE %s ON %s FOR EACH %s EXECUTE FUNCTION %s()"
                .formatted(table.sibling(suffix).last(), event, quoted(table), each, quoted(table.sibling(function)));
    }

    private static String quoted(Name name) {
        return Dialect.POSTGRESQL.quoted(name);
    }
}
