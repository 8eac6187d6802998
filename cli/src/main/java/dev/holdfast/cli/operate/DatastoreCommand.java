package dev.holdfast.cli.operate;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Logging;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.datastore.DataStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast datastore}: a small store that refuses stale lock holders. */
@Command(
        name = "datastore",
        description = {
            "Runs a small data store that compares fencing tokens, until it is stopped.",
            "",
            "Clients write with the token of their lock; a client that no longer holds the lock is refused. Everything "
                    + "is kept in one text file, flushed before it is acknowledged."
        },
        mixinStandardHelpOptions = true,
        exitCodeOnInvalidInput = ExitCode.USAGE,
        exitCodeOnExecutionException = ExitCode.FAULT,
        footerHeading = "%nExamples:%n",
        footer = {
            "  holdfast datastore --data ./store",
            "  curl localhost:8000/write -d '{\"clientID\": \"c1\", \"fencingToken\": {\"key\": \"a\", \"value\": 33}, "
                    + "\"data\": \"hello\"}'",
            "  curl 'localhost:8000/read?key=a'"
        })
final class DatastoreCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "holdfast-datastore",
            description = "the directory of the text file (default: ./holdfast-datastore)")
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "address to listen on; anything but loopback needs --insecure (default: 127.0.0.1)")
    @SuppressWarnings("NullAway.Init")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + DataStore.DEFAULT_PORT,
            description = "port to listen on; 0: any free port (default: " + DataStore.DEFAULT_PORT + ")")
    private int port;

    @Option(names = "--insecure", description = "allow other machines to reach it, although nothing protects it")
    private boolean insecure;

    private final Streams streams;

    DatastoreCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        InetSocketAddress address = address();
        Logging.errorsOnly();
        try (DataStore store = DataStore.start(data, address)) {
            CountDownLatch stopped = new CountDownLatch(1);
            Thread hook = new Thread(() -> close(store, stopped), "holdfast-datastore-stop");
            Runtime.getRuntime().addShutdownHook(hook);
            streams.out()
                    .println("The data store serves http://" + host + ":" + store.port() + " from "
                            + data.toAbsolutePath().normalize() + ". Ctrl-C stops it.");
            streams.out().flush();
            stopped.await();
        } catch (IOException e) {
            streams.err().println("holdfast datastore: " + e.getMessage());
            return ExitCode.FAULT;
        } catch (InterruptedException e) {
            // The one way to end it but for a signal: a test, or an embedding program.
        }
        return ExitCode.OK;
    }

    private void close(DataStore store, CountDownLatch stopped) {
        try {
            store.close();
        } catch (IOException e) {
            streams.err().println("holdfast datastore: " + e.getMessage());
        }
        stopped.countDown();
    }

    private InetSocketAddress address() {
        if (port < 0 || port > 65_535) {
            throw new ParameterException(spec.commandLine(), "--port: must be from 0 to 65535, is " + port);
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new ParameterException(spec.commandLine(), "--host: '" + host + "' is not known");
        }
        if (!insecure && !address.getAddress().isLoopbackAddress()) {
            throw new ParameterException(
                    spec.commandLine(), "--host: must be loopback unless --insecure is given, is '" + host + "'");
        }
        return address;
    }
}
