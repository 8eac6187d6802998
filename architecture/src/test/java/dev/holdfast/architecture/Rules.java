package dev.holdfast.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaEnumConstant;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchRule;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** What is asked of the classes of every module. */
final class Rules {
    /** Every package is a slice of its own: {@code core}, {@code core.state} and so on. */
    static final ArchRule NO_CYCLES = slices().matching("dev.holdfast.(**)")
            .namingSlices("package $1")
            .should()
            .beFreeOfCycles()
            .because("what needs each other is one thing, and cannot be read, tested or moved apart");

    private Rules() {}

    /** Simple names that several classes of these have, with the classes. Nested classes do not count. */
    static List<String> namesUsedTwice(JavaClasses classes) {
        Map<String, TreeSet<String>> bySimpleName = new TreeMap<>();
        for (JavaClass each : classes) {
            if (each.isTopLevelClass()
                    && isWritten(each)
                    && !each.getSimpleName().equals("package-info")) {
                bySimpleName
                        .computeIfAbsent(each.getSimpleName(), unused -> new TreeSet<>())
                        .add(each.getName());
            }
        }
        return bySimpleName.values().stream()
                .filter(same -> same.size() > 1)
                .map(same -> String.join(" and ", same))
                .toList();
    }

    /** Packages of these classes that leave open whether {@code null} is allowed. */
    static List<String> packagesNotNullMarked(JavaClasses classes) {
        TreeSet<String> all = classes.stream()
                .filter(Rules::isWritten)
                .map(JavaClass::getPackageName)
                .collect(Collectors.toCollection(TreeSet::new));
        return all.stream()
                .filter(Predicate.not(name -> classes.contain(name + ".package-info")
                        && classes.get(name + ".package-info").isAnnotatedWith(NullMarked.class)))
                .toList();
    }

    /**
     * Methods, with the lambdas in them, that ask by {@code instanceof} for several subtypes of one sealed type: a new
     * subtype would slip through without a word from the compiler. To ask for one of them is a question like any other,
     * and so is to ask for a group and then for one in it.
     */
    static List<String> chainsOverSealedTypes(JavaClasses classes) {
        TreeSet<String> found = new TreeSet<>();
        for (JavaClass each : classes) {
            for (JavaCodeUnit method : each.getCodeUnits()) {
                Map<String, Set<JavaClass>> bySealed = new TreeMap<>();
                for (InstanceofCheck check : method.getInstanceofChecks()) {
                    JavaClass asked = check.getRawType();
                    sealedAbove(asked)
                            .forEach(type -> bySealed.computeIfAbsent(type.getName(), unused -> new HashSet<>())
                                    .add(asked));
                }
                bySealed.forEach((type, asked) -> {
                    Set<String> alternatives = alternatives(asked);
                    if (alternatives.size() > 1) {
                        found.add(method.getFullName() + " asks which " + type + " it is: " + alternatives);
                    }
                });
            }
        }
        return List.copyOf(found);
    }

    private static Stream<JavaClass> sealedAbove(JavaClass type) {
        return Stream.concat(type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream())
                .filter(JavaClass::isSealed);
    }

    private static Set<String> alternatives(Set<JavaClass> asked) {
        return asked.stream()
                .filter(type ->
                        asked.stream().allMatch(other -> other == type || !other.isAssignableTo(type.getName())))
                .map(JavaClass::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * What is wrong between sealed types and the kinds by which a {@code switch} tells their subtypes apart: each subtype
     * has one of its own and says so, and there is no other. Else a new subtype could pass as another one.
     */
    static List<String> kindsThatMislead(JavaClasses classes) {
        TreeSet<String> found = new TreeSet<>();
        for (JavaClass each : classes) {
            Optional<JavaClass> kinds = each.tryGetMethod("kind")
                    .map(JavaMethod::getRawReturnType)
                    .filter(type ->
                            each.isSealed() && type.isEnum() && type.getName().equals(each.getName() + "$Kind"));
            if (kinds.isPresent()) {
                TreeSet<String> known = new TreeSet<>();
                leaves(each).forEach(leaf -> {
                    String own = kindOf(leaf);
                    known.add(own);
                    List<String> said = leaf.getMethod("kind").getFieldAccesses().stream()
                            .map(access -> access.getTarget().getName())
                            .toList();
                    if (!said.equals(List.of(own))) {
                        found.add(leaf.getName() + " says that it is " + said + ", not " + own);
                    }
                });
                kinds.get().getEnumConstants().stream()
                        .map(JavaEnumConstant::name)
                        .filter(Predicate.not(known::contains))
                        .forEach(
                                other -> found.add("nothing is a " + kinds.get().getName() + "." + other));
            }
        }
        return List.copyOf(found);
    }

    private static Stream<JavaClass> leaves(JavaClass type) {
        return type.isSealed()
                ? type.getPermittedSubclasses().orElseThrow().stream().flatMap(Rules::leaves)
                : Stream.of(type);
    }

    /** {@code WouldWait} is {@code WOULD_WAIT}, {@code GuardFullException} is {@code GUARD_FULL}. */
    private static String kindOf(JavaClass type) {
        return type.getSimpleName()
                .replaceFirst("Exception$", "")
                .replaceAll("(?<=.)([A-Z])", "_$1")
                .toUpperCase(Locale.ROOT);
    }

    /** Whether a person wrote it: what the compilers of protobuf and JMH make is as it is. */
    private static boolean isWritten(JavaClass each) {
        return !each.getPackageName().equals("dev.holdfast.protocol.v1")
                && !each.getPackageName().endsWith(".jmh_generated");
    }
}
