package dev.holdfast.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.net.URI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One module of the build, with the classes that it ships.
 *
 * <p>Modules are told apart by where their classes were loaded from: a folder or a jar below the module's
 * {@code target}. So a new module is seen as soon as it is on the class path.
 */
record BuildModule(String name, JavaClasses classes) {
    private static final Pattern TARGET = Pattern.compile(".*/([^/]+)/target/(classes/|[^/]+\\.jar!).*");

    /** All modules on the class path, by name. */
    static List<BuildModule> all() {
        JavaClasses shipped = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                // What the command ships again, beside its jar.
                .withImportOption(location -> !location.contains("/target/lib/"))
                .importPackages("dev.holdfast");
        return shipped.stream()
                .map(BuildModule::nameOf)
                .distinct()
                .sorted()
                .map(name -> new BuildModule(name, shipped.that(isIn(name))))
                .toList();
    }

    private static DescribedPredicate<JavaClass> isIn(String name) {
        return DescribedPredicate.describe(
                "in module " + name, each -> nameOf(each).equals(name));
    }

    private static String nameOf(JavaClass each) {
        URI location = each.getSource().orElseThrow().getUri();
        Matcher matcher = TARGET.matcher(location.toString());
        if (!matcher.matches()) {
            throw new IllegalStateException("not below the target of a module: " + location);
        }
        return matcher.group(1);
    }

    @Override
    public String toString() {
        return name;
    }
}
