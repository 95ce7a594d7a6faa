package dev.kubeinformer.spring.autoconfigure.aot;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.ReconcileRequest;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.Gear;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.spring.autoconfigure.leader.LeaderProperties;
import dev.kubeinformer.spring.autoconfigure.properties.ClusterProperties;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.autoconfigure.properties.ReconcilersProperties;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the hints for reconcilers of applications that are processed ahead of time.
 */
class ReconcilerAotTests {

	private final RuntimeHints hints = process();

	@Test
	void modelClassesShouldBeReadByReflection() {
		for (Class<?> type : List.of(Gear.class, Gear.GearSpec.class, Gear.GearStatus.class, V1Deployment.class,
				V1DeploymentSpec.class, V1ConfigMap.class, V1ConfigMapList.class, V1Secret.class, V1Service.class)) {
			assertThat(RuntimeHintsPredicates.reflection()
				.onType(type)
				.withMemberCategories(MemberCategory.ACCESS_DECLARED_FIELDS,
						MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
				.as(type.getName())
				.accepts(this.hints);
		}
	}

	@Test
	void annotatedMethodsShouldBeInvocable() {
		for (Method method : Arrays.stream(GearReconciler.class.getDeclaredMethods())
			.filter((each) -> !each.isSynthetic())
			.toList()) {
			assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method)).as(method.getName())
				.accepts(this.hints);
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { InformersProperties.class, InformersProperties.Handler.class,
			InformersProperties.Resource.class, InformersProperties.Retry.class, ReconcilersProperties.class,
			ReconcilersProperties.Reconciler.class, ReconcilersProperties.Defaults.class,
			ReconcilersProperties.OwnWrites.class, ReconcilersProperties.Retry.class, ClusterProperties.class,
			ClusterProperties.Informers.class, KubernetesClientProperties.class, KubernetesClientProperties.Ssl.class,
			KubernetesClientProperties.Impersonate.class, LeaderProperties.class, LeaderProperties.Lease.class })
	void propertiesShouldBeBoundAndRead(Class<?> type) {
		assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(type.getConstructors()[0]))
			.accepts(this.hints);
		assertThat(type.getRecordComponents()).allSatisfy((component) -> assertThat(
				RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()))
			.accepts(this.hints));
	}

	// There is no cluster.
	private static RuntimeHints process() {
		TestGenerationContext generation = new TestGenerationContext();
		AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext();
		TestPropertyValues.of(InformerContextRunner.NO_CLUSTER).applyTo(source);
		source.register(Application.class);
		new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
		generation.writeGeneratedContent();
		return generation.getRuntimeHints();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	static class Application {

		@Bean
		GearReconciler gearReconciler() {
			return new GearReconciler();
		}

	}

	@Watches
	@Retention(RetentionPolicy.RUNTIME)
	@interface WatchesMaps {

	}

	@Reconciler
	@Owns(V1Secret.class)
	@Owns(V1Service.class)
	static class GearReconciler {

		@Reconcile
		void reconcile(ReconcileRequest<Gear> request, Owned<V1Deployment> deployments, Reconciliation<Gear> run) {
		}

		@WatchesMaps
		ObjectKey using(V1ConfigMap map) {
			return ObjectKey.of(map);
		}

		@OnCleanup
		void cleanUp(Gear gear) {
		}

	}

}
