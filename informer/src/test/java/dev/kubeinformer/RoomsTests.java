package dev.kubeinformer;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

import dev.kubeinformer.fixtures.Rooms;
import dev.kubeinformer.internal.codec.ApiStatus;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rooms of the engine, and in which direction they know each other.
 */
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoomsTests {

	/**
	 * Rooms with their allowed imports besides {@code types} and {@code text}, from the
	 * ground up: a room never imports one below it in this table.
	 */
	private static final List<String> ROOMS = List.of("internal:", "internal.text:", "types: internal.text",
			"resource:", "spi: resource", "leader:", "shard: leader", "internal.election:", "handler: spi leader",
			"internal.codec:", "internal.codec.pool:", "internal.codec.copy:",
			"internal.codec.model: internal.codec internal.codec.copy resource",
			"internal.codec.json: internal.codec internal.codec.pool internal.codec.model resource"
					+ " internal.election",
			"internal.codec.protobuf: internal.codec internal.codec.pool internal.codec.model"
					+ " internal.codec.json resource",
			"informer: handler resource spi shard internal.codec.json", "controller: leader resource shard",
			"internal.failure: internal.codec", "internal.http: controller internal.failure internal.codec",
			"internal.transport: internal.http internal.failure internal.codec internal.codec.pool"
					+ " internal.codec.json internal.codec.protobuf resource internal.election",
			"internal.lease: internal.transport internal.http internal.failure internal.codec internal.codec.json internal.election",
			"internal.slots: shard", "internal.store: resource internal.slots", "internal.overlay: internal.store",
			"internal.reflector: internal.transport internal.failure internal.codec internal.slots",
			"internal.runtime: internal.reflector internal.transport internal.http internal.codec.pool internal.codec.json"
					+ " internal.codec.protobuf resource",
			"internal.status: informer internal.runtime internal.reflector internal.store internal.http"
					+ " internal.failure internal.codec resource shard internal.slots",
			"internal.dispatch: handler internal.store internal.slots",
			"internal.informer: informer handler internal.status internal.runtime internal.dispatch"
					+ " internal.reflector internal.store internal.transport internal.failure internal.codec"
					+ " internal.codec.pool internal.codec.model internal.codec.json resource spi leader"
					+ " shard internal.slots",
			"internal.workqueue: controller leader internal.transport internal.http",
			"internal.events: controller leader internal.transport internal.failure internal.codec"
					+ " internal.codec.json resource",
			"internal.reconcile: controller leader internal.workqueue internal.events internal.store"
					+ " internal.overlay internal.transport internal.failure internal.codec internal.codec.model internal.codec.json"
					+ " resource shard internal.slots",
			"internal.elector: leader spi internal.election internal.lease internal.http internal.failure"
					+ " internal.codec.json",
			"internal.shards: internal.election",
			"internal.membership: shard leader spi internal.shards internal.election"
					+ " internal.elector internal.lease internal.failure internal.codec internal.codec.json",
			"internal.controller: controller leader informer handler internal.reflector internal.workqueue"
					+ " internal.reconcile internal.events internal.informer internal.status internal.runtime"
					+ " internal.dispatch internal.store internal.overlay internal.transport internal.http internal.codec"
					+ " internal.codec.model internal.codec.json resource spi shard internal.slots",
			"internal.client:", "internal.client.tls: internal.client", "internal.client.kubeconfig: internal.client",
			"internal.client.credential: internal.client internal.client.tls",
			"client: internal.client internal.client.tls internal.client.kubeconfig internal.client.credential");

	private static final Set<String> GROUND = Set.of("types", "internal.text");

	private final JavaClasses engine = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
		.withImportOption((location) -> !location.contains("/dev/kubeinformer/test/"))
		.withImportOption((location) -> !location.contains("/dev/kubeinformer/fixtures/"))
		.importPackages("dev.kubeinformer");

	private final Rooms rooms = new Rooms(this.engine, "dev.kubeinformer");

	@Test
	void roomsImportOnlyWhatTheTableAllows() {
		assertThat(this.rooms.forbiddenImports(ROOMS, GROUND)).isEmpty();
	}

	@Test
	void filesFormNoLargeCircle() {
		// Decoders that the build writes are as recursive as what they read.
		assertThat(this.rooms.circles(".*\\.codec\\.protobuf\\.V\\d.*Decoder"))
			.allSatisfy((circle) -> assertThat(circle).hasSizeLessThan(10));
	}

	@Test
	void roomsAreSmall() {
		Map<String, Set<String>> files = this.rooms.files();
		assertThat(files.get(""))
			.contains("dev.kubeinformer.Informers", "dev.kubeinformer.LeaderElector",
					"dev.kubeinformer.ShardMembership")
			.hasSizeLessThanOrEqualTo(4);
		files.forEach((room, held) -> {
			if (!room.startsWith("internal.codec") && !room.equals("internal.workqueue")) {
				assertThat(held).as(room).hasSizeLessThanOrEqualTo(30);
			}
		});
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
		slices().assignedFrom(new Slices()).should().beFreeOfCycles().check(this.engine);
	}

	@Test
	void everyRoomBelowTheFrontDoorIsInternalOrDeclaredPublic() {
		classes().should()
			.resideInAnyPackage("dev.kubeinformer", "dev.kubeinformer.client", "dev.kubeinformer.controller",
					"dev.kubeinformer.definition", "dev.kubeinformer.handler", "dev.kubeinformer.informer",
					"dev.kubeinformer.leader", "dev.kubeinformer.resource", "dev.kubeinformer.shard",
					"dev.kubeinformer.spi", "dev.kubeinformer.types", "dev.kubeinformer.internal..")
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
			.resideOutsideOfPackages("dev.kubeinformer.internal.transport", "dev.kubeinformer.internal.http",
					"dev.kubeinformer.internal.failure", "dev.kubeinformer.internal.lease", "dev.kubeinformer.client")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("okhttp3..", "okio..")
			.check(this.engine);
	}

	@Test
	void codesOfHttpAreReadWhereFailuresAreClassifiedOnly() {
		noClasses().that()
			.resideOutsideOfPackages("dev.kubeinformer.internal.failure", "dev.kubeinformer.internal.transport",
					"dev.kubeinformer.internal.codec..")
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
	private static final class Slices implements SliceAssignment {

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
	 * Condition that the visible signatures of a type do not contain the engine's
	 * internal types.
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
