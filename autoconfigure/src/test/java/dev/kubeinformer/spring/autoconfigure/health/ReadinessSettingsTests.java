package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what the configuration says about readiness.
 */
class ReadinessSettingsTests {

	private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AutoConfigurations.of(InformerHealthContributorAutoConfiguration.class,
				InformerReadinessAutoConfiguration.class))
		.withBean(PodHandler.class)
		.withBean(NodeReader.class);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void handlersAndInformersOfListersShouldCountByThemselves() {
		this.runner.run((context) -> assertCounts(context, true, true));
	}

	@Test
	void readinessOfAResourceShouldHoldForItsHandlersAndListers() {
		this.runner.withPropertyValues("kubernetes.informers.resources.pods.readiness=false")
			.run((context) -> assertCounts(context, false, true));
		this.runner.withPropertyValues("kubernetes.informers.resources.nodes.readiness=false")
			.run((context) -> assertCounts(context, true, false));
	}

	@Test
	void readinessOfAHandlerShouldPrecedeThatOfItsResource() {
		this.runner
			.withPropertyValues("kubernetes.informers.resources.pods.readiness=false",
					"kubernetes.informers.handlers.podHandler.readiness=true")
			.run((context) -> assertCounts(context, true, true));
	}

	@Test
	void readinessOfHealthShouldHoldWhereNothingElseIsSaid() {
		this.runner.withPropertyValues("kubernetes.informers.health.readiness=false")
			.run((context) -> assertCounts(context, false, false));
		this.runner
			.withPropertyValues("kubernetes.informers.health.readiness=false",
					"kubernetes.informers.resources.nodes.readiness=true")
			.run((context) -> assertCounts(context, false, true));
	}

	@Test
	void informerOfAListerShouldCountIfItsHandlersDoNotStart() {
		this.runner.withBean(PodReader.class)
			.withPropertyValues("kubernetes.informers.handlers.podHandler.auto-startup=false")
			.run((context) -> {
				assertCounts(context, false, true);
				assertThat(context.getBean(InformersHealthContributor.class).children()).containsKey("pods");
				assertThat(context.getBean(InformerReadiness.class).counts("pods")).isTrue();
			});
	}

	@Test
	void cacheThatIsStaleForTooLongShouldBeDownAndCountUntilItIsUpToDate() {
		this.runner.withPropertyValues("kubernetes.informers.health.stale-after=200ms").run((context) -> {
			await().until(() -> statuses(context).equals(List.of(Status.UP, Status.UP)));
			this.kubernetes.stopServing();
			await().until(() -> statuses(context).equals(List.of(Status.DOWN, Status.DOWN)));
			assertCounts(context, true, true);
			this.kubernetes.resumeServing();
			await().until(() -> statuses(context).equals(List.of(Status.UP, Status.UP)));
		});
	}

	@Test
	void cacheThatIsStaleShouldStayUpByDefault() {
		assertThat(new InformerStatusMapper(null, clock()).map(stale(Duration.ofDays(30)))).isEqualTo(Status.UP);
	}

	@Test
	void cacheShouldBeDownOnceTheLimitHasPassed() {
		InformerStatusMapper mapper = new InformerStatusMapper(Duration.ofMinutes(5), clock());
		assertThat(mapper.map(stale(null))).isEqualTo(Status.UP);
		assertThat(mapper.map(stale(Duration.ofMinutes(5)))).isEqualTo(Status.UP);
		assertThat(mapper.map(stale(Duration.ofSeconds(301)))).isEqualTo(Status.DOWN);
	}

	@Test
	void limitThatIsNotPositiveShouldFail() {
		this.runner.withPropertyValues("kubernetes.informers.health.stale-after=0s")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("kubernetes.informers.health.stale-after"));
	}

	private static Clock clock() {
		return Clock.fixed(NOW, ZoneOffset.UTC);
	}

	private static InformerStatus stale(@Nullable Duration since) {
		Instant staleSince = (since != null) ? NOW.minus(since) : null;
		return new InformerStatus(InformerState.STALE, NOW, new InformerStatus.Sync(true, NOW, true),
				new InformerStatus.Cache(0, "1", staleSince, 0), new InformerStatus.Lists(Map.of(), 0),
				new InformerStatus.Watch(NOW, true, null, Map.of()), null, null, null, null, List.of());
	}

	private static void assertCounts(ApplicationContext context, boolean handler, boolean lister) {
		InformerReadiness readiness = context.getBean(InformerReadiness.class);
		assertThat(List.of(readiness.counts("podHandler"), readiness.counts("nodes"))).containsExactly(handler, lister);
	}

	private static List<Status> statuses(ApplicationContext context) {
		InformersHealthContributor health = context.getBean(InformersHealthContributor.class);
		return health.children()
			.values()
			.stream()
			.map(HealthIndicator::health)
			.map((child) -> child.getStatus())
			.toList();
	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class PodReader {

		PodReader(Lister<V1Pod> pods) {
		}

	}

	static class NodeReader {

		NodeReader(Lister<V1Node> nodes) {
		}

	}

}
