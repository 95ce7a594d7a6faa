package dev.kubeinformer;

import java.time.Instant;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import dev.kubeinformer.internal.codec.ApiStatus;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * The rooms of the engine, and in which direction they know each other.
 */
@Tag("sources")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoomsTests {

	private final JavaClasses engine = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
		.withImportOption((location) -> !location.contains("/dev/kubeinformer/test/"))
		.withImportOption((location) -> !location.contains("/dev/kubeinformer/fixtures/"))
		.importPackages("dev.kubeinformer");

	@Test
	void roomsKnowEachOtherInOneDirectionOnly() {
		layeredArchitecture().consideringOnlyDependenciesInLayers()
			.layer("front door")
			.definedBy("dev.kubeinformer")
			.layer("spi")
			.definedBy("dev.kubeinformer.spi")
			.layer("resource")
			.definedBy("dev.kubeinformer.resource")
			.layer("types")
			.definedBy("dev.kubeinformer.types")
			.layer("text")
			.definedBy("dev.kubeinformer.internal.text")
			.layer("codec")
			.definedBy("dev.kubeinformer.internal.codec..")
			.layer("transport")
			.definedBy("dev.kubeinformer.internal.transport")
			.layer("reflector")
			.definedBy("dev.kubeinformer.internal.reflector")
			.layer("store")
			.definedBy("dev.kubeinformer.internal.store")
			.layer("dispatch")
			.definedBy("dev.kubeinformer.internal.dispatch")
			.layer("controller")
			.definedBy("dev.kubeinformer.controller")
			.layer("control")
			.definedBy("dev.kubeinformer.internal.control")
			.layer("client")
			.definedBy("dev.kubeinformer.client")
			.layer("kubeconfig")
			.definedBy("dev.kubeinformer.internal.client.kubeconfig")
			.layer("credential")
			.definedBy("dev.kubeinformer.internal.client.credential")
			.layer("tls")
			.definedBy("dev.kubeinformer.internal.client.tls")
			.layer("access")
			.definedBy("dev.kubeinformer.internal.client")
			.layer("leader")
			.definedBy("dev.kubeinformer.leader")
			.layer("election")
			.definedBy("dev.kubeinformer.internal.election")
			.whereLayer("front door")
			.mayNotBeAccessedByAnyLayer()
			.whereLayer("spi")
			.mayOnlyBeAccessedByLayers("front door")
			.whereLayer("spi")
			.mayOnlyAccessLayers("resource")
			.whereLayer("resource")
			.mayNotAccessAnyLayer()
			.whereLayer("reflector")
			.mayOnlyBeAccessedByLayers("front door")
			.whereLayer("dispatch")
			.mayOnlyBeAccessedByLayers("front door")
			.whereLayer("control")
			.mayOnlyBeAccessedByLayers("front door")
			.whereLayer("controller")
			.mayOnlyAccessLayers("resource", "types", "codec", "leader")
			.whereLayer("leader")
			.mayOnlyAccessLayers("election", "transport", "codec", "types", "text")
			.whereLayer("election")
			.mayNotAccessAnyLayer()
			.whereLayer("election")
			.mayOnlyBeAccessedByLayers("codec", "transport", "leader")
			.whereLayer("store")
			.mayOnlyBeAccessedByLayers("dispatch", "control", "front door")
			.whereLayer("transport")
			.mayOnlyBeAccessedByLayers("reflector", "control", "leader", "front door")
			.whereLayer("codec")
			.mayOnlyBeAccessedByLayers("transport", "reflector", "control", "controller", "leader", "front door")
			.whereLayer("client")
			.mayNotBeAccessedByAnyLayer()
			.whereLayer("client")
			.mayOnlyAccessLayers("kubeconfig", "credential", "tls", "access", "types", "text")
			.whereLayer("kubeconfig")
			.mayOnlyAccessLayers("access", "types", "text")
			.whereLayer("credential")
			.mayOnlyAccessLayers("tls", "access", "types", "text")
			.whereLayer("tls")
			.mayOnlyAccessLayers("access", "types", "text")
			.whereLayer("access")
			.mayOnlyAccessLayers("types", "text")
			.whereLayer("types")
			.mayOnlyAccessLayers("text")
			.whereLayer("text")
			.mayNotAccessAnyLayer()
			.check(this.engine);
	}

	@Test
	void partsOfTheCodecKnowEachOtherInOneDirectionOnly() {
		String codec = "dev.kubeinformer.internal.codec";
		layeredArchitecture().consideringOnlyDependenciesInLayers()
			.layer("contracts")
			.definedBy(codec)
			.layer("pool")
			.definedBy(codec + ".pool")
			.layer("model")
			.definedBy(codec + ".model")
			.layer("json")
			.definedBy(codec + ".json")
			.layer("protobuf")
			.definedBy(codec + ".protobuf")
			.whereLayer("contracts")
			.mayNotAccessAnyLayer()
			.whereLayer("pool")
			.mayNotAccessAnyLayer()
			.whereLayer("model")
			.mayOnlyAccessLayers("contracts")
			.whereLayer("json")
			.mayOnlyAccessLayers("contracts", "pool", "model")
			.whereLayer("protobuf")
			.mayNotBeAccessedByAnyLayer()
			.check(this.engine);
		// Messages hold JSON, too: protobuf may ask for it, and for how it is read.
		noClasses().that()
			.resideInAPackage(codec + ".protobuf")
			.should()
			.dependOnClassesThat()
			.haveNameMatching("dev\\.kubeinformer\\.internal\\.codec\\.json\\.(?!JsonMappers$).*")
			.check(this.engine);
	}

	@Test
	void roomsHaveNoCycles() {
		slices().assignedFrom(new Rooms()).should().beFreeOfCycles().check(this.engine);
	}

	@Test
	void everyRoomBelowTheFrontDoorIsInternalOrDeclaredPublic() {
		classes().should()
			.resideInAnyPackage("dev.kubeinformer", "dev.kubeinformer.client", "dev.kubeinformer.controller",
					"dev.kubeinformer.leader", "dev.kubeinformer.resource", "dev.kubeinformer.spi",
					"dev.kubeinformer.types", "dev.kubeinformer.internal..")
			.check(this.engine);
	}

	@Test
	void publicSignaturesShowNoInternalType() {
		classes().that()
			.resideOutsideOfPackage("dev.kubeinformer.internal..")
			.and()
			.arePublic()
			.should(new ShowNoInternalType())
			.check(this.engine);
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
			.resideOutsideOfPackages("dev.kubeinformer.internal.codec..", "dev.kubeinformer.internal.client..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("tools.jackson..", "com.google.gson..")
			.check(this.engine);
	}

	@Test
	void httpIsSpokenInOneRoomOnly() {
		noClasses().that()
			.resideOutsideOfPackages("dev.kubeinformer.internal.transport", "dev.kubeinformer.client")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("okhttp3..", "okio..")
			.check(this.engine);
	}

	@Test
	void codesOfHttpAreReadWhereFailuresAreClassifiedOnly() {
		noClasses().that()
			.resideOutsideOfPackages("dev.kubeinformer.internal.transport", "dev.kubeinformer.internal.codec..")
			.should()
			.callMethod(ApiStatus.class, "code")
			.check(this.engine);
	}

	@Test
	void protocolDecisionsArePure() {
		classes().that()
			.haveNameMatching(".*\\.reflector\\.((List|Watch)Decisions|Decision|ReflectorState|Pause)")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java.lang..", "java.time", "java.util.random", "dev.kubeinformer..", "org.jspecify..")
			.andShould()
			.haveOnlyFinalFields()
			.check(this.engine);
	}

	@Test
	void electionIsPure() {
		classes().that()
			.resideInAPackage("dev.kubeinformer.internal.election")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java.lang..", "java.time", "java.util..", "dev.kubeinformer.internal.election",
					"org.jspecify..")
			.check(this.engine);
		noClasses().that()
			.resideInAPackage("dev.kubeinformer.internal.election")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("java.util.concurrent.locks", "java.util.concurrent.atomic")
			.orShould()
			.callMethod(System.class, "nanoTime")
			.orShould()
			.callMethod(System.class, "currentTimeMillis")
			.orShould()
			.callMethod(Instant.class, "now")
			.orShould()
			.dependOnClassesThat()
			.areAssignableTo(Thread.class)
			.check(this.engine);
	}

	/**
	 * A room for each package; the parts of the codec are one.
	 */
	private static final class Rooms implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			String name = type.getPackageName();
			String codec = "dev.kubeinformer.internal.codec";
			return SliceIdentifier.of(name.startsWith(codec) ? codec : name);
		}

		@Override
		public String getDescription() {
			return "rooms";
		}

	}

	/**
	 * Condition that what users can see of a type is no type of the engine's inside.
	 */
	private static final class ShowNoInternalType extends ArchCondition<JavaClass> {

		ShowNoInternalType() {
			super("show no internal type");
		}

		@Override
		public void check(JavaClass type, ConditionEvents events) {
			Stream<JavaClass> supertypes = Stream.concat(type.getRawSuperclass().stream(),
					type.getRawInterfaces().stream());
			report(type, "extends", supertypes, events);
			type.getMembers()
				.stream()
				.filter(ShowNoInternalType::isVisible)
				.forEach((member) -> report(type, member.getName(), member.getAllInvolvedRawTypes().stream(), events));
		}

		private static boolean isVisible(JavaMember member) {
			return member.getModifiers().contains(JavaModifier.PUBLIC)
					|| member.getModifiers().contains(JavaModifier.PROTECTED);
		}

		private static void report(JavaClass type, String place, Stream<JavaClass> seen, ConditionEvents events) {
			seen.filter((shown) -> shown.getPackageName().startsWith("dev.kubeinformer.internal"))
				.forEach((shown) -> events.add(SimpleConditionEvent.violated(type,
						type.getName() + ", " + place + ", shows " + shown.getName())));
		}

	}

}
