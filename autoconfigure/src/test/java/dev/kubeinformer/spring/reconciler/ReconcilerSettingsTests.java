package dev.kubeinformer.spring.reconciler;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcileRequest;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.controller.test.RecordingReconciliation;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.Gear;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what annotations and properties make of a reconciler.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReconcilerSettingsTests {

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false");

	@Test
	void plainReconcilerShouldHaveTheDefaults() {
		spec(this.runner.withBean("pods.podReconciler", PodReconciler.class), "podReconciler", (spec) -> {
			ReconcilerSpec<?> plain = ReconcilerSpec.of("podReconciler", V1Pod.class, (pod, run) -> Result.done());
			assertThat(spec.type()).isEqualTo(ResourceType.of(V1Pod.class));
			assertThat(spec.concurrency()).isEqualTo(plain.concurrency()).isEqualTo(4);
			assertThat(spec.resync()).isEqualTo(plain.resync()).hasHours(10);
			assertThat(spec.timeout()).isEqualTo(plain.timeout()).hasMinutes(5);
			assertThat(spec.minInterval()).isEqualTo(plain.minInterval()).isZero();
			assertThat(spec.ownWritesTimeout()).isEqualTo(plain.ownWritesTimeout()).hasSeconds(10);
			assertThat(spec.retry()).isEqualTo(ReconcilerSpec.Retry.defaults())
				.isEqualTo(new ReconcilerSpec.Retry(Duration.ofMillis(200), 2, Duration.ofMinutes(5), 0.2));
			assertThat(spec.fieldManager()).isEqualTo("podReconciler");
			assertThat(spec.formerFieldManagers()).isEmpty();
			assertThat(spec.appliedDigest()).isEqualTo(plain.appliedDigest()).isTrue();
			assertThat(spec.finalizer()).isNull();
			assertThat(spec.namespaces()).isEmpty();
			assertThat(spec.statusTrigger()).isTrue();
			assertThat(spec.updateCondition()).isNull();
			assertThat(spec.drainTimeout()).hasSeconds(20);
		});
	}

	@Test
	void annotationsShouldBeRead() {
		ApplicationContextRunner application = this.runner.withBean("gearReconciler", GearReconciler.class)
			.withPropertyValues("app.ns=web,blog");
		spec(application, "gears-1", (spec) -> {
			assertThat(spec.namespaces()).containsExactly("blog", "web");
			assertThat(spec.labelSelector()).isEqualTo("app=gear");
			assertThat(spec.fieldSelector()).isEqualTo("metadata.name=one");
			assertThat(spec.resync()).hasMinutes(30);
			assertThat(spec.concurrency()).isEqualTo(7);
			assertThat(spec.statusTrigger()).isTrue();
			assertThat(spec.finalizer()).isEqualTo("example.com/gears-1");
			assertThat(spec.owned())
				.extracting((owned) -> owned.type().name() + " " + owned.labelSelector() + " " + owned.controllerOnly())
				.containsExactlyInAnyOrder("configmaps app=gear true", "secrets null false",
						"deployments.apps null true", "services tier=web true");
			assertThat(spec.watched())
				.extracting((watched) -> watched.type().name() + " " + new TreeSet<>(watched.namespaces()) + " "
						+ watched.labelSelector())
				.containsExactlyInAnyOrder("configmaps [blog, web] app=oil", "pods [other] null", "nodes [] null");
		});
		application.run((context) -> assertThat(context.getBean(Reconcilers.class)
			.details(Objects.requireNonNull(context.getBean(ReconcilerRegistry.class).get("gears-1")))
			.autoStartup()).isFalse());
	}

	@Test
	void exceptionsThatAreNotRetriedShouldBeRead() {
		spec(this.runner.withBean("podReconciler", PodReconciler.class), "podReconciler",
				(spec) -> assertThat(spec.retryExcludes()).isEmpty());
		spec(this.runner.withBean("podReconciler", PodReconciler.class)
			.withPropertyValues("kubernetes.reconcilers.defaults.retry.excludes=java.io.IOException"), "podReconciler",
				(spec) -> assertThat(spec.retryExcludes()).containsExactly(IOException.class));
		spec(this.runner.withBean("podReconciler", PodReconciler.class)
			.withPropertyValues("kubernetes.reconcilers.defaults.retry.excludes=java.io.IOException",
					"kubernetes.reconcilers.podReconciler.retry.excludes=java.lang.Error"),
				"podReconciler", (spec) -> assertThat(spec.retryExcludes()).containsExactly(Error.class));
	}

	@ParameterizedTest
	@CsvSource({ "kubernetes.reconcilers.podReconciler.retry.excludes, java.io.IOExeption",
			"kubernetes.reconcilers.defaults.retry.excludes, java.lang.String",
			"kubernetes.informers.retry.excludes, IOException" })
	void exceptionThatIsNoneShouldBeNamedWithItsProperty(String property, String value) {
		this.runner.withBean("podReconciler", PodReconciler.class)
			.withPropertyValues(property + "=java.io.IOException," + value)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidPropertyValueException.class)
				.hasMessageStartingWith("'%s' is '%s'; it must be the full name of an exception class", property,
						value));
	}

	@Test
	void methodsThatMapShouldReturnAnyNumberOfKeys() {
		spec(this.runner.withBean("gearReconciler", GearReconciler.class).withPropertyValues("app.ns=web"), "gears-1",
				(spec) -> {
					assertThat(keys(spec, new V1ConfigMap())).containsExactly(new ObjectKey("web", "a"),
							new ObjectKey("web", "b"));
					assertThat(keys(spec, new V1Pod())).containsExactly(new ObjectKey("web", "pod"));
					assertThat(keys(spec, new V1Node())).isEmpty();
				});
	}

	@SuppressWarnings("unchecked")
	private static <C extends KubernetesObject> List<ObjectKey> keys(ReconcilerSpec<?> spec, C object)
			throws Exception {
		WatchedResource<C> watched = (WatchedResource<C>) spec.watched()
			.stream()
			.filter((each) -> each.type().objectClass() == object.getClass())
			.findFirst()
			.orElseThrow();
		return watched.mapper().map(object).toList();
	}

	@Test
	void propertiesOfTheIdShouldComeFirst() {
		spec(this.runner.withBean("gearReconciler", GearReconciler.class)
			.withPropertyValues("app.ns=web", "kubernetes.reconcilers.defaults.concurrency=2",
					"kubernetes.reconcilers.defaults.timeout=1m", "kubernetes.reconcilers.defaults.min-interval=1s",
					"kubernetes.reconcilers.defaults.retry.delay=1s", "kubernetes.reconcilers.GEARS_1.retry.jitter=0",
					"kubernetes.reconcilers.GEARS_1.resync=0", "kubernetes.reconcilers.GEARS_1.own-writes.timeout=3s",
					"kubernetes.reconcilers.GEARS_1.label-selector=app=other",
					"kubernetes.reconcilers.GEARS_1.namespaces=shop,other", "kubernetes.reconcilers.GEARS_1.timeout= ",
					"kubernetes.reconcilers.GEARS_1.field-manager=me",
					"kubernetes.reconcilers.GEARS_1.former-field-managers=old-operator,kubectl-client-side-apply",
					"kubernetes.reconcilers.defaults.applied-digest=false",
					"kubernetes.reconcilers.GEARS_1.finalizer=other.io/x",
					"kubernetes.informers.shutdown.drain-timeout=1s"),
				"gears-1", (spec) -> {
					assertThat(spec.concurrency()).isEqualTo(7);
					assertThat(spec.timeout()).hasMinutes(1);
					assertThat(spec.minInterval()).hasSeconds(1);
					assertThat(spec.retry())
						.isEqualTo(new ReconcilerSpec.Retry(Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0));
					assertThat(spec.resync()).isZero();
					assertThat(spec.ownWritesTimeout()).hasSeconds(3);
					assertThat(spec.labelSelector()).isEqualTo("app=other");
					assertThat(spec.namespaces()).containsExactly("other", "shop");
					assertThat(spec.fieldManager()).isEqualTo("me");
					assertThat(spec.formerFieldManagers()).containsExactly("old-operator", "kubectl-client-side-apply");
					assertThat(spec.appliedDigest()).isFalse();
					assertThat(spec.finalizer()).isEqualTo("other.io/x");
					assertThat(spec.drainTimeout()).hasSeconds(1);
				});
	}

	@Test
	void settingsOfInformersShouldHoldForTheCachesOfReconcilersOnly() {
		spec(this.runner.withBean("podReconciler", PodReconciler.class)
			.withPropertyValues("kubernetes.informers.namespaces=web",
					"kubernetes.informers.resources.pods.label-selector=app=web", "kubernetes.informers.resync=1m",
					"kubernetes.informers.resources.pods.resync=2m", "kubernetes.informers.concurrency=9",
					"kubernetes.informers.retry.delay=9s"),
				"podReconciler", (spec) -> {
					assertThat(spec.namespaces()).containsExactly("web");
					assertThat(spec.labelSelector()).isEqualTo("app=web");
					assertThat(spec.resync()).hasHours(10);
					assertThat(spec.concurrency()).isEqualTo(4);
					assertThat(spec.retry()).isEqualTo(ReconcilerSpec.Retry.defaults());
				});
	}

	@Test
	void environmentVariablesShouldBeRead() {
		spec(this.runner.withBean("podReconciler", PodReconciler.class)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("systemEnvironment",
						Map.of("KUBERNETES_RECONCILERS_PODRECONCILER_RETRY_MAXDELAY", "7s",
								"KUBERNETES_RECONCILERS_PODRECONCILER_MIN_INTERVAL", "3s",
								"KUBERNETES_RECONCILERS_DEFAULTS_CONCURRENCY", "3")))),
				"podReconciler", (spec) -> {
					assertThat(spec.retry().maxDelay()).hasSeconds(7);
					assertThat(spec.minInterval()).hasSeconds(3);
					assertThat(spec.concurrency()).isEqualTo(3);
				});
	}

	@ParameterizedTest
	@CsvSource({
			"kubernetes.reconcilers.podReconciler.concurency,Did you mean 'kubernetes.reconcilers.podreconciler.concurrency'?",
			"kubernetes.reconcilers.defaults.namespaces,own-writes.timeout" })
	void propertyThatDoesNotExistShouldBeNamedInTheLog(String name, String hint, CapturedOutput output) {
		this.runner.withBean("podReconciler", PodReconciler.class).withPropertyValues(name + "=1").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("Unknown property '" + name.toLowerCase(Locale.ROOT) + "'", hint);
		});
	}

	@Test
	void variablesOfAServiceShouldBeLeftAlone(CapturedOutput output) {
		Map<String, Object> variables = Map.of("KUBERNETES_RECONCILERS_PORT", "tcp://10.0.0.1:80",
				"KUBERNETES_RECONCILERS_SERVICE_HOST", "10.0.0.1", "KUBERNETES_RECONCILERS_PORT_80_TCP_PORT", "80",
				"KUBERNETES_RECONCILERS_WEB_SERVICE_HOST", "10.0.0.1",
				"KUBERNETES_RECONCILERS_PODRECONCILER_OWNWRITES_TIMEOUT", "3s",
				"KUBERNETES_RECONCILERS_PODRECONCILER_NAMESPACES_0_", "web");
		spec(this.runner.withBean("podReconciler", PodReconciler.class)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("systemEnvironment", variables))), "podReconciler",
				(spec) -> {
					assertThat(spec.ownWritesTimeout()).hasSeconds(3);
					assertThat(spec.namespaces()).containsExactly("web");
					assertThat(output).doesNotContain("Unknown property");
				});
	}

	@Test
	void settingInTheEnvironmentInThePlaceOfAnIdShouldBeNamedInTheLog(CapturedOutput output) {
		this.runner.withBean("podReconciler", PodReconciler.class)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("systemEnvironment",
						Map.of("KUBERNETES_RECONCILERS_CONCURRENCY", "8"))))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).contains("KUBERNETES_RECONCILERS_CONCURRENCY",
						"Did you mean 'kubernetes.reconcilers.defaults.concurrency'?");
			});
	}

	@Test
	void blankValueOfAKeyShouldBeNone() {
		this.runner.withBean("podReconciler", PodReconciler.class)
			.withPropertyValues("kubernetes.reconcilers.podReconciler=", "kubernetes.reconcilers.other= ")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void keyWithDotsAndNoBracketsShouldFail() {
		this.runner.withBean("podReconciler", PodReconciler.class)
			.withPropertyValues("kubernetes.reconcilers.com.example.podReconciler.retry.delay=1s")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("'com.example.podReconciler' holds dots"));
	}

	@Test
	void detailsShouldHoldWhatTheSpecDoesNot() {
		this.runner.withBean("podReconciler", PodReconciler.class)
			.withPropertyValues("kubernetes.reconcilers.podReconciler.readiness=false",
					"kubernetes.reconcilers.podReconciler.owned-verbs=get,list,watch")
			.run((context) -> {
				ReconcilerDetails details = context.getBean(Reconcilers.class)
					.details(Objects.requireNonNull(context.getBean(ReconcilerRegistry.class).get("podReconciler")));
				assertThat(details.beanName()).isEqualTo("podReconciler");
				assertThat(details.methods()).extracting((method) -> method.getName()).containsExactly("reconcile");
				assertThat(details.autoStartup()).isTrue();
				assertThat(details.readiness()).isFalse();
				assertThat(details.ownedVerbs()).containsExactly("get", "list", "watch");
			});
	}

	@Test
	void listenersAndDecoratorsShouldBeAddedInOrder() {
		ReconcilerListener listener = new ReconcilerListener() {
		};
		List<String> calls = new ArrayList<>();
		spec(this.runner.withBean("gearReconciler", GearReconciler.class)
			.withPropertyValues("app.ns=web")
			.withBean(ReconcilerListener.class, () -> listener)
			.withBean(ReconcilerDecorator.class, () -> new RecordingDecorator(calls)), "gears-1", (spec) -> {
				assertThat(spec.listeners()).hasSize(4).startsWith(listener);
				call(spec, Gear.of("one", 1));
				assertThat(calls).containsExactly("gears-1 gears.example.com false");
			});
	}

	@Test
	void genericReconcilerShouldBeResolvedThroughItsClassAndItsBeanMethod() {
		spec(this.runner.withBean("sub", OfServices.class), "sub", (spec) -> {
			assertThat(spec.type()).isEqualTo(ResourceType.of(V1Service.class));
			assertThat(spec.owned()).extracting((owned) -> owned.type().name()).containsExactly("configmaps");
		});
		spec(this.runner.withUserConfiguration(GenericBean.class), "declared",
				(spec) -> assertThat(spec.type()).isEqualTo(ResourceType.of(V1Secret.class)));
	}

	@Test
	void annotationOfABeanMethodShouldReplaceThatOfTheClass() {
		spec(this.runner.withUserConfiguration(RenamedBean.class), "renamed",
				(spec) -> assertThat(spec.concurrency()).isEqualTo(9));
	}

	@Test
	void beanBehindAProxyShouldBeCalledThroughIt() {
		List<String> calls = new ArrayList<>();
		spec(this.runner.withBean("proxied", Proxied.class, () -> {
			ProxyFactory factory = new ProxyFactory(new Proxied());
			factory.setProxyTargetClass(true);
			factory.addAdvice((MethodInterceptor) (invocation) -> {
				calls.add(invocation.getMethod().getName());
				return invocation.proceed();
			});
			return (Proxied) factory.getProxy();
		}), "proxied", (spec) -> {
			call(spec, TestObjects.pod("web", "one"));
			assertThat(calls).contains("reconcile");
		});
	}

	@Test
	void switchedOffInformersShouldSwitchReconcilersOff() {
		this.runner.withBean("podReconciler", PodReconciler.class)
			.withPropertyValues("kubernetes.informers.enabled=false", "kubernetes.reconcilers.unknown.concurrency=1")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ReconcilerRegistry.class));
	}

	@Test
	void methodsOfABeanThatIsNoReconcilerShouldBeNamedInTheLog(CapturedOutput output) {
		this.runner.withBean("plain", Plain.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("Bean 'plain' (" + Plain.class.getName()
					+ ") has methods with @Reconcile, @Watches or @OnCleanup that are never called: [gone, map, reconcile]. "
					+ "Annotate its class, or its bean method, with @Reconciler");
		});
	}

	@Test
	void lazyBeanShouldBeCreatedByItsFirstRun() {
		this.runner.withUserConfiguration(LazyBean.class).run((context) -> {
			assertThat(LazyBean.created(context.getBeanFactory())).isFalse();
			call(Objects.requireNonNull(context.getBean(ReconcilerRegistry.class).get("lazy")).spec(),
					TestObjects.pod("web", "one"));
			assertThat(LazyBean.created(context.getBeanFactory())).isTrue();
		});
	}

	@SuppressWarnings("unchecked")
	private static <T extends KubernetesObject> void call(ReconcilerSpec<?> spec, T object) throws Exception {
		((ReconcilerSpec<T>) spec).function().reconcile(object, RecordingReconciliation.of(object));
	}

	private static void spec(ApplicationContextRunner runner, String id, SpecConsumer check) {
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			check.accept(Objects.requireNonNull(context.getBean(ReconcilerRegistry.class).get(id)).spec());
		});
	}

	@FunctionalInterface
	private interface SpecConsumer {

		void accept(ReconcilerSpec<?> spec) throws Exception;

	}

	private record RecordingDecorator(List<String> calls) implements ReconcilerDecorator {

		@Override
		public <T extends KubernetesObject> ReconcileFunction<T> decorate(ReconcileFunction<T> function, String id,
				ResourceType<T> type, boolean cleanup) {
			return (object, run) -> {
				this.calls.add(id + " " + type.name() + " " + cleanup);
				return Result.done();
			};
		}

	}

	@Reconciler
	static class PodReconciler {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	@Reconciler(id = "gears-1", namespaces = "${app.ns}", labelSelector = "app=gear",
			fieldSelector = "metadata.name=#{'one'}", resync = "30m", concurrency = "7", autoStartup = "false")
	@Owns(value = V1Secret.class, controllerOnly = false)
	@Owns(value = V1Service.class, labelSelector = "tier=web")
	static class GearReconciler {

		@Reconcile(onStatus = "true")
		Result reconcile(@Owns(labelSelector = "app=gear") Owned<V1ConfigMap> maps, Reconciliation<Gear> run,
				Gear gear) {
			return Result.done();
		}

		@OnCleanup
		void cleanUp(ReconcileRequest<Gear> request, Owned<V1Deployment> deployments, Owned<V1ConfigMap> maps) {
		}

		@Watches(labelSelector = "app=oil")
		Collection<ObjectKey> oil(V1ConfigMap map) {
			return List.of(new ObjectKey("web", "a"), new ObjectKey("web", "b"));
		}

		@Watches(namespaces = "other")
		ObjectKey pods(V1Pod pod) {
			return new ObjectKey("web", "pod");
		}

		@Watches
		@Nullable Stream<ObjectKey> nodes(V1Node node) {
			return null;
		}

	}

	abstract static class Base<T extends KubernetesObject, C extends KubernetesObject> {

		@Reconcile
		Result reconcile(T object, Owned<C> owned, Reconciliation<T> run) {
			return Result.done();
		}

	}

	@Reconciler
	static class OfServices extends Base<V1Service, V1ConfigMap> {

	}

	@Reconciler
	static class Generic<T extends KubernetesObject> {

		@Reconcile
		void reconcile(T object) {
		}

	}

	static class GenericBean {

		@Bean
		Generic<V1Secret> declared() {
			return new Generic<>();
		}

	}

	static class RenamedBean {

		@Bean
		@Reconciler(id = "renamed", concurrency = "9")
		PodReconciler other() {
			return new PodReconciler();
		}

	}

	@Reconciler
	static class Proxied {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	static class LazyBean {

		static boolean created(SingletonBeanRegistry beans) {
			return beans.containsSingleton("lazy");
		}

		@Bean
		@Lazy
		PodReconciler lazy() {
			return new PodReconciler();
		}

	}

	static class Plain {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

		@OnCleanup
		void gone(V1Pod pod) {
		}

		@Watches
		ObjectKey map(V1Node node) {
			return new ObjectKey("", "");
		}

	}

}
