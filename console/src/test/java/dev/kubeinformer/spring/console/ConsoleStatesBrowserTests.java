package dev.kubeinformer.spring.console;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;
import org.springframework.boot.WebApplicationType;

import dev.kubeinformer.fixtures.browser.Browser;
import dev.kubeinformer.fixtures.browser.RequiresBrowser;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the element on a page of an application's own, with answers that are hard to
 * come by: every state, none, very many, and refusals. The pictures are in
 * {@code target/screenshots}.
 */
@RequiresBrowser
@Tag("slow")
class ConsoleStatesBrowserTests {

	private static EmbeddedKubernetes kubernetes;

	private static ConsoleApplication application;

	private static Browser browser;

	@BeforeAll
	static void start() {
		kubernetes = EmbeddedKubernetes.start();
		application = ConsoleApplication.run(WebApplicationType.SERVLET, List.of(FixtureController.class),
				"kubernetes.client.url=" + kubernetes.url(), ConsoleApplication.WRITABLE);
		browser = Browser.start();
	}

	@AfterAll
	static void stop() {
		browser.close();
		application.close();
		kubernetes.close();
	}

	@BeforeEach
	void prepare() {
		application.bean(FixtureController.class).calm(false);
		browser.resize(1280, 1000);
		browser.prefer("light");
		browser.console();
	}

	@Test
	void whatNeedsAttentionShouldBeFirst() {
		open("states", "live");
		assertThat(browser.texts("[data-section='informers'] .ic-id")).startsWith("forbidden", "not_found")
			.endsWith("live", "orders-metadata-uid-0-of-5", "orders-metadata-uid-1-of-5", "orders-uid-2-of-5",
					"parcels-uid-slots");
		assertThat(browser.texts("[data-section='reconcilers'] .ic-id")).startsWith("failingReconciler");
		assertThat(browser.texts(".ic-problems li"))
			.anySatisfy((line) -> assertThat(line).contains("forbidden", "denies access", "resources: [\"secrets\"]"))
			.anySatisfy((line) -> assertThat(line)
				.containsPattern("runningHandler\\s+Busy with shop/order-1 for (19|2\\d) s"))
			.anySatisfy((line) -> assertThat(line).contains("failingReconciler", "24 keys fail."));
		assertThat(browser.texts("[data-id='failingReconciler'] .ic-failing li")).hasSize(6)
			.last()
			.isEqualTo("and 19 more");
		assertThat(browser.console()).isEmpty();
	}

	@Test
	void shardAndMetadataFormShouldBeShownWithWhoCutsThemOut() {
		open("states", "live");
		String client = "[data-id='orders-uid-2-of-5'] ";
		assertThat(browser.text(client + ".ic-scope"))
			.isEqualTo("example.com/v1 Order in all namespaces, shard 2/5 by uid");
		assertThat(opened(client))
			.contains("Shard: 2/5 by uid", "Shard cut out by: this application; the API server sends everything",
					"Of other shards, dropped: 984")
			.noneMatch((row) -> row.startsWith("Metadata"));
		String server = "[data-id='orders-metadata-uid-0-of-5'] ";
		assertThat(browser.text(server + ".ic-scope"))
			.isEqualTo("example.com/v1 orders.example.com in all namespaces, metadata only, shard 0/5 by uid");
		assertThat(opened(server)).contains("Metadata cut out by: the API server, which sends nothing else",
				"Shard cut out by: the API server, which sends nothing else", "Of other shards, dropped: 0");
		assertThat(opened("[data-id='orders-metadata-uid-1-of-5'] ")).contains("Shard cut out by: not known yet");
		assertThat(opened("[data-id='parcels-uid-slots'] ")).contains("Shard: 13 of 64 slots by uid",
				"Slots in the cache: 0-9", "Of other shards, dropped: 984");
		assertThat(opened("[data-id='live'] ")).noneMatch((row) -> row.contains("hard"));
		assertThat(browser.violations()).isEmpty();
		assertThat(browser.console()).isEmpty();
	}

	/**
	 * The rows of a card that is opened: the browser fires the event that fills them some
	 * time after the click.
	 */
	private static List<String> opened(String card) {
		browser.click(card + "summary");
		return await().until(() -> rows(card), (rows) -> !rows.isEmpty());
	}

	private static List<String> rows(String card) {
		return browser.run("return [...document.querySelectorAll(\"" + card
				+ ".ic-more > div\")].map((row) => [...row.children].map((cell) => cell.textContent).join(': '))");
	}

	@Test
	void refusedActionShouldBeExplainedAtItsButton() {
		open("states", "live");
		browser.click("[data-id='pausedHandler'] [data-action='RESUME']");
		await().untilAsserted(() -> assertThat(browser.text("[data-id='pausedHandler'] .ic-result"))
			.isEqualTo("You may not do this (status 403)."));
		browser.click("[data-id='runningHandler'] [data-action='RESYNC']");
		await().untilAsserted(() -> assertThat(browser.text("[data-id='runningHandler'] .ic-result"))
			.isEqualTo("Handler 'runningHandler' is stopped; START it first"));
		assertThat(browser.text(".ic-announce"))
			.isEqualTo("runningHandler: Handler 'runningHandler' is stopped; START it first");
	}

	@Test
	void answerThatBreaksOffShouldBeShownAndReadingGoOn() {
		open("states", "live");
		browser.click("[data-id='stoppedHandler'] [data-action='START']");
		await().untilAsserted(() -> assertThat(browser.text("[data-id='stoppedHandler'] .ic-result"))
			.isEqualTo("The application does not respond: it is unknown whether it was done."));
		FixtureController fixture = application.bean(FixtureController.class);
		fixture.cut(true);
		try {
			awaitConnection("away");
			assertThat(browser.text(".ic-banner-text"))
				.startsWith("The application does not respond. What you see is how it was at ");
		}
		finally {
			fixture.cut(false);
		}
		awaitConnection("live");
	}

	@Test
	void answerThatCannotBeShownShouldBeSaid() {
		open("unknown", "error");
		assertThat(browser.text(".ic-banner-text")).startsWith("The console cannot show the response (");
		assertThat(browser.text(".ic-banner .ic-quiet")).isEqualTo("again in 30 s");
	}

	@Test
	void veryManyShouldBeGroupedFilteredAndShownOnDemand() throws IOException {
		open("many", "live");
		String informers = "[data-section='informers'] ";
		assertThat(browser.texts(informers + ".ic-card")).hasSize(48);
		assertThat(browser.texts(informers + ".ic-cluster")).startsWith("Cluster cluster-2");
		assertThat(browser.texts(informers + "[data-state='STALE']")).hasSize(10);
		assertThat(browser.texts(".ic-problems li"))
			.anySatisfy((line) -> assertThat(line).contains("10 informers: No watch is open"));
		assertThat(browser.screenshot("console-many")).isNotEmptyFile();
		browser.element(".ic-toolbar input[type='search']").sendKeys("cluster-3 widgets-1");
		await().untilAsserted(() -> {
			assertThat(browser.text(".ic-matches")).isEqualTo("40 of 1,000");
			assertThat(browser.texts(informers + ".ic-id")).hasSize(20)
				.allMatch((id) -> id.startsWith("cluster-3.widgets-1"));
		});
		browser.element(".ic-toolbar input[type='search']").clear();
		browser.element(".ic-toolbar input[type='search']").sendKeys(Keys.SPACE);
		browser.click(informers + ".ic-show");
		await().untilAsserted(() -> assertThat(browser.texts(informers + ".ic-card")).hasSize(500));
		assertThat(browser.text(informers + ".ic-show")).isEqualTo("Show the first 48");
	}

	@Test
	void filterShouldKeepTheFocusWhenWhatWasFocusedIsGone() {
		open("many", "live");
		browser.click(".ic-check input");
		await().untilAsserted(() -> assertThat(browser.texts("[data-section='informers'] .ic-id")).hasSize(10));
		browser.run("document.querySelector('[data-section=informers] summary').focus(); return true");
		application.bean(FixtureController.class).calm(true);
		await().untilAsserted(() -> assertThat(browser.count("[data-section='informers'] .ic-card")).isZero());
		assertThat(browser.<String>run("return document.activeElement.type")).isEqualTo("search");
	}

	@Test
	void cardWithTheFocusShouldStayWhereItIs() {
		open("many", "live");
		browser.run("document.querySelector('[data-section=informers] summary').focus(); return true");
		browser.run("window.first = document.querySelector('[data-section=informers] .ic-card'); return true");
		application.bean(FixtureController.class).calm(true);
		await()
			.untilAsserted(() -> assertThat(browser.count("[data-section='informers'] [data-state='STALE']")).isZero());
		assertThat(browser.texts("[data-section='informers'] .ic-cluster")).startsWith("Cluster cluster-2");
		assertThat(browser.<Boolean>run("return window.first.contains(document.activeElement)")).isTrue();
	}

	@ParameterizedTest
	@CsvSource({
			"forbidden,forbidden,You may not read the endpoint informers (status 403). Ask for the right to read it.",
			"unauthorized,unauthorized,'You are not signed in, or no longer. Sign in, then reload the page.'",
			"broken,away,The application responds with status 503.",
			"missing,not-exposed,'There is no endpoint at /fixture/missing. "
					+ "Expose it: management.endpoints.web.exposure.include=informers,informersconsole'" })
	void refusalShouldBeShownWithTheMend(String name, String connection, String text) {
		open(name, connection);
		assertThat(browser.text(".ic-banner-text")).isEqualTo(text);
		assertThat(browser.element(".ic-banner-text").getAriaRole()).isEqualTo("alert");
		assertThat(browser.element(".ic-tiles").isDisplayed()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "states,live", "none,live", "many,live", "forbidden,forbidden", "unauthorized,unauthorized",
			"broken,away", "missing,not-exposed" })
	@Tag("slow")
	void everyStateShouldBeUsableInEveryWidthAndTheme(String name, String connection) throws IOException {
		open(name, connection);
		browser.assertUsable("console-" + name);
	}

	@Test
	void readOnlyEndpointShouldHaveNoButtons() throws IOException {
		try (ConsoleApplication readOnly = ConsoleApplication.run(WebApplicationType.SERVLET,
				List.of(Workload.PodHandler.class), "kubernetes.client.url=" + kubernetes.url())) {
			browser.open(readOnly.url("/actuator/informersconsole/"));
			await().untilAsserted(
					() -> assertThat(browser.texts("[data-id='podHandler'] .ic-state")).containsExactly("running"));
			assertThat(browser.element("[data-id='podHandler'] .ic-actions").isDisplayed()).isFalse();
			assertThat(browser.text(".ic-note")).contains("management.endpoint.informers.access");
			browser.assertUsable("console-read-only");
			assertThat(browser.console()).isEmpty();
		}
		// the same page, of an application that is gone
		await().untilAsserted(() -> {
			assertThat(browser.text(".ic-banner-text"))
				.startsWith("The application does not respond. What you see is how it was at ");
			assertThat(browser.text(".ic-banner .ic-quiet")).matches("again in \\d+ s");
			assertThat(browser.text("[data-id='podHandler'] .ic-state")).isEqualTo("was running");
		});
		browser.assertUsable("console-away");
		browser.open("about:blank");
	}

	@Test
	void endpointThatIsNotExposedShouldBeNamed() throws IOException {
		try (ConsoleApplication hidden = ConsoleApplication.run(WebApplicationType.SERVLET, List.of(),
				"kubernetes.client.url=" + kubernetes.url(),
				"management.endpoints.web.exposure.include=informersconsole")) {
			browser.open(hidden.url("/actuator/informersconsole"));
			await().untilAsserted(() -> assertThat(browser.text(".ic-banner-text"))
				.isEqualTo("The endpoint informers is not exposed. "
						+ "Expose it: management.endpoints.web.exposure.include=informers,informersconsole"));
			browser.assertUsable("console-not-exposed");
			assertThat(browser.console()).isEmpty();
			browser.open("about:blank");
		}
	}

	private static void open(String name, String connection) {
		browser.open(application.url("/embedded/" + name));
		awaitConnection(connection);
	}

	private static void awaitConnection(String connection) {
		await().untilAsserted(
				() -> assertThat(browser.count("informers-console[data-connection='%s']".formatted(connection)))
					.isEqualTo(1));
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(30));
	}

}
