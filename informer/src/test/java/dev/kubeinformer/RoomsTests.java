package dev.kubeinformer;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * The rooms of the engine, and in which direction they know each other.
 */
class RoomsTests {

	private final JavaClasses engine = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
		.withImportOption((location) -> !location.contains("/dev/kubeinformer/test/"))
		.importPackages("dev.kubeinformer");

	@Test
	void roomsKnowEachOtherInOneDirectionOnly() {
		layeredArchitecture().consideringOnlyDependenciesInLayers()
			.layer("front door")
			.definedBy("dev.kubeinformer")
			.layer("resource")
			.definedBy("dev.kubeinformer.resource")
			.layer("codec")
			.definedBy("dev.kubeinformer.codec..")
			.layer("transport")
			.definedBy("dev.kubeinformer.transport")
			.layer("reflector")
			.definedBy("dev.kubeinformer.reflector")
			.layer("store")
			.definedBy("dev.kubeinformer.store")
			.layer("dispatch")
			.definedBy("dev.kubeinformer.dispatch")
			.whereLayer("front door")
			.mayNotBeAccessedByAnyLayer()
			.whereLayer("reflector")
			.mayOnlyBeAccessedByLayers("front door")
			.whereLayer("dispatch")
			.mayOnlyBeAccessedByLayers("front door")
			.whereLayer("store")
			.mayOnlyBeAccessedByLayers("dispatch", "front door")
			.whereLayer("transport")
			.mayOnlyBeAccessedByLayers("reflector", "front door")
			.whereLayer("codec")
			.mayOnlyBeAccessedByLayers("transport", "reflector", "front door")
			.check(this.engine);
	}

	@Test
	void roomsHaveNoCycles() {
		slices().matching("dev.kubeinformer.(*)..").should().beFreeOfCycles().check(this.engine);
	}

	@Test
	void engineKnowsNoSpring() {
		noClasses().should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework..", "dev.kubeinformer.test..", "dev.kubeinformer.spring..")
			.check(this.engine);
	}

	@Test
	void jsonIsReadInOneRoomOnly() {
		noClasses().that()
			.resideOutsideOfPackage("dev.kubeinformer.codec..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("tools.jackson..", "com.google.gson..")
			.check(this.engine);
	}

	@Test
	void httpIsSpokenInOneRoomOnly() {
		noClasses().that()
			.resideOutsideOfPackage("dev.kubeinformer.transport")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("okhttp3..", "okio..")
			.check(this.engine);
	}

	@Test
	void protocolDecisionsArePure() {
		classes().that()
			.haveSimpleName("ReflectorDecisions")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java.lang..", "java.time", "dev.kubeinformer..", "org.jspecify..")
			.andShould()
			.haveOnlyFinalFields()
			.check(this.engine);
	}

}
