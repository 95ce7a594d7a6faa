package dev.kubeinformer.sample.page;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.TestSocketUtils;

import dev.kubeinformer.sample.SampleApplication;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the page in Chromium. The pictures are in {@code target/screenshots}.
 */
@RequiresBrowser
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.activity.delay=200ms", "sample.activity.period=500ms", "sample.cut-watches.time=5s",
				"sample.stop-api.time=12s", "sample.slow-handler.pause=700ms", "sample.slow-handler.time=12s",
				"sample.foreign-deployment.time=4s" })
class PageBrowserTests {

	private static final String PODS = "[data-informer='pods'] ";

	private static final String AUDIT = "[data-handler='auditHandler'] ";

	private static Browser browser;

	@LocalServerPort
	private int port;

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Autowired
	private LiveClients clients;

	@BeforeAll
	static void startBrowser() {
		browser = Browser.start();
	}

	@AfterAll
	static void stopBrowser() {
		browser.close();
	}

	@BeforeEach
	void openPage() {
		browser.resize(1280, 1000);
		browser.prefer("light");
		browser.open("http://localhost:%d/".formatted(this.port));
		await().untilAsserted(() -> {
			assertThat(browser.texts("#informers .pill")).hasSize(4).containsOnly("live");
			assertThat(browser.texts("#handlers .pill")).containsExactly("synced", "synced", "synced");
		});
	}

	@AfterEach
	void consoleShouldBeEmpty() {
		assertThat(browser.console()).isEmpty();
	}

	@Test
	void pageShouldShowInformersHandlersAndEvents() {
		assertThat(browser.texts("#informers h3")).containsExactlyInAnyOrder("pods", "nodes", "deployments.apps",
				"foos.samplecontroller.k8s.io");
		assertThat(browser.texts("#handlers h3")).containsExactlyInAnyOrder("podHandler", "nodeHandler",
				"auditHandler");
		assertThat(browser.text("[data-informer='nodes'] [data-field='cacheSize']")).isEqualTo("3");
		assertThat(browser.text(PODS + "[data-field='lists']")).isEqualTo("1");
		assertThat(browser.text("#connection")).isEqualTo("connected");
		assertThat(browser.element("a[href='actuator/health/readiness']").isDisplayed()).isTrue();
		String version = browser.text(PODS + "[data-field='resourceVersion']");
		int handled = number("[data-handler='podHandler'] [data-field='processed']");
		await().untilAsserted(() -> {
			assertThat(browser.texts("#rows [data-source='podHandler'] .type")).contains("ADD", "UPDATE", "DELETE");
			assertThat(browser.text(PODS + "[data-field='resourceVersion']")).isNotEqualTo(version);
			assertThat(number("[data-handler='podHandler'] [data-field='processed']")).isGreaterThan(handled);
			assertThat(browser.text(PODS + "[data-field='age']")).matches("\\d+ s");
			assertThat(browser.count(PODS + "rect.LIVE")).isEqualTo(1);
		});
	}

	@Test
	@Tag("slow")
	void cutWatchesShouldResumeWithoutList() {
		String lists = browser.text(PODS + "[data-field='lists']");
		long last = lastRow();
		this.kubernetes.clearRequests();
		click("cut-watches");
		awaitStaleAndLive(last, "pods");
		assertThat(browser.text(PODS + "[data-field='lists']")).isEqualTo(lists);
		// what is asked for one object only is no list: it checks that the server has not
		// lost anything
		assertThat(this.kubernetes.requests()).anyMatch(Requests.watch("pods"))
			.filteredOn(Requests.list("pods"))
			.allMatch((request) -> "1".equals(request.parameter("limit")));
	}

	@Test
	@Tag("slow")
	void stoppedApiShouldLeaveStaleCachesThatCatchUpWithoutList() {
		String lists = browser.text(PODS + "[data-field='lists']");
		long last = lastRow();
		click("stop-api");
		await().untilAsserted(() -> {
			assertThat(browser.texts("#informers .pill")).hasSize(4).containsOnly("stale");
			assertThat(browser.text("[data-experiment='stop-api'] button")).endsWith(" s to go");
			assertThat(browser.element(PODS + ".error").isDisplayed()).isTrue();
			// what went wrong, without the words of whoever answered
			assertThat(browser.text(PODS + ".error")).isEqualTo("watch: ConnectException");
		});
		assertThat(browser.text("[data-informer='nodes'] [data-field='cacheSize']")).isEqualTo("3");
		awaitStaleAndLive(last, "pods");
		awaitStaleAndLive(last, "nodes");
		assertThat(browser.text(PODS + "[data-field='lists']")).isEqualTo(lists);
		await().untilAsserted(
				() -> assertThat(browser.text("[data-experiment='stop-api'] button")).isEqualTo("Stop it for a while"));
	}

	@Test
	@Tag("slow")
	void slowHandlerShouldQueueWhileOthersGoOn() {
		int handled = number("[data-handler='podHandler'] [data-field='processed']");
		click("slow-handler");
		await().until(() -> number(AUDIT + "[data-field='queueSize']") >= 4);
		// its own resyncs are in its queue for a moment
		await().until(() -> number("[data-handler='podHandler'] [data-field='queueSize']") < 2);
		await().until(() -> number(AUDIT + "[data-field='queueSize']") == 0);
		assertThat(number("[data-handler='podHandler'] [data-field='processed']")).isGreaterThan(handled);
	}

	@Test
	void reconcilerShouldBeShownWithItsRunsAndFailingKeys() {
		String foos = "[data-reconciler='fooReconciler'] ";
		await().untilAsserted(() -> {
			assertThat(browser.text(foos + "[data-field='state']")).isEqualTo("active");
			assertThat(number(foos + "[data-field='runs']")).isPositive();
		});
		int failed = number(foos + "[data-field='failed']");
		click("foreign-deployment");
		await().untilAsserted(() -> {
			assertThat(browser.texts(foos + ".failing li")).singleElement()
				.asString()
				.startsWith("shop/second-storefront: IllegalStateException, failed ");
			assertThat(number(foos + "[data-field='failed']")).isGreaterThan(failed);
			assertThat(browser.texts("#rows [data-source='fooReconciler'] .type")).contains("DONE", "ERROR");
		});
		await().until(() -> browser.texts(foos + ".failing li").isEmpty());
	}

	@Test
	void recreatedPodShouldBeDeliveredAsDeleteAndAdd() {
		long last = lastRow();
		click("recreate-pod");
		for (String handler : List.of("podHandler", "auditHandler")) {
			// resyncs are updates
			await().untilAsserted(() -> assertThat(typesSince(last, handler, "shop/redis-0"))
				.filteredOn((type) -> !type.equals("UPDATE"))
				.containsExactly("DELETE", "ADD"));
		}
	}

	@Test
	void markupInObjectsShouldBeShownAsText() {
		String markup = "<img src=x onerror=\"window.injected=1\"><script>window.injected=1</script>";
		V1ObjectMeta metadata = new V1ObjectMeta().namespace("shop")
			.name("markup-0")
			.annotations(Map.of("note", markup));
		ApiResources<V1Pod> pods = this.kubernetes.resources(V1Pod.class);
		pods.create(new V1Pod().metadata(metadata).status(new V1PodStatus().phase(markup)));
		await().untilAsserted(() -> assertThat(browser.texts("#rows [data-source='podHandler'] .note"))
			.anyMatch((note) -> note.startsWith(markup)));
		pods.delete("shop", "markup-0");
		assertThat(browser.count("#rows img, #rows script")).isZero();
		assertThat(browser.<Boolean>run("return window.injected === undefined")).isTrue();
	}

	@Test
	void rowsShouldBeBoundedAndFiltered() {
		ApiResources<V1Pod> pods = this.kubernetes.resources(V1Pod.class);
		for (int i = 0; i < 150; i++) {
			String phase = "Turn" + i;
			pods.edit("shop", "redis-0", (pod) -> pod.getStatus().setPhase(phase));
		}
		await().untilAsserted(
				() -> assertThat(browser.texts("#rows .note")).anyMatch((note) -> note.contains("Turn149 ")));
		assertThat(browser.count("#rows li")).isEqualTo(200);
		browser.run("const source = document.getElementById('source'); source.value = 'nodeHandler';"
				+ "source.dispatchEvent(new Event('change')); return true");
		await().untilAsserted(
				() -> assertThat(browser.count("#rows li[data-source='podHandler']:not([hidden])")).isZero());
	}

	@Test
	void pageShouldConnectAgainAndMissNothing() {
		await().until(() -> this.clients.size() > 0);
		browser.run("""
				window.seen = [];
				const connection = document.getElementById('connection');
				new MutationObserver(() => window.seen.push(connection.textContent))
					.observe(connection, { childList: true, characterData: true, subtree: true });
				return true""");
		this.clients.endAll();
		await().until(() -> browser.<List<String>>run("return window.seen").contains("reconnecting"));
		this.kubernetes.resources(V1Pod.class).edit("shop", "redis-0", (pod) -> pod.getStatus().setPhase("Away"));
		await().untilAsserted(() -> {
			assertThat(browser.text("#connection")).isEqualTo("connected");
			assertThat(browser.texts("#rows .note")).anyMatch((note) -> note.startsWith("Away "));
		});
		assertThat(browser
			.<List<String>>run("return [...document.querySelectorAll('#rows li')].map((row) => row.dataset.id)"))
			.doesNotHaveDuplicates()
			.isSortedAccordingTo((one, other) -> Long.compare(Long.parseLong(other), Long.parseLong(one)));
	}

	@Test
	@Tag("slow")
	void pageShouldSayThatItIsOldWhenTheApplicationIsGone() throws IOException {
		String[] same = { "--sample.activity.delay=200ms", "--server.port=" + TestSocketUtils.findAvailableTcpPort() };
		try (ConfigurableApplicationContext other = new SpringApplication(SampleApplication.class).run(same)) {
			browser.open("http://localhost:%s/".formatted(other.getEnvironment().getProperty("local.server.port")));
			await().untilAsserted(() -> assertThat(browser.texts("#informers .pill")).hasSize(4).containsOnly("live"));
			assertThat(browser.element("#gone").isDisplayed()).isFalse();
		}
		await().untilAsserted(() -> {
			assertThat(browser.text("#gone")).startsWith("The application does not answer.");
			assertThat(browser.texts("#informers .pill")).hasSize(4).containsOnly("unknown");
			assertThat(browser.texts("#handlers .pill")).containsOnly("unknown");
			assertThat(browser.texts("#totals dd")).startsWith("–", "–");
			assertThat(browser.count(PODS + "rect.UNKNOWN")).isPositive();
		});
		assertThat(browser.screenshot("page-gone")).isNotEmptyFile();
		try (ConfigurableApplicationContext other = new SpringApplication(SampleApplication.class).run(same)) {
			await().untilAsserted(() -> {
				assertThat(browser.texts("#informers .pill")).hasSize(4).containsOnly("live");
				assertThat(browser.element("#gone").isDisplayed()).isFalse();
			});
			assertThat(other.isActive()).isTrue();
			browser.open("about:blank");
		}
		assertThat(browser.console()).allMatch((message) -> message.contains("/live - Failed to load resource"));
	}

	@Test
	void pageShouldSayThatItIsOldWhenNothingArrivesAnyMore() {
		browser.run("""
				window.seen = [];
				const pill = document.querySelector('#informers .pill');
				new MutationObserver(() => window.seen.push(pill.textContent))
					.observe(pill, { childList: true, characterData: true, subtree: true });
				let later = Date.now();
				Date.now = () => later += 40000; // half a minute is over whenever it looks
				return true""");
		await().until(() -> browser.<List<String>>run("return window.seen").containsAll(List.of("unknown", "live")));
	}

	@Test
	@Tag("slow")
	void pageShouldFitOnSmallScreensAndInBothColorSchemes() throws IOException {
		long last = lastRow();
		click("cut-watches");
		awaitStaleAndLive(last, "pods");
		awaitStaleAndLive(last, "nodes");
		click("recreate-pod");
		click("slow-handler");
		await().until(() -> number(AUDIT + "[data-field='queueSize']") >= 4);
		await().until(() -> number(AUDIT + "[data-field='queueSize']") < 3);
		for (String scheme : List.of("light", "dark")) {
			browser.prefer(scheme);
			browser.resize(1280, 1000);
			assertThat(browser.screenshot("page-" + scheme)).isNotEmptyFile();
			assertFits(1280);
		}
		browser.resize(400, 800);
		assertFits(400);
		assertThat(browser.screenshot("page-small")).isNotEmptyFile();
	}

	private static void assertFits(int width) {
		assertThat(browser.<Long>run("return document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
	}

	private static void click(String experiment) {
		String button = "[data-experiment='%s'] button".formatted(experiment);
		await().until(() -> "false".equals(browser.element(button).getDomAttribute("aria-disabled")));
		browser.click(button);
	}

	private static void awaitStaleAndLive(long last, String informer) {
		await().untilAsserted(() -> {
			assertThat(browser.text("[data-informer='%s'] .pill".formatted(informer))).isEqualTo("live");
			assertThat(typesSince(last, "informer", informer)).containsExactly("STALE", "LIVE");
		});
	}

	private static List<String> typesSince(long id, String source, String object) {
		return browser.run("""
				return [...document.querySelectorAll('#rows li')].reverse()
					.filter((row) => Number(row.dataset.id) > arguments[0] && row.dataset.source === arguments[1]
						&& row.querySelector('.object').textContent === arguments[2])
					.map((row) => row.dataset.type)""", id, source, object);
	}

	private static long lastRow() {
		await().until(() -> browser.count("#rows li") > 0);
		return Long.parseLong(browser.<String>run("return document.querySelector('#rows li').dataset.id"));
	}

	private static int number(String selector) {
		return Integer.parseInt(browser.text(selector).replace(",", ""));
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(80));
	}

}
