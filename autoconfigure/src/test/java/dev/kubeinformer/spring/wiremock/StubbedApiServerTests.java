package dev.kubeinformer.spring.wiremock;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.function.Predicate;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.RecordingHandler;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;

import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static dev.kubeinformer.spring.wiremock.PodStubs.dribbled;
import static dev.kubeinformer.spring.wiremock.PodStubs.event;
import static dev.kubeinformer.spring.wiremock.PodStubs.failure;
import static dev.kubeinformer.spring.wiremock.PodStubs.list;
import static dev.kubeinformer.spring.wiremock.PodStubs.lists;
import static dev.kubeinformer.spring.wiremock.PodStubs.open;
import static dev.kubeinformer.spring.wiremock.PodStubs.pod;
import static dev.kubeinformer.spring.wiremock.PodStubs.pods;
import static dev.kubeinformer.spring.wiremock.PodStubs.status;
import static dev.kubeinformer.spring.wiremock.PodStubs.watch;
import static dev.kubeinformer.spring.wiremock.PodStubs.watches;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of an application on an API server that is stubbed with WireMock, as applications
 * on the official client are tested.
 */
@ExtendWith(OutputCaptureExtension.class)
class StubbedApiServerTests {

	private static final String FAILED = "failed once";

	@RegisterExtension
	static final WireMockExtension api = WireMockExtension.newInstance().options(options().dynamicPort()).build();

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withBean("podHandler", PodHandler.class)
		.withPropertyValues("kubernetes.client.url=" + api.baseUrl());

	@Test
	void listedAndWatchedPodsShouldBeDeliveredInOrder() {
		api.stubFor(list().willReturn(pods("1000", pod("a", "900"))));
		api.stubFor(watch("1000").willReturn(dribbled(9, 300, event("ADDED", pod("b", "1001")),
				event("MODIFIED", pod("a", "1002")), event("DELETED", pod("b", "1003")))));
		api.stubFor(watch("1003").willReturn(open("1003")));
		this.runner.run((context) -> {
			awaitCalls(context, "add a", "add b", "update a", "delete b");
			awaitStatus(context, (status) -> status.state() == InformerState.LIVE);
			await().until(() -> !api.findAll(watches("1003")).isEmpty());
			assertThat(api.findAll(lists())).hasSize(1);
		});
	}

	@Test
	void watchThatIsAnsweredWith410ShouldListAgainAndDeliverTheDifferences() {
		listTwice();
		api.stubFor(watch("1000").inScenario(FAILED).willReturn(status(410, "Expired")).willSetStateTo(FAILED));
		this.runner.run(StubbedApiServerTests::assertDifferencesAreDelivered);
	}

	@Test
	void watchThatEndsByA410EventShouldListAgainAndDeliverTheDifferences() {
		listTwice();
		api.stubFor(watch("1000").inScenario(FAILED)
			.willReturn(dribbled(2, 50, event("ERROR", failure(410, "Expired"))))
			.willSetStateTo(FAILED));
		this.runner.run(StubbedApiServerTests::assertDifferencesAreDelivered);
	}

	@Test
	void throttledListShouldBeRepeatedAfterTheTimeThatTheServerAsksFor() {
		api.stubFor(list().inScenario(FAILED)
			.whenScenarioStateIs(Scenario.STARTED)
			.willReturn(status(429, "TooManyRequests").withHeader("Retry-After", "1"))
			.willSetStateTo(FAILED));
		api.stubFor(list().inScenario(FAILED).whenScenarioStateIs(FAILED).willReturn(pods("1000", pod("a", "900"))));
		api.stubFor(watch("1000").willReturn(open("1000")));
		this.runner.run((context) -> {
			awaitCalls(context, "add a");
			assertThat(between(lists())).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
		});
	}

	@Test
	void throttledWatchShouldBeRepeatedAfterTheTimeThatTheServerAsksForWithoutAList() {
		api.stubFor(list().willReturn(pods("1000", pod("a", "900"))));
		api.stubFor(watch("1000").inScenario(FAILED)
			.whenScenarioStateIs(Scenario.STARTED)
			.willReturn(status(429, "TooManyRequests").withHeader("Retry-After", "1"))
			.willSetStateTo(FAILED));
		api.stubFor(watch("1000").inScenario(FAILED).whenScenarioStateIs(FAILED).willReturn(open("1000")));
		this.runner.run((context) -> {
			awaitStatus(context, (status) -> status.state() == InformerState.LIVE);
			assertThat(between(watches("1000"))).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
			assertThat(api.findAll(lists())).hasSize(1);
			assertThat(handler(context).calls()).containsExactly("add a");
		});
	}

	@Test
	void unauthorizedListShouldBeReportedWithoutTheTokenAndRepeated(CapturedOutput output) {
		api.stubFor(list().willReturn(status(401, "Unauthorized")));
		api.stubFor(watch("1000").willReturn(open("1000")));
		this.runner.withPropertyValues("kubernetes.client.token=s3cret").run((context) -> {
			awaitStatus(context, (status) -> status.lastError() != null
					&& Integer.valueOf(401).equals(status.lastError().httpStatus()));
			api.stubFor(list().withHeader("Authorization", equalTo("Bearer s3cret"))
				.willReturn(pods("1000", pod("a", "900"))));
			awaitCalls(context, "add a");
		});
		assertThat(output).contains("401").doesNotContain("s3cret");
	}

	@Test
	void clientBeanThatGoesToTheStubsShouldBeUsed() {
		api.stubFor(list().withHeader("Authorization", equalTo("Bearer own")).willReturn(pods("1000", pod("a", "9"))));
		api.stubFor(watch("1000").willReturn(open("1000")));
		ApiClient client = new ApiClient().setBasePath(api.baseUrl()).addDefaultHeader("Authorization", "Bearer own");
		InformerContextRunner.withoutCluster()
			.withBean("podHandler", PodHandler.class)
			.withBean(ApiClient.class, () -> client)
			.run((context) -> awaitCalls(context, "add a"));
	}

	private static void listTwice() {
		api.stubFor(list().inScenario(FAILED)
			.whenScenarioStateIs(Scenario.STARTED)
			.willReturn(pods("1000", pod("a", "900"), pod("b", "901"))));
		api.stubFor(list().inScenario(FAILED)
			.whenScenarioStateIs(FAILED)
			.willReturn(pods("2000", pod("b", "901"), pod("c", "1900"))));
		api.stubFor(watch("2000").willReturn(open("2000")));
	}

	private static void assertDifferencesAreDelivered(AssertableApplicationContext context) {
		await().untilAsserted(() -> assertThat(handler(context).calls()).hasSize(4));
		assertThat(handler(context).calls().subList(0, 2)).containsExactlyInAnyOrder("add a", "add b");
		assertThat(handler(context).calls().subList(2, 4)).containsExactly("delete a", "add c");
		awaitStatus(context, (status) -> status.state() == InformerState.LIVE);
		assertThat(informerStatus(context).lists().byReason()).containsEntry(ListReason.EXPIRED, 1L);
	}

	private static void awaitCalls(AssertableApplicationContext context, String... calls) {
		await().untilAsserted(() -> assertThat(handler(context).calls()).containsExactly(calls));
	}

	private static void awaitStatus(AssertableApplicationContext context, Predicate<InformerStatus> condition) {
		await().until(() -> informerStatus(context), condition);
	}

	private static InformerStatus informerStatus(AssertableApplicationContext context) {
		return context.getBean(Informers.class).informer(V1Pod.class).status();
	}

	private static PodHandler handler(AssertableApplicationContext context) {
		return context.getBean(PodHandler.class);
	}

	/**
	 * The time between two requests.
	 */
	private static Duration between(RequestPatternBuilder requests) {
		List<Instant> times = api.findAll(requests)
			.stream()
			.map(LoggedRequest::getLoggedDate)
			.map(Date::toInstant)
			.sorted()
			.toList();
		assertThat(times).hasSize(2);
		return Duration.between(times.get(0), times.get(1));
	}

	/** Records its deliveries. */
	@InformerHandler
	static class PodHandler extends RecordingHandler {

		@OnAdd
		void added(V1Pod pod) {
			record("add", pod);
		}

		@OnUpdate
		void updated(V1Pod before, V1Pod after) {
			record("update", after);
		}

		@OnDelete
		void deleted(V1Pod pod) {
			record("delete", pod);
		}

	}

}
