package dev.holdfast.guard;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** A guard goes into other people's storage: it brings nothing along. */
class ArchitectureTest {
    @Test
    void guards_know_the_jdk_and_nothing_else() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.holdfast.guard..", "java..", "org.jspecify.annotations..")
                .check(new ClassFileImporter().importPath("target/classes"));
    }
}
