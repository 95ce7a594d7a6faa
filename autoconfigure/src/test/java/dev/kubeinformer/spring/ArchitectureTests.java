package dev.kubeinformer.spring;

import java.util.List;
import java.util.Map;
import java.util.Set;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

import dev.kubeinformer.fixtures.Rooms;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the directions between the Spring rooms.
 */
@AnalyzeClasses(packages = "dev.kubeinformer.spring", importOptions = ImportOption.DoNotIncludeTests.class)
@ArchTag("sources")
class ArchitectureTests {

	/**
	 * Rooms, each with those that it may import, from the ground up: none imports one
	 * that stands below it in this table.
	 */
	private static final List<String> ROOMS = List.of("annotation:", "settings:", "handler:", "bean: settings",
			"cluster: settings", "leader: annotation settings", "shard: bean cluster leader settings",
			"inject: annotation bean cluster settings shard", "handler.event: cluster handler",
			"handler.method: annotation bean settings",
			"handler.container: annotation bean cluster handler handler.event handler.method inject leader"
					+ " settings",
			"reconciler.method: annotation bean settings",
			"reconciler: annotation bean cluster handler inject leader reconciler.method settings",
			"rbac: cluster handler leader reconciler shard", "observation: cluster handler reconciler",
			"autoconfigure.client: bean settings", "autoconfigure.testcontainers: autoconfigure.client",
			"autoconfigure.compose: autoconfigure.client settings",
			"autoconfigure.guard: autoconfigure.client settings",
			"autoconfigure.leader: autoconfigure.client leader settings", "autoconfigure.model: cluster settings",
			"autoconfigure.aot: annotation autoconfigure.model cluster",
			"autoconfigure.properties: autoconfigure.client autoconfigure.leader cluster settings",
			"autoconfigure.cluster: autoconfigure.client autoconfigure.leader autoconfigure.model"
					+ " autoconfigure.properties cluster inject settings",
			"autoconfigure.shard: autoconfigure.client autoconfigure.leader autoconfigure.properties settings shard",
			"autoconfigure.definitions: autoconfigure.properties bean cluster rbac settings",
			"autoconfigure.training: autoconfigure.properties cluster handler reconciler",
			"autoconfigure.versions: settings",
			"autoconfigure: autoconfigure.client autoconfigure.cluster autoconfigure.definitions"
					+ " autoconfigure.leader" + " autoconfigure.model autoconfigure.properties autoconfigure.shard"
					+ " autoconfigure.training autoconfigure.versions bean cluster handler"
					+ " handler.container inject leader rbac reconciler settings shard",
			"autoconfigure.health: autoconfigure autoconfigure.properties cluster handler leader reconciler"
					+ " settings shard",
			"autoconfigure.metrics: autoconfigure autoconfigure.properties cluster handler leader observation"
					+ " shard",
			"autoconfigure.endpoint: autoconfigure autoconfigure.client cluster handler leader rbac reconciler"
					+ " settings shard");

	@ArchTest
	void roomsImportOnlyWhatTheTableAllows(JavaClasses classes) {
		assertThat(rooms(classes).forbiddenImports(ROOMS, Set.of())).isEmpty();
	}

	@ArchTest
	void filesFormNoLargeCircle(JavaClasses classes) {
		assertThat(rooms(classes).circles("")).allSatisfy((circle) -> assertThat(circle).hasSizeLessThan(10));
	}

	@ArchTest
	void roomsAreSmall(JavaClasses classes) {
		Map<String, Set<String>> files = rooms(classes).files();
		assertThat(files.get("autoconfigure")).hasSizeLessThanOrEqualTo(10);
		files.forEach((room, held) -> assertThat(held).as(room).hasSizeLessThanOrEqualTo(30));
	}

	private static Rooms rooms(JavaClasses classes) {
		return new Rooms(classes, "dev.kubeinformer.spring");
	}

	@ArchTest
	void packagesHaveNoCycles(JavaClasses classes) {
		SlicesRuleDefinition.slices().matching("dev.kubeinformer.(**)").should().beFreeOfCycles().check(classes);
	}

	@ArchTest
	void onlyHealthAndEndpointKnowActuator(JavaClasses classes) {
		ArchRuleDefinition.noClasses()
			.that()
			.resideOutsideOfPackages("..autoconfigure.health..", "..autoconfigure.endpoint..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot.health..", "org.springframework.boot.actuate..")
			.check(classes);
	}

	@ArchTest
	void onlyMetricsAndObservationsKnowMicrometer(JavaClasses classes) {
		ArchRuleDefinition.noClasses()
			.that()
			.resideOutsideOfPackages("..autoconfigure.metrics..", "..spring.observation..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.micrometer..")
			.check(classes);
	}

	@ArchTest
	void onlyTheGuardKnowsWhatTestsBring(JavaClasses classes) {
		ArchRuleDefinition.noClasses()
			.that()
			.haveSimpleNameNotStartingWith("ClusterGuardContextCustomizer")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework.test..")
			.check(classes);
		ArchRuleDefinition.noClasses()
			.that()
			.doNotHaveFullyQualifiedName("dev.kubeinformer.spring.autoconfigure.guard.ClusterGuard$EmbeddedApis")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("dev.kubeinformer.test..")
			.check(classes);
	}

	@ArchTest
	void onlyServiceConnectionsKnowTestcontainers(JavaClasses classes) {
		ArchRuleDefinition.noClasses()
			.that()
			.resideOutsideOfPackage("..autoconfigure.testcontainers..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.testcontainers..", "org.springframework.boot.testcontainers..")
			.check(classes);
	}

	@ArchTest
	void theEnginesRoomsAreNotEntered(JavaClasses classes) {
		ArchRuleDefinition.noClasses()
			.should()
			.dependOnClassesThat()
			.resideInAPackage("dev.kubeinformer.internal..")
			.check(classes);
	}

}
