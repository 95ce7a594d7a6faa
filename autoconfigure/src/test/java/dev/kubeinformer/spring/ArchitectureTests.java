package dev.kubeinformer.spring;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.Architectures;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/**
 * Tests of the directions between the Spring rooms.
 */
@AnalyzeClasses(packages = "dev.kubeinformer.spring", importOptions = ImportOption.DoNotIncludeTests.class)
@ArchTag("sources")
class ArchitectureTests {

	@ArchTest
	void roomsDependInOneDirection(JavaClasses classes) {
		Architectures.layeredArchitecture()
			.consideringOnlyDependenciesInLayers()
			.layer("annotation")
			.definedBy("..spring.annotation..")
			.layer("settings")
			.definedBy("..spring.settings..")
			.layer("handler")
			.definedBy("..spring.handler..")
			.layer("bean")
			.definedBy("..spring.bean..")
			.layer("reconciler")
			.definedBy("..spring.reconciler..")
			.layer("cluster")
			.definedBy("..spring.cluster..")
			.layer("leader")
			.definedBy("..spring.leader..")
			.layer("inject")
			.definedBy("..spring.inject..")
			.layer("autoconfigure")
			.definedBy("..spring.autoconfigure")
			.layer("election")
			.definedBy("..spring.autoconfigure.leader..")
			.layer("client")
			.definedBy("..spring.autoconfigure.client..")
			.layer("guard")
			.definedBy("..spring.autoconfigure.guard..")
			.layer("aot")
			.definedBy("..spring.autoconfigure.aot..")
			.layer("health")
			.definedBy("..spring.autoconfigure.health..")
			.layer("metrics")
			.definedBy("..spring.autoconfigure.metrics..")
			.layer("observation")
			.definedBy("..spring.observation..")
			.layer("endpoint")
			.definedBy("..spring.autoconfigure.endpoint..")
			.layer("rbac")
			.definedBy("..spring.rbac..")
			.layer("testcontainers")
			.definedBy("..spring.autoconfigure.testcontainers..")
			.whereLayer("health")
			.mayNotBeAccessedByAnyLayer()
			.whereLayer("metrics")
			.mayNotBeAccessedByAnyLayer()
			.whereLayer("endpoint")
			.mayNotBeAccessedByAnyLayer()
			.whereLayer("observation")
			.mayOnlyBeAccessedByLayers("metrics")
			.whereLayer("rbac")
			.mayOnlyBeAccessedByLayers("endpoint")
			.whereLayer("rbac")
			.mayOnlyAccessLayers("cluster", "handler", "reconciler", "leader")
			.whereLayer("testcontainers")
			.mayNotBeAccessedByAnyLayer()
			.whereLayer("guard")
			.mayNotBeAccessedByAnyLayer()
			.whereLayer("guard")
			.mayOnlyAccessLayers("client", "settings")
			.whereLayer("aot")
			.mayNotBeAccessedByAnyLayer()
			.whereLayer("aot")
			.mayOnlyAccessLayers("annotation", "cluster", "autoconfigure")
			.whereLayer("autoconfigure")
			.mayOnlyBeAccessedByLayers("health", "metrics", "endpoint", "aot")
			.whereLayer("client")
			.mayOnlyBeAccessedByLayers("autoconfigure", "election", "guard", "testcontainers", "endpoint")
			.whereLayer("client")
			.mayOnlyAccessLayers("settings")
			.whereLayer("election")
			.mayOnlyBeAccessedByLayers("autoconfigure")
			.whereLayer("election")
			.mayOnlyAccessLayers("client", "leader", "settings")
			.whereLayer("leader")
			.mayOnlyBeAccessedByLayers("handler", "reconciler", "autoconfigure", "election", "health", "metrics",
					"endpoint", "rbac")
			.whereLayer("leader")
			.mayOnlyAccessLayers("annotation", "settings")
			.whereLayer("inject")
			.mayOnlyBeAccessedByLayers("handler", "reconciler", "autoconfigure")
			.whereLayer("cluster")
			.mayOnlyAccessLayers("settings")
			.whereLayer("handler")
			.mayOnlyBeAccessedByLayers("reconciler", "autoconfigure", "health", "metrics", "endpoint", "observation",
					"rbac")
			.whereLayer("bean")
			.mayOnlyBeAccessedByLayers("handler", "reconciler")
			.whereLayer("bean")
			.mayOnlyAccessLayers("settings")
			.whereLayer("reconciler")
			.mayOnlyBeAccessedByLayers("autoconfigure", "health", "metrics", "endpoint", "observation", "rbac")
			.whereLayer("settings")
			.mayOnlyBeAccessedByLayers("bean", "cluster", "handler", "reconciler", "inject", "leader", "autoconfigure",
					"election", "client", "guard", "health", "endpoint")
			.whereLayer("annotation")
			.mayOnlyBeAccessedByLayers("handler", "reconciler", "inject", "leader", "aot")
			.whereLayer("annotation")
			.mayNotAccessAnyLayer()
			.whereLayer("settings")
			.mayNotAccessAnyLayer()
			.check(classes);
	}

	@ArchTest
	void roomsHaveNoCycles(JavaClasses classes) {
		SlicesRuleDefinition.slices()
			.matching("dev.kubeinformer.spring.(*)..")
			.should()
			.beFreeOfCycles()
			.check(classes);
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
