package dev.holdfast.cli.output;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import dev.holdfast.server.settings.NodeSettings.OutputFormat;
import org.slf4j.LoggerFactory;

/** Where messages of a node go: to standard error, a line each. */
public final class Logging {
    /** Control characters in a message, which may quote what a client sent, are not passed on to a terminal. */
    private static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %replace(%msg){'[\\p{Cntrl}]', '?'}%n%ex";

    /** Held here: a logger of the JDK that nobody holds forgets its level. */
    private static final java.util.logging.Logger GRPC = java.util.logging.Logger.getLogger("io.grpc");

    private Logging() {}

    public static void toStandardError(OutputFormat format) {
        configure(format, Level.INFO);
    }

    /** Only what somebody should look at: for nodes that run inside another command. */
    public static void errorsOnly() {
        configure(OutputFormat.TEXT, Level.ERROR);
    }

    /** Nothing more: what parts of a cluster say of each other while all of it is stopped helps nobody. */
    public static void silence() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).detachAndStopAllAppenders();
    }

    private static void configure(OutputFormat format, Level level) {
        // It tells with a trace what the one who called is told as well.
        GRPC.setLevel(java.util.logging.Level.OFF);
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder(context, format));
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        context.getLogger("dev.holdfast").setLevel(level);
        // The engine and the port tell much that only their authors need.
        context.getLogger("org.apache.ratis").setLevel(Level.ERROR);
        context.getLogger("org.apache.ratis.util.LifeCycle").setLevel(Level.OFF); // a trace per refused connection
        context.getLogger("com.linecorp.armeria").setLevel(Level.WARN);
        // A broken stream to another node is told by whoever used it, without a trace.
        context.getLogger("com.linecorp.armeria.client.AbstractHttpRequestHandler")
                .setLevel(Level.ERROR);
        context.getLogger("io.micrometer")
                .setLevel(Level.ERROR); // the port's own meters come twice when it opens to all
    }

    private static Encoder<ILoggingEvent> encoder(LoggerContext context, OutputFormat format) {
        if (format == OutputFormat.JSON) {
            JsonEncoder json = new JsonEncoder();
            json.setContext(context);
            json.start();
            return json;
        }
        PatternLayoutEncoder text = new PatternLayoutEncoder();
        text.setContext(context);
        text.setPattern(PATTERN);
        text.start();
        return text;
    }
}
