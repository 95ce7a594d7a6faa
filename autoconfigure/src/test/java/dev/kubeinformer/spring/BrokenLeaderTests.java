package dev.kubeinformer.spring;

import java.util.stream.Stream;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.LeaderOnly;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.leader.FakeLeadership;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of the messages about an invalid leader election. */
@ExtendWith(OutputCaptureExtension.class)
class BrokenLeaderTests {

	private static final String ENABLED = "--kubernetes.leader.enabled=true";

	private static final String NAME = "--spring.application.name=web";

	private static final String NAMESPACE = "--kubernetes.leader.lease.namespace=shop";

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false");

	@Test
	void leaseWithoutName(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, Nothing.class, ENABLED, NAMESPACE);
		assertThat(report.description())
			.isEqualTo("Leader election is enabled ('kubernetes.leader.enabled=true'), but the Lease has no name");
		assertThat(report.action()).startsWith(
				"Set 'spring.application.name', which names the Lease by default, or 'kubernetes.leader.lease.name'.");
	}

	@ParameterizedTest
	@CsvSource({ "My App", "web_shop", "-web", "web.", "Web" })
	void nameOfTheApplicationThatIsNoneOfALease(String name, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, Nothing.class, ENABLED, NAMESPACE,
				"--spring.application.name=" + name);
		assertThat(report.description())
			.contains("cannot have the name '%s' (from 'spring.application.name', which names it by default)"
				.formatted(name));
		assertThat(report.action()).contains("Set 'kubernetes.leader.lease.name' to a DNS-1123 name");
	}

	@Test
	void nameThatIsNoneOfALease(CapturedOutput output) {
		assertThat(BrokenApplication
			.start(output, Nothing.class, ENABLED, NAME, NAMESPACE, "--kubernetes.leader.lease.name=a/b")
			.description()).contains("cannot have the name 'a/b' (from 'kubernetes.leader.lease.name')");
	}

	@Test
	void noNamespace(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, Nothing.class, ENABLED, NAME);
		assertThat(report.description()).isEqualTo("The Lease of the leader has no namespace: "
				+ "'kubernetes.leader.lease.namespace' is '@current', the default, and there is neither a kubeconfig nor "
				+ "a service account that would name it");
		assertThat(report.action())
			.isEqualTo("Set 'kubernetes.leader.lease.namespace' to the namespace that the application runs in.");
	}

	@Test
	void noNameOfANamespace(CapturedOutput output) {
		assertThat(
				BrokenApplication.start(output, Nothing.class, ENABLED, NAME, "--kubernetes.leader.lease.namespace=a.b")
					.description())
			.isEqualTo("'kubernetes.leader.lease.namespace' is 'a.b'; it must be the name of a "
					+ "namespace, or '@current'");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"lease-duration=11s | 'kubernetes.leader.lease-duration' is '11s'; it must be at least 2s more than 'kubernetes.leader.renew-deadline' (10s)",
			"renew-deadline=14s | 'kubernetes.leader.lease-duration' is '15s'; it must be at least 2s more than 'kubernetes.leader.renew-deadline' (14s)",
			"retry-period=4s | 'kubernetes.leader.renew-deadline' is '10s'; it must be at least 3 times 'kubernetes.leader.retry-period' (4s)",
			"lease-duration=15500ms | 'kubernetes.leader.lease-duration' is '15500ms'; it must be a number of whole seconds",
			"retry-period=0s | 'kubernetes.leader.retry-period' is '0s'; it must be between",
			"sync-timeout=-1s | 'kubernetes.leader.sync-timeout' is '-1s'; it must be zero or between" })
	void timesThatDoNotFit(String property, String description, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, Nothing.class, ENABLED, NAME, NAMESPACE,
				"--kubernetes.leader." + property);
		assertThat(report.description()).startsWith(description);
		assertThat(report.action()).startsWith("Correct the property 'kubernetes.leader.");
	}

	@ParameterizedTest
	@CsvSource({ "LeaderOnlyHandler,@InformerHandler", "LeaderOnlyReconciler,@Reconciler" })
	void leaderOnlyWithoutElection(String type, String annotation, CapturedOutput output) throws Exception {
		BrokenApplication report = BrokenApplication.start(output,
				Class.forName(BrokenLeaderTests.class.getName() + "$" + type));
		assertThat(report.description()).startsWith(annotation + " bean '")
			.contains(type)
			.endsWith(" is leader-only, but no leader is elected: 'kubernetes.leader.enabled' is false, so that each "
					+ "replica would run it");
		assertThat(report.action()).startsWith("Set 'kubernetes.leader.enabled=true'.")
			.contains("leaderOnly = \"${kubernetes.leader.enabled:false}\"");
	}

	@ParameterizedTest
	@CsvSource({ "HandlerOfType,@InformerHandler,a bean with @InformerHandler",
			"HandlerOfBeanMethod,@InformerHandler,a bean with @InformerHandler",
			"ReconcilerOfType,@Reconciler,a bean with @Reconciler",
			"ClassicHandler,@InformerHandler,a ResourceEventHandler" })
	void typeThatHandlesEvents(String type, String annotation, String what, CapturedOutput output) throws Exception {
		BrokenApplication report = BrokenApplication.start(output,
				Class.forName(BrokenLeaderTests.class.getName() + "$" + type));
		assertThat(report.description()).startsWith("@LeaderOnly is at the class '")
			.contains("which is " + what + ": what a replica that does not lead skips would count as handled");
		assertThat(report.action())
			.isEqualTo("Remove @LeaderOnly, and write leaderOnly = \"true\" at its " + annotation + " instead.");
	}

	static Stream<Arguments> misuses() {
		return Stream.of(Arguments.of(PrivateMethod.class, "run' of bean '", " is private,"),
				Arguments.of(StaticMethod.class, "run' of bean '", " is static,"),
				Arguments.of(FinalMethod.class, "run' of bean '", " is final,"),
				Arguments.of(FinalMethodOfType.class, "run' of bean '", " is final,"),
				Arguments.of(HiddenFinalMethodOfType.class, "run' of bean '", " is final,"),
				Arguments.of(FinalClass.class, "has @LeaderOnly methods, and its class '", "' is final"),
				Arguments.of(BeanMethod.class, "@LeaderOnly is at the @Bean method '", "which each replica calls"),
				Arguments.of(EventMethod.class, "@LeaderOnly is at the @OnAdd method '", "a standby would lose"),
				Arguments.of(EventMethodOfType.class, "@LeaderOnly is at the class '", "would count as handled"),
				Arguments.of(ReconcileMethod.class, "@LeaderOnly is at the @Reconcile method '",
						"a standby would lose"));
	}

	@ParameterizedTest
	@MethodSource("misuses")
	void methodThatCannotBeGuarded(Class<?> type, String where, String problem, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, type);
		assertThat(report.description()).contains(type.getName(), where, problem);
		assertThat(report.action()).isNotBlank();
	}

	@Test
	void methodThatTheJdkProxyDoesNotHave(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, JdkProxied.class);
		assertThat(report.description()).endsWith("is in none of the interfaces of the bean's JDK proxy");
		assertThat(report.action()).startsWith("Add the method to an interface that the proxy implements");
	}

	@Test
	void nothingShouldBeCheckedWhereNoLeaderIsElected() {
		this.runner.withPropertyValues("kubernetes.leader.lease-duration=1s").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Leadership.class).isLeader()).isTrue();
		});
	}

	@Test
	void nothingShouldBeCheckedWhereInformersAreOff() {
		this.runner
			.withPropertyValues("kubernetes.informers.enabled=false", "kubernetes.leader.enabled=true",
					"kubernetes.leader.lease-duration=1s")
			.withBean(LeaderOnlyHandler.class)
			.withBean(LeaderOnlyReconciler.class)
			.withBean(PrivateMethod.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(Leadership.class).isLeader()).isTrue();
			});
	}

	@Test
	void leadershipOfTheApplicationShouldWin() {
		this.runner.withBean(Leadership.class, FakeLeadership::new)
			.withPropertyValues("kubernetes.leader.enabled=true", "kubernetes.leader.lease-duration=1s")
			.withBean("handler", LeaderOnlyHandler.class)
			.withBean("reconciler", LeaderOnlyReconciler.class)
			.run((context) -> {
				assertThat(context).hasSingleBean(Leadership.class);
				assertThat(context.getBean(Leadership.class).isLeader()).isFalse();
				assertThat(context.getBean(InformerHandlerRegistry.class).get("handler").isLeaderOnly()).isTrue();
				assertThat(context.getBean(ReconcilerRegistry.class).get("reconciler").spec().leadership())
					.isSameAs(context.getBean(Leadership.class));
			});
	}

	@Test
	void propertiesWithoutEffectOnALeadershipOfTheApplicationShouldBeReported(CapturedOutput output) {
		this.runner.withBean("ownElector", Leadership.class, FakeLeadership::new)
			.withPropertyValues("kubernetes.leader.enabled=true", "kubernetes.leader.lease.name=s3cret",
					"kubernetes.leader.retry-period=1s")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("The application's own Leadership bean [ownElector] replaces the configured election; "
					+ "these properties have no effect: kubernetes.leader.retry-period, "
					+ "kubernetes.leader.lease.name. If the bean is for other work, declare it with "
					+ "@Bean(defaultCandidate = false)")
			.doesNotContain("s3cret");
	}

	@Test
	void leadershipOfTheApplicationShouldNotBeReportedWhenNoPropertyIsWithoutEffect(CapturedOutput output) {
		this.runner.withBean(Leadership.class, FakeLeadership::new)
			.withPropertyValues("kubernetes.leader.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed());
		this.runner.withUserConfiguration(SpareLeadership.class)
			.withPropertyValues("kubernetes.leader.lease.name=web")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasBean("kubernetesLeadership");
				assertThat(context.getBean(Leadership.class)).isNotInstanceOf(FakeLeadership.class);
			});
		assertThat(output).doesNotContain("replaces the configured election");
	}

	@Test
	void leaderOnlyShouldBeAllowedWithALeadershipOfTheApplication() {
		this.runner.withBean(Leadership.class, FakeLeadership::new)
			.withBean("handler", LeaderOnlyHandler.class)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).get("handler").isLeaderOnly())
				.isTrue());
	}

	@Configuration(proxyBeanMethods = false)
	static class SpareLeadership {

		@Bean(defaultCandidate = false)
		Leadership spare() {
			return new FakeLeadership();
		}

	}

	static class Nothing {

	}

	@InformerHandler(leaderOnly = "true")
	static class LeaderOnlyHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@Reconciler(leaderOnly = "true")
	static class LeaderOnlyReconciler {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	static class PrivateMethod {

		@LeaderOnly
		private void run() {
		}

	}

	static class StaticMethod {

		@LeaderOnly
		static void run() {
		}

	}

	static class FinalMethod {

		@LeaderOnly
		final void run() {
		}

	}

	@LeaderOnly
	public static class FinalMethodOfType {

		public final void run() {
		}

	}

	@LeaderOnly
	public static class HiddenFinalMethodOfType {

		final void run() {
		}

	}

	@LeaderOnly
	@InformerHandler
	static class HandlerOfType {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@LeaderOnly
	@Reconciler
	static class ReconcilerOfType {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HandlerOfBeanMethod {

		@Bean
		@InformerHandler
		Added added() {
			return new Added();
		}

	}

	@LeaderOnly
	static class Added {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@LeaderOnly
	static class ClassicHandler implements ResourceEventHandler<V1Pod> {

		@Override
		public void onAdd(V1Pod pod) {
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod pod) {
		}

		@Override
		public void onDelete(V1Pod pod, boolean stateUnknown) {
		}

	}

	static final class FinalClass {

		@LeaderOnly
		void run() {
		}

	}

	@InformerHandler
	static class EventMethod {

		@OnAdd
		@LeaderOnly
		void added(V1Pod pod) {
		}

	}

	@InformerHandler
	@LeaderOnly
	public static class EventMethodOfType {

		@OnAdd
		public void added(V1Pod pod) {
		}

	}

	@Reconciler
	static class ReconcileMethod {

		@Reconcile
		@LeaderOnly
		void reconcile(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BeanMethod {

		@Bean
		@LeaderOnly
		String text() {
			return "text";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class JdkProxied {

		@Bean
		Runnable proxied() {
			return (Runnable) new ProxyFactory(new Hidden()).getProxy();
		}

	}

	public static class Hidden implements Runnable {

		@Override
		public void run() {
		}

		@LeaderOnly
		public void hidden() {
		}

	}

}
