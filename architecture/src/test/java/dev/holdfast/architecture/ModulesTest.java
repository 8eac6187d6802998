package dev.holdfast.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every module keeps to the {@link Rules}. */
class ModulesTest {
    /** The adapter of the engine is left out: it tells its own entries apart. */
    private static final String RATIS = "dev.holdfast.consensus.ratis..";

    private static final List<BuildModule> MODULES = BuildModule.all();

    static List<BuildModule> modules() {
        return MODULES;
    }

    @Test
    void every_module_that_ships_classes_is_looked_at() throws IOException {
        Path root = Path.of("").toAbsolutePath().resolveSibling("");
        List<String> withSources;
        try (Stream<Path> folders = Files.list(root)) {
            withSources = folders.filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
                    .map(folder -> folder.getFileName().toString())
                    .toList();
        }
        assertThat(MODULES)
                .as(
                        "modules on the class path; a missing one must be added to the dependencies in architecture/pom.xml")
                .extracting(BuildModule::name)
                .containsExactlyInAnyOrderElementsOf(withSources);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void no_package_needs_one_that_needs_it(BuildModule module) {
        Rules.NO_CYCLES.check(module.classes());
    }

    @ParameterizedTest
    @MethodSource("modules")
    void no_two_classes_of_a_module_have_the_same_simple_name(BuildModule module) {
        assertThat(Rules.namesUsedTwice(module.classes())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void every_package_is_null_marked(BuildModule module) {
        assertThat(Rules.packagesNotNullMarked(module.classes())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void cases_over_a_sealed_type_are_such_that_the_compiler_finds_a_missing_one(BuildModule module) {
        assertThat(Rules.chainsOverSealedTypes(module.classes().that(resideOutsideOfPackage(RATIS))))
                .as("methods that need match(), a switch over kind(), or a method on the type")
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void every_subtype_of_a_sealed_type_has_a_kind_of_its_own(BuildModule module) {
        assertThat(Rules.kindsThatMislead(module.classes())).isEmpty();
    }
}
