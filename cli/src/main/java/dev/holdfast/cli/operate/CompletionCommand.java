package dev.holdfast.cli.operate;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Streams;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast completion}: lets a shell complete commands and options. */
@Command(
        name = "completion",
        description = "Prints a script that lets a shell complete commands and options.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  source <(holdfast completion bash)", "  holdfast completion zsh > ~/.zfunc/_holdfast"})
final class CompletionCommand implements Callable<Integer> {
    /** A shell that scripts can be made for. */
    enum Shell {
        BASH,
        ZSH
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh")
    private Shell shell = Shell.BASH;

    private final Streams streams;

    CompletionCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        if (shell == Shell.ZSH) {
            // The script speaks bash's language, which zsh understands once it is told to.
            streams.out().println("#compdef holdfast");
            streams.out().println("autoload -U +X compinit && compinit");
        }
        streams.out().println(AutoComplete.bash("holdfast", spec.root().commandLine()));
        streams.out().flush();
        return ExitCode.OK;
    }
}
