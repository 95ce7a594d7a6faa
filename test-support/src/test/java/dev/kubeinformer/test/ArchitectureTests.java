package dev.kubeinformer.test;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;

class ArchitectureTests {

	private static final String ROOT = "dev.kubeinformer";

	private static final String MODULE = ROOT + ".test";

	private final JavaClasses classes = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(MODULE);

	@Test
	void moduleWhenBuiltShouldNotKnowSpring() {
		ArchRuleDefinition.noClasses()
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework..")
			.check(this.classes);
	}

	@Test
	void moduleWhenBuiltShouldNotKnowOtherModules() {
		DescribedPredicate<JavaClass> elsewhere = DescribedPredicate.describe("are of another module",
				(type) -> type.getPackageName().startsWith(ROOT) && !type.getPackageName().startsWith(MODULE));
		ArchRuleDefinition.noClasses().should().dependOnClassesThat(elsewhere).check(this.classes);
	}

}
