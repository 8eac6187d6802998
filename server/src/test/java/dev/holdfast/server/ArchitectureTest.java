package dev.holdfast.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows between modules, and between the parts of a node. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.holdfast");

    @Test
    void only_its_adapter_knows_ratis() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.holdfast.consensus.ratis..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.ratis..")
                .check(CLASSES);
    }

    @Test
    void only_the_choice_of_a_log_knows_the_engines() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.holdfast.consensus..")
                .and()
                .doNotHaveFullyQualifiedName(Node.class.getName())
                .and()
                .doNotHaveFullyQualifiedName(SingleNodeLog.class.getName())
                .and()
                .doNotHaveFullyQualifiedName(StoppedNode.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.holdfast.consensus.ratis..", "dev.holdfast.consensus.disk..")
                .check(CLASSES);
    }

    @Test
    void consensus_knows_nothing_of_locks_and_the_machine_nothing_of_anything() {
        noClasses()
                .that()
                .resideInAPackage("dev.holdfast.consensus..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.holdfast.core..", "dev.holdfast.protocol..", "dev.holdfast.server..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("dev.holdfast.core..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.holdfast.consensus..", "dev.holdfast.protocol..", "dev.holdfast.server..")
                .check(CLASSES);
    }

    /** Whoever asks gets a view: what changes the machine is its entries alone. */
    @Test
    void only_the_replica_and_backups_have_the_machine_and_nobody_its_state() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.holdfast.core..", "dev.holdfast.server.replica..", "dev.holdfast.server.backup..")
                .and()
                .resideInAPackage("dev.holdfast.server..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.holdfast.core.machine..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.holdfast.core..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.holdfast.core.state..", "dev.holdfast.core.handler..", "dev.holdfast.core.grant..")
                .check(CLASSES);
    }

    /** So that they can run in virtual time: no socket, no file, no gRPC, and no thread but the one class made for it. */
    @Test
    void what_decides_in_a_node_does_no_input_or_output() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.holdfast.server.propose..", "dev.holdfast.server.watch..", "dev.holdfast.server.request..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.file..", "io.grpc..", "com.linecorp..", "io.micrometer..")
                .check(CLASSES);
    }
}
